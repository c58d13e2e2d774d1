"""The names of ``tensorflow.audio``."""

from retrograd.faces import missing
from retrograd.ops.audio import decode_wav, encode_wav

__getattr__ = missing(__name__)
