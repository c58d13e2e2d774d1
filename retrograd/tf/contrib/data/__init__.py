"""The names of ``tensorflow.contrib.data``."""

from retrograd.data.dataset import AUTOTUNE
from retrograd.data.experimental import (
    Counter,
    RandomDataset,
    Reducer,
    TFRecordWriter,
    bucket_by_sequence_length,
    cardinality,
    choose_from_datasets,
    copy_to_device,
    dense_to_sparse_batch,
    enumerate_dataset,
    get_single_element,
    group_by_reducer,
    group_by_window,
    ignore_errors,
    map_and_batch,
    parallel_interleave,
    parse_example_dataset,
    prefetch_to_device,
    sample_from_datasets,
    shuffle_and_repeat,
    sliding_window_batch,
    take_while,
    unbatch,
    unique,
)
from retrograd.data.folding import scan
from retrograd.data.older import (
    assert_element_shape,
    batch_and_drop_remainder,
    padded_batch_and_drop_remainder,
    read_batch_features,
    reduce_dataset,
    sloppy_interleave,
)
from retrograd.data.optionals import Optional, get_next_as_optional
from retrograd.data.readers import CsvDataset, LMDBDataset
from retrograd.data.resampling import rejection_resample
from retrograd.data.tables import SqlDataset, make_batched_features_dataset, make_csv_dataset
from retrograd.faces import missing
from retrograd.io.saved_iterators import make_saveable_from_iterator
from retrograd.sessions.input_hooks import CheckpointInputPipelineHook

__getattr__ = missing(__name__)
