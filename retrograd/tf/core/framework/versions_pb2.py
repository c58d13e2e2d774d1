"""The names of ``tensorflow.core.framework.versions_pb2``."""

from tensorboard.compat.proto.versions_pb2 import *
from tensorboard.compat.proto.versions_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
