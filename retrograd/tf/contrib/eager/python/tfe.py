"""The names of ``tensorflow.contrib.eager.python.tfe``."""

from retrograd.faces import missing
from retrograd.tf.contrib.eager import *

__getattr__ = missing(__name__)
