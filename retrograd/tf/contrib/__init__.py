"""The names of ``tensorflow.contrib``."""
