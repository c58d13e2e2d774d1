"""The names of ``tensorflow.core.framework.tensor_pb2``."""

from tensorboard.compat.proto.tensor_pb2 import *
from tensorboard.compat.proto.tensor_pb2 import DESCRIPTOR

from retrograd.faces import missing

_TENSORPROTO = DESCRIPTOR.message_types_by_name["TensorProto"]

__getattr__ = missing(__name__)
