"""The names of ``tensorflow.contrib.learn.python.learn``."""
