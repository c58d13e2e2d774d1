"""Differentiation of graphs: the gradient pass and what programs hang into it."""
