"""The names of ``tensorflow.python.ops.gen_data_flow_ops``."""

from retrograd.faces import missing
from retrograd.ops.stitching import dynamic_partition, dynamic_stitch, parallel_dynamic_stitch
from retrograd.ops.tensor_arrays import tensor_array_grad_with_shape

__getattr__ = missing(__name__, raw=True)
