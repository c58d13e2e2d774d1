"""The names of ``tensorflow.contrib.learn``."""
