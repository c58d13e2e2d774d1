"""The names of ``tensorflow.contrib.learn.python.learn.datasets``."""

from retrograd.faces import missing
from retrograd.tf.contrib.learn.python.learn.datasets import base as base
from retrograd.tf.contrib.learn.python.learn.datasets import mnist as mnist

__getattr__ = missing(__name__)
