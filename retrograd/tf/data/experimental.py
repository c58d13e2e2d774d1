"""The names of ``tensorflow.data.experimental``."""

from retrograd.data.dataset import (
    AUTOTUNE,
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    from_variant,
    to_variant,
)
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
from retrograd.data.experimental import (
    map_and_batch as map_and_batch_with_legacy_function,
)
from retrograd.data.folding import scan
from retrograd.data.iterators import get_structure
from retrograd.data.optionals import Optional, get_next_as_optional
from retrograd.data.optionals import OptionalSpec as OptionalStructure
from retrograd.data.options import (
    DistributeOptions,
    MapVectorizationOptions,
    OptimizationOptions,
    StatsOptions,
    ThreadingOptions,
)
from retrograd.data.readers import CsvDataset
from retrograd.data.resampling import rejection_resample
from retrograd.data.statistics import StatsAggregator, bytes_produced_stats, latency_stats
from retrograd.data.structures import (
    DatasetSpec as DatasetStructure,
)
from retrograd.data.structures import (
    RaggedTensorStructure,
    SparseTensorStructure,
    TensorArrayStructure,
    TensorStructure,
)
from retrograd.data.tables import SqlDataset, make_batched_features_dataset, make_csv_dataset
from retrograd.faces import missing
from retrograd.graph.specs import TypeSpec as Structure
from retrograd.io.saved_iterators import make_saveable_from_iterator
from retrograd.sessions.input_hooks import CheckpointInputPipelineHook

__getattr__ = missing(__name__)
