"""Puzzles whose answer is read off the picture and typed."""
