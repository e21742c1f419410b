"""Games that are scored by sheet or have help at the table: a folder each, named like the game.

A folder may hold `tally` (pure: what a sheet adds up to), `forms` and `pages` of its sheet, `helper_pages` with `urls`.
Everything is found by these names (`scoring.game_folders`); no folder knows another.
"""
