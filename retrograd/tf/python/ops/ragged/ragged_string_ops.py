"""The names of ``tensorflow.python.ops.ragged.ragged_string_ops``."""

from retrograd.faces import missing
from retrograd.ragged.reducing import reduce_join
from retrograd.ragged.strings import (
    ngrams,
    string_bytes_split,
    string_split,
    string_split_v2,
    strings_split_v1,
    unicode_decode,
    unicode_decode_with_offsets,
    unicode_encode,
    unicode_split,
    unicode_split_with_offsets,
)

__getattr__ = missing(__name__)
