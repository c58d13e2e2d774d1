"""The names of ``tensorflow.python.ops.string_ops``."""

from retrograd.faces import missing
from retrograd.nn.second import substr as substr_v2
from retrograd.ops.printing import string_format
from retrograd.ops.segment_strings import unsorted_segment_join
from retrograd.ops.strings import reduce_join_v2, string_lower, string_split, string_split_v2, string_upper
from retrograd.ops.unicode import unicode_transcode
from retrograd.ragged.dispatching import (
    as_string,
    decode_base64,
    encode_base64,
    reduce_join,
    regex_full_match,
    regex_replace,
    string_join,
    string_length,
    string_strip,
    string_to_hash_bucket,
    string_to_hash_bucket_fast,
    string_to_hash_bucket_strong,
    string_to_number,
    substr,
    unicode_script,
)
from retrograd.ragged.dispatching import (
    string_to_hash_bucket as string_to_hash_bucket_v1,
)
from retrograd.ragged.dispatching import (
    string_to_number as string_to_number_v1,
)
from retrograd.ragged.dispatching import (
    substr as substr_deprecated,
)

__getattr__ = missing(__name__)
