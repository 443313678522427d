"""Rotation puzzles: a picture or a part of it is turned until it stands right."""
