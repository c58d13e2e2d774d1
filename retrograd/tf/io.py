"""The names of ``tensorflow.io``."""

from retrograd.faces import missing
from retrograd.ops.strings import decode_base64, encode_base64

__getattr__ = missing(__name__)
