"""The names of ``tensorflow.contrib.slim.python.slim.nets.alexnet``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.vgg import alexnet_v2, alexnet_v2_arg_scope

__getattr__ = missing(__name__)
