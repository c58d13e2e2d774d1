"""Differentiation of graphs: the gradient pass and what programs hang into it."""

import retrograd.ops.operators  # noqa: F401 (the rules are written with Python's operators on tensors)
