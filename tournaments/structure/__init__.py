"""Stages and brackets of an event: how they are set up, when the next one begins, who comes through a cut.

For organisers who plan an event and for pages that show its structure. It knows rounds, results and standings.
"""
