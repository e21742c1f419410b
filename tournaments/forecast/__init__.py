"""Who can still make the cut, certain or likely, and when the round ends.

For organisers, and for players where the organiser shows it. The computation is pure; services start it, workers run
it in chunks.
"""
