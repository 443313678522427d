"""Puzzles that are solved by turning things over in the mind."""
