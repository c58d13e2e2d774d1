"""Training: optimizers, schedules, averages."""
