"""Puzzles in which icons and shapes of a picture are tapped."""
