"""Puzzles about what is covered, interlaced, hidden in textures or only seems to be there."""
