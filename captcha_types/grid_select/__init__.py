"""Boards of tiles of which some are to be selected."""
