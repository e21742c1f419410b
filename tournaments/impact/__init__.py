"""What a correction, a drop or a disqualification would move, before it is done.

For organisers and judges. It reads standings, cuts and rounds, and computes them with the change.
"""
