"""The names of ``tensorflow.core.framework.tensor_description_pb2``."""

from tensorboard.compat.proto.tensor_description_pb2 import *
from tensorboard.compat.proto.tensor_description_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
