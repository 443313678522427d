"""Puzzles whose answer is counted or read off a picture and typed."""
