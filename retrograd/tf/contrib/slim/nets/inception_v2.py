"""The names of ``tensorflow.contrib.slim.nets.inception_v2``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.inception import inception_v2, inception_v2_arg_scope, inception_v2_base

__getattr__ = missing(__name__)
