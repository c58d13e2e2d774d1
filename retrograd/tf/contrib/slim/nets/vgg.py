"""The names of ``tensorflow.contrib.slim.nets.vgg``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.vgg import vgg_16, vgg_19, vgg_a, vgg_arg_scope, vgg_d, vgg_e

__getattr__ = missing(__name__)
