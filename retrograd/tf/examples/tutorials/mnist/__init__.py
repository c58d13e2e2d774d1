"""The names of ``tensorflow.examples.tutorials.mnist``."""

from retrograd.tf.examples.tutorials.mnist import input_data as input_data
