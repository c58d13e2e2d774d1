"""The names of ``tensorflow``."""

from retrograd.data.optionals import OptionalSpec
from retrograd.derivatives.hessians import hessians
from retrograd.derivatives.rowwise import vectorized_map
from retrograd.derivatives.tape import GradientTape
from retrograd.eager.context import (
    disable_eager_execution,
    disable_tensor_equality,
    disable_v2_behavior,
    disable_v2_tensorshape,
    enable_eager_execution,
    enable_v2_behavior,
    get_default_graph,
)
from retrograd.eager.python_functions import py_function
from retrograd.faces import missing
from retrograd.flow.array_specs import TensorArraySpec
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.grad.aggregation import AggregationMethod
from retrograd.grad.gradients import UnconnectedGradients, gradients
from retrograd.grad.registry import (
    NotDifferentiable,
    RegisterGradient,
)
from retrograd.grad.registry import (
    NotDifferentiable as NoGradient,
)
from retrograd.grad.registry import (
    NotDifferentiable as no_gradient,
)
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import (
    as_tensor_or_slices as convert_to_tensor_or_indexed_slices,
)
from retrograd.graph.convert import (
    convert_to_tensor,
    convert_to_tensor_or_sparse_tensor,
    register_tensor_conversion_function,
)
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.dtypes import (
    QUANTIZED_DTYPES,
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
from retrograd.graph.errors import OpError
from retrograd.graph.graph import Graph
from retrograd.graph.log import get_logger
from retrograd.graph.modes import (
    control_flow_v2_enabled,
    disable_control_flow_v2,
    enable_control_flow_v2,
    executing_eagerly,
    init_scope,
)
from retrograd.graph.operation import Operation
from retrograd.graph.protos import make_ndarray, make_tensor_proto
from retrograd.graph.scopes import (
    add_to_collection,
    add_to_collections,
    colocate_with,
    container,
    control_dependencies,
    device,
    get_collection,
    get_collection_ref,
    name_scope,
    op_scope,
)
from retrograd.graph.shapes import Dimension, TensorShape, dimension_at_index, dimension_value
from retrograd.graph.sparse import IndexedSlices, SparseTensor, SparseTensorValue
from retrograd.graph.specs import IndexedSlicesSpec, SparseTensorSpec, TensorSpec, TypeSpec
from retrograd.graph.stack import default_session as get_default_session
from retrograd.graph.stack import reset_default_graph
from retrograd.graph.static import get_static_value
from retrograd.graph.tensor import Tensor, is_tensor
from retrograd.graph.versions import (
    COMPILER_VERSION,
    CXX11_ABI_FLAG,
    GIT_VERSION,
    GRAPH_DEF_VERSION,
    GRAPH_DEF_VERSION_MIN_CONSUMER,
    GRAPH_DEF_VERSION_MIN_PRODUCER,
    MONOLITHIC_BUILD,
    VERSION,
)
from retrograd.graph.versions import (
    COMPILER_VERSION as __compiler_version__,
)
from retrograd.graph.versions import (
    CXX11_ABI_FLAG as __cxx11_abi_flag__,
)
from retrograd.graph.versions import (
    GIT_VERSION as __git_version__,
)
from retrograd.graph.versions import (
    MONOLITHIC_BUILD as __monolithic_build__,
)
from retrograd.graph.versions import (
    VERSION as __version__,
)
from retrograd.io.importing import import_graph_def
from retrograd.io.lookup import initialize_all_tables, tables_initializer
from retrograd.io.modules import Module
from retrograd.io.native_libraries import load_file_system_library, load_library, load_op_library
from retrograd.nn.functional import foldl, foldr, map_fn, scan
from retrograd.ops import operators
from retrograd.ops.accumulators import (
    ConditionalAccumulator,
    ConditionalAccumulatorBase,
    SparseConditionalAccumulator,
)
from retrograd.ops.arithmetic import floor_div, scalar_mul
from retrograd.ops.arrays import (
    bitcast,
    ensure_shape,
    guarantee_const,
    identity_n,
    reshape,
    shape,
    shape_n,
    stop_gradient,
)
from retrograd.ops.asserts import Assert, add_check_numerics_ops, verify_tensor_all_finite
from retrograd.ops.blocks import (
    batch_to_space,
    batch_to_space_nd,
    depth_to_space,
    required_space_to_batch_paddings,
    space_to_batch,
    space_to_batch_nd,
    space_to_depth,
)
from retrograd.ops.cases import case, switch_case
from retrograd.ops.casts import (
    to_bfloat16,
    to_complex64,
    to_complex128,
    to_double,
    to_float,
    to_int32,
    to_int64,
)
from retrograd.ops.checks import (
    assert_equal,
    assert_greater,
    assert_greater_equal,
    assert_integer,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_negative,
    assert_non_negative,
    assert_non_positive,
    assert_none_equal,
    assert_positive,
    assert_proper_iterable,
    assert_same_float_dtype,
    assert_type,
    is_non_decreasing,
    is_numeric_tensor,
    is_strictly_increasing,
)
from retrograd.ops.clipping import clip_by_average_norm, clip_by_global_norm, clip_by_norm, global_norm
from retrograd.ops.clock import timestamp
from retrograd.ops.comparison import where_v2
from retrograd.ops.conditions import cond
from retrograd.ops.confusion import confusion_matrix
from retrograd.ops.constants import (
    constant,
    fill,
    ones,
    placeholder,
    placeholder_with_default,
    zeros,
)
from retrograd.ops.constants import (
    range_ as range,
)
from retrograd.ops.contraction import einsum, tensordot, trace
from retrograd.ops.control import group, no_op
from retrograd.ops.control import tuple_ as tuple
from retrograd.ops.decoding import (
    decode_csv,
    decode_json_example,
    parse_tensor,
    serialize_tensor,
)
from retrograd.ops.decoding import (
    decode_raw_v1 as decode_raw,
)
from retrograd.ops.diagonals import (
    diag,
    diag_part,
    matrix_band_part,
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
)
from retrograd.ops.distances import edit_distance
from retrograd.ops.example_features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
)
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.fake_quantization import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel,
    fake_quant_with_min_max_vars_per_channel_gradient,
)
from retrograd.ops.fingerprints import fingerprint
from retrograd.ops.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from retrograd.ops.grids import eye, linspace, meshgrid, sequence_mask
from retrograd.ops.grids import linspace as lin_space
from retrograd.ops.host import numpy_function, py_func
from retrograd.ops.indexing import boolean_mask
from retrograd.ops.joining import parallel_stack, split, unstack
from retrograd.ops.matrices import cross, matmul, sparse_matmul
from retrograd.ops.matrix_functions import matrix_square_root
from retrograd.ops.norms import norm
from retrograd.ops.orthogonal import qr
from retrograd.ops.padding import pad
from retrograd.ops.parsing import parse_example, parse_single_example
from retrograd.ops.patches import extract_image_patches, extract_volume_patches
from retrograd.ops.permuting import (
    invert_permutation,
    matrix_transpose,
    reverse,
    reverse_sequence,
    roll,
    transpose,
)
from retrograd.ops.permuting import (
    reverse as reverse_v2,
)
from retrograd.ops.printing import Print
from retrograd.ops.printing import print_ as print
from retrograd.ops.quantized import dequantize, quantize, quantize_v2, quantized_concat
from retrograd.ops.queue_classes import (
    FIFOQueue,
    PaddingFIFOQueue,
    PriorityQueue,
    QueueBase,
    RandomShuffleQueue,
)
from retrograd.ops.random import (
    get_seed,
    multinomial,
    random_crop,
    random_normal,
    random_shuffle,
    random_uniform,
    set_random_seed,
    truncated_normal,
)
from retrograd.ops.ranking import arg_max, arg_min, argmax, argmin
from retrograd.ops.readers import (
    FixedLengthRecordReader,
    IdentityReader,
    LMDBReader,
    ReaderBase,
    TextLineReader,
    TFRecordReader,
    WholeFileReader,
)
from retrograd.ops.reductions import count_nonzero, reduce_logsumexp
from retrograd.ops.repeating import broadcast_dynamic_shape, broadcast_static_shape, broadcast_to, repeat
from retrograd.ops.scans import cumprod, cumsum
from retrograd.ops.scattering import (
    scatter_nd,
    tensor_scatter_add,
    tensor_scatter_sub,
    tensor_scatter_update,
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
from retrograd.ops.scatters import (
    batch_scatter_update,
    scatter_add,
    scatter_div,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_nd_add,
    scatter_nd_sub,
    scatter_nd_update,
    scatter_sub,
    scatter_update,
)
from retrograd.ops.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    sparse_segment_mean,
    sparse_segment_sqrt_n,
    sparse_segment_sum,
)
from retrograd.ops.sequence_parsing import parse_single_sequence_example
from retrograd.ops.session_tensors import delete_session_tensor, get_session_handle, get_session_tensor
from retrograd.ops.shape_checks import assert_rank, assert_rank_at_least, assert_rank_in, assert_scalar
from retrograd.ops.slicing import newaxis, strided_slice
from retrograd.ops.slicing import slice_ as slice
from retrograd.ops.solving import (
    cholesky,
    cholesky_solve,
    matrix_determinant,
    matrix_inverse,
    matrix_solve,
    matrix_solve_ls,
    matrix_triangular_solve,
)
from retrograd.ops.sorting import argsort, searchsorted, sort, unravel_index
from retrograd.ops.sparse import (
    sparse_mask,
    sparse_placeholder,
    sparse_reorder,
    sparse_reset_shape,
    sparse_reshape,
    sparse_retain,
    sparse_tensor_to_dense,
    sparse_to_dense,
    sparse_transpose,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_add,
    sparse_maximum,
    sparse_minimum,
    sparse_softmax,
    sparse_tensor_dense_matmul,
)
from retrograd.ops.sparse_joining import (
    sparse_concat,
    sparse_fill_empty_rows,
    sparse_merge,
    sparse_slice,
    sparse_split,
    sparse_to_indicator,
)
from retrograd.ops.sparse_reductions import (
    sparse_reduce_max,
    sparse_reduce_max_sparse,
    sparse_reduce_sum,
    sparse_reduce_sum_sparse,
)
from retrograd.ops.sparse_serialization import (
    deserialize_many_sparse,
    serialize_many_sparse,
    serialize_sparse,
)
from retrograd.ops.special import betainc, igamma, igammac, lbeta, polygamma, zeta
from retrograd.ops.spectra import self_adjoint_eig, self_adjoint_eigvals, svd
from retrograd.ops.state import assign, assign_add, assign_sub, count_up_to
from retrograd.ops.stitching import dynamic_stitch
from retrograd.ops.sums import accumulate_n
from retrograd.ops.trigonometry import tanh
from retrograd.ops.uniqueness import (
    bincount,
    histogram_fixed_width,
    histogram_fixed_width_bins,
    setdiff1d,
    unique,
    unique_with_counts,
)
from retrograd.ops.variates import random_gamma, random_poisson
from retrograd.ops.whole_files import matching_files, read_file, write_file
from retrograd.ragged.dispatching import (
    abs_ as abs,
)
from retrograd.ragged.dispatching import (
    acos,
    acosh,
    add,
    add_n,
    angle,
    as_string,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    batch_gather,
    cast,
    ceil,
    check_numerics,
    clip_by_value,
    concat,
    conj,
    cos,
    cosh,
    decode_base64,
    decode_compressed,
    digamma,
    div,
    div_no_nan,
    divide,
    dynamic_partition,
    encode_base64,
    equal,
    erf,
    erfc,
    exp,
    expand_dims,
    expm1,
    floor,
    floordiv,
    floormod,
    gather,
    gather_nd,
    greater,
    greater_equal,
    identity,
    imag,
    is_finite,
    is_inf,
    is_nan,
    less,
    less_equal,
    lgamma,
    log,
    log1p,
    log_sigmoid,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    negative,
    not_equal,
    one_hot,
    ones_like,
    rank,
    real,
    reciprocal,
    reduce_all,
    reduce_any,
    reduce_join,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    regex_replace,
    rint,
    rsqrt,
    saturate_cast,
    sign,
    sin,
    sinh,
    size,
    sqrt,
    square,
    squared_difference,
    squeeze,
    stack,
    string_join,
    string_strip,
    string_to_hash_bucket,
    string_to_hash_bucket_fast,
    string_to_hash_bucket_strong,
    string_to_number,
    substr,
    subtract,
    tan,
    tile,
    truediv,
    truncatediv,
    truncatemod,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
    where,
    zeros_like,
)
from retrograd.ragged.dispatching import (
    complex_ as complex,
)
from retrograd.ragged.dispatching import (
    floormod as mod,
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
from retrograd.ragged.strings import string_split
from retrograd.ragged.tensor import RaggedTensor
from retrograd.run.session import InteractiveSession, Session
from retrograd.state.batched_calls import batch_function as nondifferentiable_batch_function
from retrograd.state.critical_sections import CriticalSection
from retrograd.state.custom_gradient import custom_gradient, grad_pass_through, recompute_grad
from retrograd.state.initialization import (
    all_variables,
    assert_variables_initialized,
    global_variables,
    global_variables_initializer,
    initialize_all_variables,
    initialize_local_variables,
    initialize_variables,
    is_variable_initialized,
    local_variables,
    local_variables_initializer,
    model_variables,
    moving_average_variables,
    report_uninitialized_variables,
    trainable_variables,
    variables_initializer,
)
from retrograd.state.initializers import (
    Constant as constant_initializer,
)
from retrograd.state.initializers import (
    GlorotNormal as glorot_normal_initializer,
)
from retrograd.state.initializers import (
    GlorotUniform as glorot_uniform_initializer,
)
from retrograd.state.initializers import (
    Ones as ones_initializer,
)
from retrograd.state.initializers import (
    RandomNormal as random_normal_initializer,
)
from retrograd.state.initializers import (
    RandomUniform as random_uniform_initializer,
)
from retrograd.state.initializers import (
    TruncatedNormal as truncated_normal_initializer,
)
from retrograd.state.initializers import (
    UniformUnitScaling as uniform_unit_scaling_initializer,
)
from retrograd.state.initializers import (
    VarianceScaling as variance_scaling_initializer,
)
from retrograd.state.initializers import (
    Zeros as zeros_initializer,
)
from retrograd.state.inlining import function
from retrograd.state.orthogonal import Orthogonal as orthogonal_initializer
from retrograd.state.partitioned import (
    create_partitioned_variables,
    fixed_size_partitioner,
    min_max_variable_partitioner,
    variable_axis_size_partitioner,
)
from retrograd.state.resource import (
    disable_resource_variables,
    enable_resource_variables,
    resource_variables_enabled,
)
from retrograd.state.scopes import (
    VariableScope,
    get_local_variable,
    get_variable,
    get_variable_scope,
    no_regularizer,
    variable_op_scope,
    variable_scope,
)
from retrograd.state.template import make_template
from retrograd.state.variable_store import AUTO_REUSE
from retrograd.state.variables import (
    Variable,
    VariableAggregation,
    VariableSynchronization,
    variable_creator_scope,
)
from retrograd.state.wrapping import wrap_function

_LAZY = {
    "AttrValue": "tensorboard.compat.proto.attr_value_pb2",
    "ConfigProto": "tensorboard.compat.proto.config_pb2",
    "Event": "tensorboard.compat.proto.event_pb2",
    "GPUOptions": "tensorboard.compat.proto.config_pb2",
    "GraphDef": "tensorboard.compat.proto.graph_pb2",
    "GraphOptions": "tensorboard.compat.proto.config_pb2",
    "HistogramProto": "tensorboard.compat.proto.summary_pb2",
    "LogMessage": "tensorboard.compat.proto.event_pb2",
    "MetaGraphDef": "tensorboard.compat.proto.meta_graph_pb2",
    "NameAttrList": "tensorboard.compat.proto.attr_value_pb2",
    "NodeDef": "tensorboard.compat.proto.node_def_pb2",
    "OptimizerOptions": "tensorboard.compat.proto.config_pb2",
    "RunMetadata": "tensorboard.compat.proto.config_pb2",
    "RunOptions": "tensorboard.compat.proto.config_pb2",
    "SessionLog": "tensorboard.compat.proto.event_pb2",
    "Summary": "tensorboard.compat.proto.summary_pb2",
    "SummaryMetadata": "tensorboard.compat.proto.summary_pb2",
    "TensorInfo": "tensorboard.compat.proto.meta_graph_pb2",
    "pywrap_tensorflow": "retrograd.tf.python",
}
__getattr__ = missing(__name__, _LAZY)
