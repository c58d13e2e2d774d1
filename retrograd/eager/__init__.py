"""Eager execution: ops that run as they are called, and tapes that remember what gradients need."""
