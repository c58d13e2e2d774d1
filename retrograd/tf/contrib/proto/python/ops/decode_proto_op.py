"""The names of ``tensorflow.contrib.proto.python.ops.decode_proto_op``."""

from retrograd.faces import missing
from retrograd.ops.message_fields import decode_proto

__getattr__ = missing(__name__)
