"""Matrices by what they do: linear operators."""

from retrograd.nn.linear_operators import rules as rules
