"""Swiss rounds of two: contenders, costs, the matching that is proved best, explanations.

For rounds of matches of two. Large fields go through `large/`.
"""
