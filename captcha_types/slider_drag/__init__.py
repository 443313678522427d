"""Puzzles of pieces and knobs that are dragged along a track or across a picture."""
