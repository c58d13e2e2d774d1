"""The names of ``tensorflow.python.ops.gen_string_ops``."""

from retrograd.faces import missing
from retrograd.ops.segment_strings import unsorted_segment_join
from retrograd.ops.string_numbers import as_string
from retrograd.ops.strings import (
    decode_base64,
    encode_base64,
    string_join,
    string_lower,
    string_strip,
    string_to_hash_bucket_fast,
    string_to_hash_bucket_strong,
    string_upper,
)
from retrograd.ops.unicode import unicode_script, unicode_transcode

__getattr__ = missing(__name__, raw=True)
