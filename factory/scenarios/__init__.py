"""Scenarios: executable interfaces with verified targets, tasks and refusals about them."""
