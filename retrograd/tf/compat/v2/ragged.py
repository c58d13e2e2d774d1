"""The names of ``tensorflow.compat.v2.ragged``."""

from retrograd.faces import missing
from retrograd.ragged.making import constant, map_flat_values
from retrograd.ragged.reducing import range_ as range
from retrograd.ragged.rows import boolean_mask, stack, stack_dynamic_partitions
from retrograd.ragged.splits import row_splits_to_segment_ids, segment_ids_to_row_splits

__getattr__ = missing(__name__)
