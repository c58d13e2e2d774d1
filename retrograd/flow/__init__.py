"""Loops, and what stands on them."""
