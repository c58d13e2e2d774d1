"""The names of ``tensorflow.python.ops.data_flow_ops``."""

from retrograd.faces import missing
from retrograd.ops.accumulators import (
    ConditionalAccumulator,
    ConditionalAccumulatorBase,
    SparseConditionalAccumulator,
)
from retrograd.ops.barriers import Barrier
from retrograd.ops.map_staging import MapStagingArea
from retrograd.ops.queue_classes import (
    FIFOQueue,
    PaddingFIFOQueue,
    PriorityQueue,
    QueueBase,
    RandomShuffleQueue,
)
from retrograd.ops.record_input import RecordInput
from retrograd.ops.staging import StagingArea
from retrograd.ops.stitching import dynamic_stitch, parallel_dynamic_stitch
from retrograd.ops.tensor_arrays import tensor_array_grad_with_shape
from retrograd.ragged.dispatching import dynamic_partition

__getattr__ = missing(__name__)
