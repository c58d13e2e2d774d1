"""The names of ``tensorflow.contrib.slim.nets.inception``."""

from retrograd.faces import missing
from retrograd.nn.contrib.nets.inception import (
    inception_v1,
    inception_v1_arg_scope,
    inception_v1_base,
    inception_v2,
    inception_v2_arg_scope,
    inception_v2_base,
    inception_v3,
    inception_v3_arg_scope,
    inception_v3_base,
)

__getattr__ = missing(__name__)
