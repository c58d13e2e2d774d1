"""The names of ``tensorflow.core.protobuf.config_pb2``."""

from tensorboard.compat.proto.config_pb2 import *
from tensorboard.compat.proto.config_pb2 import DESCRIPTOR
from tensorboard.compat.proto.rpc_options_pb2 import RPCOptions

from retrograd.faces import missing

__getattr__ = missing(__name__)
