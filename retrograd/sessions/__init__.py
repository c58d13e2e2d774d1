"""Sessions that last: they restore, save, tell and stop by themselves."""
