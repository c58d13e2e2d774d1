"""The names of ``tensorflow.contrib.framework.python.ops.audio_ops``."""

from retrograd.ops.audio import decode_wav, encode_wav

from retrograd.faces import missing

__getattr__ = missing(__name__)
