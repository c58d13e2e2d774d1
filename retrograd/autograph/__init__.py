"""AutoGraph: Python's branches and loops over tensors, made ops of the graph by rewriting a function's source."""
