"""Gestures: a button is held down, a line is drawn through dots."""
