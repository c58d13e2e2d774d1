"""The names of ``tensorflow.examples``."""
