"""The names of ``tensorflow.python.ops.ragged.ragged_util``."""

from retrograd.faces import missing
from retrograd.ops.repeating import repeat_with_axis as repeat
from retrograd.ragged.splits import (
    convert_to_int_tensor,
    lengths_to_splits,
    repeat_ranges,
)
from retrograd.ragged.splits import (
    positive_axis as get_positive_axis,
)
from retrograd.ragged.splits import (
    same_splits as assert_splits_match,
)

__getattr__ = missing(__name__)
