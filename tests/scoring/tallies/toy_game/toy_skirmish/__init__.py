"""A toy game: two fight with knights."""
