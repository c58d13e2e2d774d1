"""The names of ``tensorflow.contrib.slim.nets.resnet_v1``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.resnet_utils import resnet_arg_scope
from retrograd.nn.contrib.nets.resnet_v1 import (
    bottleneck,
    resnet_v1,
    resnet_v1_50,
    resnet_v1_101,
    resnet_v1_152,
    resnet_v1_200,
    resnet_v1_block,
)

__getattr__ = missing(__name__)
