"""The names of ``tensorflow.python.eager.core``."""

from retrograd.faces import missing

_LAZY = {
    "_FallbackException": "retrograd.run.c_calls",
    "_NotOkStatusException": "retrograd.run.c_calls",
    "_status_to_exception": "retrograd.run.c_calls",
}
__getattr__ = missing(__name__, _LAZY)
