"""Puzzles in which a line, a road or a route is followed through a picture."""
