"""Formats of files, read and written without TensorFlow."""
