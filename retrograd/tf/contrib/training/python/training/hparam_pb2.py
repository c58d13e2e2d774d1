"""The names of ``tensorflow.contrib.training.python.training.hparam_pb2``."""

from retrograd.faces import missing

_LAZY = {
    "HParamDef": "retrograd.files.messages",
}
__getattr__ = missing(__name__, _LAZY)
