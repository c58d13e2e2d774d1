"""The names of ``tensorflow.examples.tutorials``."""
