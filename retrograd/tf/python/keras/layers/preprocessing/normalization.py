"""The names of ``tensorflow.python.keras.layers.preprocessing.normalization``."""

from retrograd.faces import missing

_LAZY = {
    "Normalization": "retrograd.keras.layers.adapting",
}
__getattr__ = missing(__name__, _LAZY)
