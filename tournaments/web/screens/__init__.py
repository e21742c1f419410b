"""Screens in the room and prints.

For televisions and paper. Screens read public facts alone; prints are made by staff.
"""
