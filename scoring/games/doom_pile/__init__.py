"""Doom Pile: its sheet, its pages, its help at the table."""
