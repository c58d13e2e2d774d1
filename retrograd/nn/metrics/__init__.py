"""Metrics that add up over runs: each gives its value so far, and an op that adds a batch."""
