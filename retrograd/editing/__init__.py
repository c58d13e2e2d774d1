"""Graphs changed after they were built: selections of ops, other inputs, copies."""
