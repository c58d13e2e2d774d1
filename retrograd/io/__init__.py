"""Files in and out: data sets, checkpoints, graphs and events."""
