"""The names of ``tensorflow.compat.v2``."""

from retrograd.data.optionals import OptionalSpec
from retrograd.derivatives.hessians import hessians_v2 as hessians
from retrograd.derivatives.rowwise import vectorized_map
from retrograd.derivatives.tape import GradientTape
from retrograd.eager.context import enable_v2_behavior
from retrograd.eager.python_functions import py_function
from retrograd.faces import missing
from retrograd.flow.array_specs import TensorArraySpec
from retrograd.flow.tensor_array import TensorArray
from retrograd.grad.aggregation import AggregationMethod
from retrograd.grad.gradients import UnconnectedGradients
from retrograd.grad.registry import NotDifferentiable as no_gradient
from retrograd.grad.registry import RegisterGradient
from retrograd.graph.convert import register_tensor_conversion_function
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    qint8,
    qint16,
    qint32,
    quint8,
    quint16,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from retrograd.graph.graph import Graph
from retrograd.graph.log import get_logger
from retrograd.graph.modes import executing_eagerly, init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.protos import make_ndarray, make_tensor_proto
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.scopes import name_scope_v2 as name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import IndexedSlices, SparseTensor
from retrograd.graph.specs import IndexedSlicesSpec, SparseTensorSpec, TensorSpec, TypeSpec
from retrograd.graph.static import get_static_value
from retrograd.graph.tensor import Tensor, is_tensor
from retrograd.io.importing import import_graph_def
from retrograd.io.modules import Module
from retrograd.io.native_libraries import load_library, load_op_library
from retrograd.nn.functional import foldl, foldr, map_fn, scan
from retrograd.nn.second import (
    argmax,
    argmin,
    assert_equal,
    assert_greater,
    assert_less,
    assert_rank,
    boolean_mask,
    case,
    cond,
    convert_to_tensor,
    device,
    expand_dims,
    gather,
    gather_nd,
    gradients,
    norm,
    ones_like,
    pad,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    reverse_sequence,
    scalar_mul,
    shape,
    size,
    squeeze,
    transpose,
    while_loop,
    zeros_like,
)
from retrograd.nn.second import (
    tuple_ as tuple,
)
from retrograd.nn.second_networks import batch_to_space, space_to_batch
from retrograd.ops.arrays import (
    bitcast,
    ensure_shape,
    guarantee_const,
    identity_n,
    reshape,
    shape_n,
    stop_gradient,
)
from retrograd.ops.asserts import Assert
from retrograd.ops.blocks import required_space_to_batch_paddings, space_to_batch_nd
from retrograd.ops.cases import switch_case
from retrograd.ops.clipping import clip_by_global_norm, clip_by_norm
from retrograd.ops.clock import timestamp
from retrograd.ops.comparison import where_v2 as where
from retrograd.ops.constants import constant_v2 as constant
from retrograd.ops.constants import fill, ones, zeros
from retrograd.ops.constants import range_ as range
from retrograd.ops.contraction import einsum, tensordot
from retrograd.ops.control import group, no_op
from retrograd.ops.distances import edit_distance
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.fingerprints import fingerprint
from retrograd.ops.grids import eye, linspace, meshgrid, sequence_mask
from retrograd.ops.host import numpy_function
from retrograd.ops.joining import parallel_stack, split, unstack
from retrograd.ops.matrices import matmul
from retrograd.ops.matrix_functions import matrix_square_root
from retrograd.ops.patches import extract_volume_patches
from retrograd.ops.permuting import reverse, roll
from retrograd.ops.printing import print_ as print
from retrograd.ops.repeating import broadcast_dynamic_shape, broadcast_static_shape, broadcast_to, repeat
from retrograd.ops.scans import cumsum
from retrograd.ops.scattering import (
    scatter_nd,
)
from retrograd.ops.scattering import (
    tensor_scatter_add as tensor_scatter_nd_add,
)
from retrograd.ops.scattering import (
    tensor_scatter_sub as tensor_scatter_nd_sub,
)
from retrograd.ops.scattering import (
    tensor_scatter_update as tensor_scatter_nd_update,
)
from retrograd.ops.slicing import newaxis, strided_slice
from retrograd.ops.slicing import slice_ as slice
from retrograd.ops.sorting import argsort, searchsorted, sort, unravel_index
from retrograd.ops.stitching import dynamic_stitch
from retrograd.ops.trigonometry import tanh
from retrograd.ops.uniqueness import (
    histogram_fixed_width,
    histogram_fixed_width_bins,
    unique,
    unique_with_counts,
)
from retrograd.ragged.dispatching import (
    abs_ as abs,
)
from retrograd.ragged.dispatching import (
    acos,
    acosh,
    add,
    add_n,
    as_string,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cast,
    clip_by_value,
    concat,
    cos,
    cosh,
    divide,
    dynamic_partition,
    equal,
    exp,
    floor,
    greater,
    greater_equal,
    identity,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    multiply,
    negative,
    not_equal,
    one_hot,
    rank,
    saturate_cast,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    stack,
    subtract,
    tan,
    tile,
    truediv,
    truncatediv,
    truncatemod,
)
from retrograd.ragged.dispatching import (
    complex_ as complex,
)
from retrograd.ragged.dispatching import (
    pow_ as pow,
)
from retrograd.ragged.dispatching import (
    real_div as realdiv,
)
from retrograd.ragged.dispatching import (
    round_ as round,
)
from retrograd.ragged.specs import RaggedTensorSpec
from retrograd.ragged.tensor import RaggedTensor
from retrograd.state.batched_calls import batch_function as nondifferentiable_batch_function
from retrograd.state.critical_sections import CriticalSection
from retrograd.state.custom_gradient import custom_gradient, grad_pass_through, recompute_grad
from retrograd.state.inlining import function
from retrograd.state.second_initializers import (
    Constant as constant_initializer,
)
from retrograd.state.second_initializers import (
    Ones as ones_initializer,
)
from retrograd.state.second_initializers import (
    RandomNormal as random_normal_initializer,
)
from retrograd.state.second_initializers import (
    RandomUniform as random_uniform_initializer,
)
from retrograd.state.second_initializers import (
    Zeros as zeros_initializer,
)
from retrograd.state.variables import (
    VariableAggregationV2 as VariableAggregation,
)
from retrograd.state.variables import (
    VariableSynchronization,
    variable_creator_scope,
)
from retrograd.state.variables import (
    VariableV2 as Variable,
)

_LAZY = {
    "initializers": "retrograd.tf.compat.v2.keras",
    "losses": "retrograd.tf.compat.v2.keras",
    "metrics": "retrograd.tf.compat.v2.keras",
    "optimizers": "retrograd.tf.compat.v2.keras",
    "raw_ops": "retrograd.tf",
}
__getattr__ = missing(__name__, _LAZY)
