"""Panels that ask for several things."""
