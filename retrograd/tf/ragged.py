"""The names of ``tensorflow.ragged``."""

from retrograd.faces import missing
from retrograd.ragged.making import constant, constant_value, map_flat_values, placeholder
from retrograd.ragged.reducing import range_ as range
from retrograd.ragged.rows import boolean_mask, stack, stack_dynamic_partitions
from retrograd.ragged.splits import row_splits_to_segment_ids, segment_ids_to_row_splits
from retrograd.ragged.values import RaggedTensorValue

__getattr__ = missing(__name__)
