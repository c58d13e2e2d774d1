"""The names of ``tensorflow.core.util.event_pb2``."""

from tensorboard.compat.proto.event_pb2 import *
from tensorboard.compat.proto.event_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
