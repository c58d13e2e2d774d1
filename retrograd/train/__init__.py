"""Training: optimizers, schedules, clipping, averages."""
