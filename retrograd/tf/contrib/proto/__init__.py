"""The names of ``tensorflow.contrib.proto``."""

from retrograd.faces import missing
from retrograd.ops.message_fields import decode_proto, encode_proto

__getattr__ = missing(__name__)
