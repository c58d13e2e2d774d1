"""The names of ``tensorflow.contrib.slim.python.slim.nets.overfeat``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.vgg import overfeat, overfeat_arg_scope

__getattr__ = missing(__name__)
