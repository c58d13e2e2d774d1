"""The names of ``tensorflow.python.ops.parsing_ops``."""

from retrograd.faces import missing
from retrograd.ops.decoding import (
    decode_csv,
    decode_csv_v2,
    decode_json_example,
    decode_raw,
    parse_tensor,
    serialize_tensor,
)
from retrograd.ops.decoding import (
    decode_raw as decode_raw_v1,
)
from retrograd.ops.example_features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
)
from retrograd.ops.parsing import (
    parse_example,
    parse_example_v2,
    parse_single_example,
    parse_single_example_v2,
    parse_single_example_v2_unoptimized,
)
from retrograd.ops.sequence_parsing import parse_sequence_example, parse_single_sequence_example
from retrograd.ops.string_numbers import string_to_number
from retrograd.ragged.dispatching import decode_compressed

__getattr__ = missing(__name__)
