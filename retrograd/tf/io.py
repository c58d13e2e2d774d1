"""The names of ``tensorflow.io``."""

from retrograd.faces import missing
from retrograd.ops.sparse_serialization import (
    deserialize_many_sparse,
    serialize_many_sparse,
    serialize_sparse,
)
from retrograd.ops.strings import decode_base64, encode_base64

__getattr__ = missing(__name__)
