"""Puzzles whose answer lies in what changes from one frame to the next."""
