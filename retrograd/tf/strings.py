"""The names of ``tensorflow.strings``."""

from retrograd.faces import missing
from retrograd.ops.printing import string_format as format
from retrograd.ops.segment_strings import unsorted_segment_join
from retrograd.ops.strings import (
    as_string,
    reduce_join,
    regex_full_match,
    regex_replace,
    split,
    substr,
)
from retrograd.ops.strings import (
    string_join as join,
)
from retrograd.ops.strings import (
    string_length as length,
)
from retrograd.ops.strings import (
    string_lower as lower,
)
from retrograd.ops.strings import (
    string_strip as strip,
)
from retrograd.ops.strings import (
    string_to_hash_bucket as to_hash_bucket,
)
from retrograd.ops.strings import (
    string_to_hash_bucket_fast as to_hash_bucket_fast,
)
from retrograd.ops.strings import (
    string_to_hash_bucket_strong as to_hash_bucket_strong,
)
from retrograd.ops.strings import (
    string_to_number as to_number,
)
from retrograd.ops.strings import (
    string_upper as upper,
)

__getattr__ = missing(__name__)
