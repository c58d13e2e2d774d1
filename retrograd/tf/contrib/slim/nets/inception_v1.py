"""The names of ``tensorflow.contrib.slim.nets.inception_v1``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.inception import inception_v1, inception_v1_arg_scope, inception_v1_base

__getattr__ = missing(__name__)
