"""The names of ``tensorflow.compat.v2.data.experimental``."""

from retrograd.data.dataset import (
    AUTOTUNE,
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    from_variant,
    to_variant,
)
from retrograd.data.experimental import (
    Reducer,
    TFRecordWriter,
    bucket_by_sequence_length,
    cardinality,
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
    shuffle_and_repeat,
    take_while,
    unbatch,
    unique,
)
from retrograd.data.folding import scan
from retrograd.data.iterators import get_structure
from retrograd.data.optionals import Optional, get_next_as_optional
from retrograd.data.options import (
    DistributeOptions,
    MapVectorizationOptions,
    OptimizationOptions,
    StatsOptions,
    ThreadingOptions,
)
from retrograd.data.resampling import rejection_resample
from retrograd.data.statistics import bytes_produced_stats, latency_stats
from retrograd.faces import missing
from retrograd.io.saved_iterators import make_saveable_from_iterator
from retrograd.sessions.input_hooks import CheckpointInputPipelineHook

_LAZY = {
    "Counter": "retrograd.tf.data.experimental",
    "CsvDataset": "retrograd.tf.data.experimental",
    "RandomDataset": "retrograd.tf.data.experimental",
    "SqlDataset": "retrograd.tf.data.experimental",
    "choose_from_datasets": "retrograd.tf.data.experimental",
    "make_batched_features_dataset": "retrograd.tf.data.experimental",
    "make_csv_dataset": "retrograd.tf.data.experimental",
    "sample_from_datasets": "retrograd.tf.data.experimental",
}
__getattr__ = missing(__name__, _LAZY)
