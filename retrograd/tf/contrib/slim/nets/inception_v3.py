"""The names of ``tensorflow.contrib.slim.nets.inception_v3``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.inception import inception_v3, inception_v3_arg_scope, inception_v3_base

__getattr__ = missing(__name__)
