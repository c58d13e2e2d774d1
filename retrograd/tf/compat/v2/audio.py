"""The names of ``tensorflow.compat.v2.audio``."""

from retrograd.faces import missing

_LAZY = {
    "decode_wav": "retrograd.tf.audio",
    "encode_wav": "retrograd.tf.audio",
}
__getattr__ = missing(__name__, _LAZY)
