"""The names of ``tensorflow.python.util.tf_inspect``."""

from inspect import *

from retrograd.faces import missing

__getattr__ = missing(__name__)
