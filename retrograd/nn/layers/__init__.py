"""Layers: objects that make their variables when they first meet an input."""
