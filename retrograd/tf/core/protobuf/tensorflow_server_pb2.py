"""The names of ``tensorflow.core.protobuf.tensorflow_server_pb2``."""

from retrograd.faces import missing
from retrograd.run.clusters import ServerDef

__getattr__ = missing(__name__)
