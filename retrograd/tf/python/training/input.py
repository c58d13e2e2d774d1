"""The names of ``tensorflow.python.training.input``."""

from retrograd.faces import missing
from retrograd.train.input import (
    _as_original_type,
    _as_tensor_list,
    _as_tensor_list_list,
    batch,
    batch_join,
    input_producer,
    limit_epochs,
    match_filenames_once,
    maybe_batch,
    maybe_batch_join,
    maybe_shuffle_batch,
    maybe_shuffle_batch_join,
    range_input_producer,
    shuffle_batch,
    shuffle_batch_join,
    slice_input_producer,
    string_input_producer,
)

__getattr__ = missing(__name__)
