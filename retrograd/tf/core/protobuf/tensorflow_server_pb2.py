"""The names of ``tensorflow.core.protobuf.tensorflow_server_pb2``."""

from retrograd.faces import missing

_LAZY = {
    "ServerDef": "retrograd.run.clusters",
}
__getattr__ = missing(__name__, _LAZY)
