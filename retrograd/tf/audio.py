"""The names of ``tensorflow.audio``."""

from retrograd.ops.audio import decode_wav, encode_wav

from retrograd.faces import missing

__getattr__ = missing(__name__)
