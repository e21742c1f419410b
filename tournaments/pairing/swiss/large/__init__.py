"""Large Swiss fields: a smaller graph with representatives that has the same optimum.

For `swiss`, from a number of players on. It is exact, as the small way is.
"""
