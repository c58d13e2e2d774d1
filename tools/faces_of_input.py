"""Where more names of ``tf.data`` come from; added to the table of ``faces_table``.  See ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve
from faces_table import EXTRA

SERVED = """
data.resampling | data.experimental contrib.data python.data.experimental.ops.resampling
    contrib.data.python.ops.resampling | rejection_resample
data.older | contrib.data contrib.data.python.ops.batching | assert_element_shape batch_and_drop_remainder
    padded_batch_and_drop_remainder
data.older | contrib.data contrib.data.python.ops.get_single_element | reduce_dataset
data.older | contrib.data contrib.data.python.ops.interleave_ops | sloppy_interleave
data.older | contrib.data contrib.data.python.ops.readers | read_batch_features
data.structures | data.experimental | TensorStructure SparseTensorStructure RaggedTensorStructure
    TensorArrayStructure
data.arguments | python.data.util.convert | optional_param_to_tensor partial_shape_to_tensor
data.older_structures | python.data.util.sparse | any_sparse as_dense_shapes as_dense_types
    deserialize_sparse_tensors get_classes serialize_many_sparse_tensors
    serialize_sparse_tensors
data.optionals | python.data.ops.optional_ops | OptionalSpec
data.optionals | data.experimental | OptionalSpec=OptionalStructure
data.dataset | data.experimental python.data.ops.dataset_ops | from_variant to_variant
data.dataset | python.data.ops.dataset_ops | AUTOTUNE
data.multi_device | python.data.ops.multi_device_iterator_ops | MultiDeviceIterator
data.statistics | data.experimental | StatsAggregator latency_stats bytes_produced_stats
data.statistics | python.data.experimental.ops.stats_aggregator | StatsAggregator StatsAggregator=StatsAggregatorV1
sessions.input_hooks | data.experimental contrib.data python.data.experimental.ops.iterator_ops
    contrib.data.python.ops.iterator_ops | CheckpointInputPipelineHook
"""
serve(SERVED)
HIDDEN.update((f"retrograd.data.{_file}", "*") for _file in ("older", "resampling", "arguments", "older_structures"))
HIDDEN.add(("retrograd.sessions.input_hooks", "*"))
HIDDEN.update(("retrograd.ops.example_values", _kind) for _kind in ("Dense", "Sparse"))  # kinds of features
EXTRA["contrib.data.python.ops.get_single_element"] = "from retrograd.data.experimental import get_single_element"
