"""The names of ``tensorflow.contrib.learn.python.learn.datasets``."""

from retrograd.faces import missing
from retrograd.io.small_sets import DATASETS, load_boston, load_dataset, load_iris, make_dataset
from retrograd.tf.contrib.learn.python.learn.datasets import base as base
from retrograd.tf.contrib.learn.python.learn.datasets import mnist as mnist

__getattr__ = missing(__name__)
