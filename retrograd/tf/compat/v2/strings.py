"""The names of ``tensorflow.compat.v2.strings``."""

from retrograd.faces import missing
from retrograd.nn.second import string_to_hash_bucket as to_hash_bucket
from retrograd.nn.second import string_to_number as to_number
from retrograd.nn.second import substr
from retrograd.nn.second_sparse import length
from retrograd.ops.printing import string_format as format
from retrograd.ops.segment_strings import unsorted_segment_join
from retrograd.ops.strings import reduce_join_v2 as reduce_join
from retrograd.ops.strings import string_lower as lower
from retrograd.ops.strings import string_upper as upper
from retrograd.ops.unicode import unicode_transcode
from retrograd.ragged.dispatching import (
    as_string,
    regex_full_match,
    regex_replace,
    unicode_script,
)
from retrograd.ragged.dispatching import (
    string_join as join,
)
from retrograd.ragged.dispatching import (
    string_strip as strip,
)
from retrograd.ragged.dispatching import (
    string_to_hash_bucket_fast as to_hash_bucket_fast,
)
from retrograd.ragged.dispatching import (
    string_to_hash_bucket_strong as to_hash_bucket_strong,
)
from retrograd.ragged.strings import (
    ngrams,
    unicode_decode,
    unicode_decode_with_offsets,
    unicode_encode,
    unicode_split,
    unicode_split_with_offsets,
)
from retrograd.ragged.strings import (
    string_bytes_split as bytes_split,
)
from retrograd.ragged.strings import (
    string_split_v2 as split,
)

__getattr__ = missing(__name__)
