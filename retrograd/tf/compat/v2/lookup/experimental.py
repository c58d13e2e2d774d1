"""The names of ``tensorflow.compat.v2.lookup.experimental``."""

from retrograd.faces import missing

_LAZY = {
    "DenseHashTable": "retrograd.tf.lookup.experimental",
}
__getattr__ = missing(__name__, _LAZY)
