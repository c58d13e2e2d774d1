"""Matrices by what they do: linear operators."""
