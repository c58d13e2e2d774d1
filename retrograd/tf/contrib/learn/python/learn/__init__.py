"""The names of ``tensorflow.contrib.learn.python.learn``."""

from retrograd.faces import missing
from retrograd.tf.contrib.learn import *

__getattr__ = missing(__name__)
