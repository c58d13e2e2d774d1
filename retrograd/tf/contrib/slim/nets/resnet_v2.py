"""The names of ``tensorflow.contrib.slim.nets.resnet_v2``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.resnet_utils import resnet_arg_scope
from retrograd.nn.contrib.nets.resnet_v2 import (
    bottleneck,
    resnet_v2,
    resnet_v2_50,
    resnet_v2_101,
    resnet_v2_152,
    resnet_v2_200,
    resnet_v2_block,
)

__getattr__ = missing(__name__)
