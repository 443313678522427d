"""Puzzles on a board: pieces that are missing, lie in the wrong place, or are to be put in line."""
