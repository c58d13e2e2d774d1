"""The names of ``tensorflow.python.ops.ragged.segment_id_ops``."""

from retrograd.faces import missing
from retrograd.ragged.splits import row_splits_to_segment_ids, segment_ids_to_row_splits

__getattr__ = missing(__name__)
