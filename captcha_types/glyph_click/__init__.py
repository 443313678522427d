"""Puzzles in which characters of a picture are tapped."""
