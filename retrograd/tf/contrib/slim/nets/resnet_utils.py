"""The names of ``tensorflow.contrib.slim.nets.resnet_utils``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.resnet_utils import (
    Block,
    conv2d_same,
    resnet_arg_scope,
    stack_blocks_dense,
    subsample,
)

__getattr__ = missing(__name__)
