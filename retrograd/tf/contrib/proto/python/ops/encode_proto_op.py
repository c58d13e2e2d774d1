"""The names of ``tensorflow.contrib.proto.python.ops.encode_proto_op``."""

from retrograd.faces import missing
from retrograd.ops.message_fields import encode_proto

__getattr__ = missing(__name__)
