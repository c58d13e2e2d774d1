"""The names of ``tensorflow.python.training.server_lib``."""

from retrograd.faces import missing
from retrograd.run.clusters import ClusterSpec, Server

_LAZY = {
    "ServerDef": "retrograd.run.clusters",
}
__getattr__ = missing(__name__, _LAZY)
