"""The names of ``tensorflow.python.ops.gen_parsing_ops``."""

from retrograd.faces import missing
from retrograd.ops.decoding import decode_compressed, decode_json_example, parse_tensor, serialize_tensor

__getattr__ = missing(__name__, raw=True)
