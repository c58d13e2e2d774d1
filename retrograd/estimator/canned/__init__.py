"""Models that are ready: linear, deep, both together, baselines; heads that make a loss and metrics of logits."""
