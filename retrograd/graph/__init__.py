"""The graph: operations, tensors, names and types.  NumPy is all that it imports."""
