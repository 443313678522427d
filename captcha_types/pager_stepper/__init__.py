"""Puzzles that show one candidate at a time, with arrows that turn to the next."""
