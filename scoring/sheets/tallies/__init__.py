"""What tallies of all games share, pure: options, reading JSON, the registry, many sheets at once.

For the games' own tallies and for whoever asks for one.
"""
