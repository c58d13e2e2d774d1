"""The names of ``tensorflow.python.ops.standard_ops``."""

from retrograd.derivatives.hessians import hessians
from retrograd.derivatives.rowwise import vectorized_map
from retrograd.derivatives.tape import GradientTape
from retrograd.faces import missing
from retrograd.flow.array_specs import TensorArraySpec
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray, build_ta_with_new_flow
from retrograd.grad.aggregation import AggregationMethod
from retrograd.grad.functions import Gradient, symbolic_gradient
from retrograd.grad.gradients import UnconnectedGradients, gradients
from retrograd.graph.deprecation import deprecated, deprecated_arg_values, deprecated_args
from retrograd.nn.functional import foldl, foldr, scan
from retrograd.nn.second import (
    pad as pad_v2,
)
from retrograd.nn.second import (
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    string_to_hash_bucket,
    string_to_number,
)
from retrograd.ops.accumulators import (
    ConditionalAccumulator,
    ConditionalAccumulatorBase,
    SparseConditionalAccumulator,
)
from retrograd.ops.arithmetic import (
    add_v2,
    floor_div,
    multiply_no_nan,
    real_div,
    scalar_mul,
)
from retrograd.ops.arithmetic import (
    multiply as mul,
)
from retrograd.ops.arithmetic import (
    real_div as realdiv,
)
from retrograd.ops.arrays import (
    bitcast,
    guarantee_const,
    identity_n,
    prevent_gradient,
    rank_internal,
    ref_identity,
    reshape,
    shape,
    shape_internal,
    shape_n,
    size_internal,
    snapshot,
    stop_gradient,
)
from retrograd.ops.asserts import Assert, add_check_numerics_ops, verify_tensor_all_finite
from retrograd.ops.barriers import Barrier
from retrograd.ops.blocks import (
    batch_to_space,
    batch_to_space_nd,
    depth_to_space,
    required_space_to_batch_paddings,
    space_to_batch,
    space_to_batch_nd,
    space_to_depth,
)
from retrograd.ops.cases import case
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
from retrograd.ops.comparison import approximate_equal, bucketize, where_v2
from retrograd.ops.conditions import cond
from retrograd.ops.constants import fill, ones, placeholder, placeholder_with_default, zeros
from retrograd.ops.constants import range_ as range
from retrograd.ops.contraction import tensordot, trace
from retrograd.ops.control import group, no_op
from retrograd.ops.control import tuple_ as tuple
from retrograd.ops.decoding import (
    decode_csv,
    decode_json_example,
    parse_tensor,
    serialize_tensor,
)
from retrograd.ops.decoding import (
    decode_raw as decode_raw_v1,
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
from retrograd.ops.exponentials import sigmoid, xdivy, xlogy
from retrograd.ops.fake_quantization import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel,
    fake_quant_with_min_max_vars_per_channel_gradient,
    quantize_and_dequantize,
)
from retrograd.ops.fingerprints import fingerprint
from retrograd.ops.grids import eye, linspace, meshgrid, sequence_mask
from retrograd.ops.grids import linspace as lin_space
from retrograd.ops.host import py_func
from retrograd.ops.indexing import batch_gather_nd, boolean_mask
from retrograd.ops.inplace import empty, inplace_add, inplace_sub, inplace_update
from retrograd.ops.joining import parallel_stack, split, unstack
from retrograd.ops.matrices import cross, matmul, matvec, sparse_matmul
from retrograd.ops.matrices import sparse_matmul as sparse_mat_mul
from retrograd.ops.matrix_functions import logm as matrix_logarithm
from retrograd.ops.matrix_functions import matrix_exponential, matrix_square_root
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
from retrograd.ops.pivoting import lu
from retrograd.ops.powers import polyval, reciprocal_no_nan
from retrograd.ops.printing import Print, string_format
from retrograd.ops.quantized import dequantize, quantize, quantize_v2, quantized_concat
from retrograd.ops.queue_classes import (
    FIFOQueue,
    PaddingFIFOQueue,
    PriorityQueue,
    QueueBase,
    RandomShuffleQueue,
)
from retrograd.ops.random import (
    categorical,
    multinomial,
    random_crop,
    random_normal,
    random_shuffle,
    random_uniform,
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
from retrograd.ops.record_input import RecordInput
from retrograd.ops.reductions import (
    count_nonzero,
    reduce_euclidean_norm,
    reduce_std,
    reduce_variance,
    reduced_shape,
)
from retrograd.ops.reductions import (
    reduce_logsumexp as reduce_logsumexp_v1,
)
from retrograd.ops.repeating import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
    broadcast_to,
    repeat,
    repeat_with_axis,
)
from retrograd.ops.resources import count_up_to
from retrograd.ops.rounding import nextafter
from retrograd.ops.rounding import nextafter as next_after
from retrograd.ops.saving import (
    merge_v2_checkpoints,
    restore_v2,
    save_slices,
    save_v2,
    sharded_filename,
    sharded_filespec,
)
from retrograd.ops.scans import cumprod, cumsum, cumulative_logsumexp
from retrograd.ops.scattering import (
    scatter_nd,
    scatter_nd_non_aliasing_add,
    tensor_scatter_add,
    tensor_scatter_sub,
    tensor_scatter_update,
)
from retrograd.ops.scatters import (
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
from retrograd.ops.segment_strings import unsorted_segment_join
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
from retrograd.ops.session_tensors import (
    TensorHandle,
    delete_session_tensor,
    get_session_handle,
    get_session_tensor,
)
from retrograd.ops.shape_checks import (
    assert_rank,
    assert_rank_at_least,
    assert_rank_in,
    assert_scalar,
    assert_shapes,
)
from retrograd.ops.slicing import slice_ as slice
from retrograd.ops.slicing import strided_slice, strided_slice_assign, strided_slice_grad
from retrograd.ops.solving import (
    cholesky,
    cholesky_solve,
    log_matrix_determinant,
    matrix_determinant,
    matrix_inverse,
    matrix_solve,
    matrix_solve_ls,
    matrix_triangular_solve,
)
from retrograd.ops.sorting import argsort, searchsorted, sort, unravel_index
from retrograd.ops.sparse import (
    from_dense,
    sparse_expand_dims,
    sparse_eye,
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
    sparse_dense_cwise_add,
    sparse_maximum,
    sparse_minimum,
    sparse_softmax,
    sparse_tensor_dense_matmul,
)
from retrograd.ops.sparse_crossing import sparse_cross, sparse_cross_hashed
from retrograd.ops.sparse_joining import (
    KeywordRequired,
    sparse_concat,
    sparse_fill_empty_rows,
    sparse_merge,
    sparse_slice,
    sparse_split,
    sparse_to_indicator,
)
from retrograd.ops.sparse_maps import (
    add_many_sparse_to_tensors_map,
    add_sparse_to_tensors_map,
    take_many_sparse_from_tensors_map,
)
from retrograd.ops.sparse_reductions import (
    sparse_reduce_max,
    sparse_reduce_max_sparse,
    sparse_reduce_sum,
    sparse_reduce_sum_sparse,
)
from retrograd.ops.sparse_serialization import (
    deserialize_many_sparse,
    deserialize_sparse,
    serialize_many_sparse,
    serialize_sparse,
    serialize_sparse_v2,
)
from retrograd.ops.special import (
    bessel_i0,
    bessel_i0e,
    bessel_i1,
    bessel_i1e,
    betainc,
    igamma,
    igammac,
    lbeta,
    polygamma,
    zeta,
)
from retrograd.ops.special import (
    bessel_i1e as unary_op,
)
from retrograd.ops.spectra import self_adjoint_eig, self_adjoint_eigvals, svd
from retrograd.ops.staging import StagingArea
from retrograd.ops.state import assign, assign_add, assign_sub, is_variable_initialized
from retrograd.ops.stateless import (
    stateless_categorical,
    stateless_multinomial,
    stateless_random_normal,
    stateless_random_uniform,
    stateless_truncated_normal,
)
from retrograd.ops.stitching import dynamic_stitch, parallel_dynamic_stitch
from retrograd.ops.strings import reduce_join_v2, string_lower, string_split_v2, string_upper
from retrograd.ops.sums import accumulate_n
from retrograd.ops.tensor_arrays import tensor_array_grad_with_shape
from retrograd.ops.trigonometry import tanh
from retrograd.ops.unicode import unicode_script, unicode_transcode
from retrograd.ops.uniqueness import (
    bincount as bincount_v1,
)
from retrograd.ops.uniqueness import (
    histogram_fixed_width,
    histogram_fixed_width_bins,
    listdiff,
    setdiff1d,
    unique,
    unique_v2,
    unique_with_counts,
    unique_with_counts_v2,
)
from retrograd.ops.variates import (
    parameterized_truncated_normal,
    random_gamma,
    random_poisson,
    random_poisson_v2,
)
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
    reduce_join,
    regex_full_match,
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
    string_length,
    string_strip,
    string_to_hash_bucket_fast,
    string_to_hash_bucket_strong,
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
    floormod as floor_mod,
)
from retrograd.ragged.dispatching import (
    floormod as mod,
)
from retrograd.ragged.dispatching import (
    negative as neg,
)
from retrograd.ragged.dispatching import (
    pow_ as pow,
)
from retrograd.ragged.dispatching import (
    reduce_all as reduce_all_v1,
)
from retrograd.ragged.dispatching import (
    reduce_any as reduce_any_v1,
)
from retrograd.ragged.dispatching import (
    reduce_max as reduce_max_v1,
)
from retrograd.ragged.dispatching import (
    reduce_mean as reduce_mean_v1,
)
from retrograd.ragged.dispatching import (
    reduce_min as reduce_min_v1,
)
from retrograd.ragged.dispatching import (
    reduce_prod as reduce_prod_v1,
)
from retrograd.ragged.dispatching import (
    reduce_sum as reduce_sum_v1,
)
from retrograd.ragged.dispatching import (
    round_ as round,
)
from retrograd.ragged.dispatching import (
    string_to_hash_bucket as string_to_hash_bucket_v1,
)
from retrograd.ragged.dispatching import (
    string_to_number as string_to_number_v1,
)
from retrograd.ragged.dispatching import (
    substr as substr_deprecated,
)
from retrograd.ragged.dispatching import (
    truncatediv as truncate_div,
)
from retrograd.ragged.dispatching import (
    truncatemod as truncate_mod,
)
from retrograd.state.critical_sections import CriticalSection
from retrograd.state.custom_gradient import custom_gradient
from retrograd.state.function_calls import For, If, While
from retrograd.state.initialization import (
    all_variables,
    assert_variables_initialized,
    global_variables,
    global_variables_initializer,
    initialize_all_variables,
    initialize_local_variables,
    initialize_variables,
    local_variables,
    local_variables_initializer,
    model_variables,
    moving_average_variables,
    report_uninitialized_variables,
    trainable_variables,
    variables_initializer,
)
from retrograd.state.initializers import (
    Constant,
    GlorotNormal,
    GlorotUniform,
    Initializer,
    Ones,
    RandomNormal,
    UniformUnitScaling,
    VarianceScaling,
    Zeros,
    he_normal,
    he_uniform,
    lecun_normal,
    lecun_uniform,
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
from retrograd.state.orthogonal import (
    ConvolutionDeltaOrthogonal,
    ConvolutionOrthogonal,
    ConvolutionOrthogonal1D,
    ConvolutionOrthogonal2D,
    ConvolutionOrthogonal3D,
    Identity,
    Orthogonal,
)
from retrograd.state.orthogonal import (
    ConvolutionDeltaOrthogonal as convolutional_delta_orthogonal,
)
from retrograd.state.orthogonal import (
    ConvolutionOrthogonal1D as convolutional_orthogonal_1d,
)
from retrograd.state.orthogonal import (
    ConvolutionOrthogonal2D as convolutional_orthogonal_2d,
)
from retrograd.state.orthogonal import (
    ConvolutionOrthogonal3D as convolutional_orthogonal_3d,
)
from retrograd.state.orthogonal import (
    Identity as identity_initializer,
)
from retrograd.state.orthogonal import (
    Orthogonal as orthogonal_initializer,
)
from retrograd.state.partitioned import (
    PartitionedVariable,
    create_partitioned_variables,
    fixed_size_partitioner,
    min_max_variable_partitioner,
    variable_axis_size_partitioner,
)
from retrograd.state.partitioned_calls import partitioned_call
from retrograd.state.reference import RefVariable
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
from retrograd.state.variables import (
    Variable as VariableV1,
)
from retrograd.state.variables import (
    VariableAggregation,
    VariableAggregationV2,
    VariableMetaclass,
    VariableSynchronization,
    default_variable_creator,
    default_variable_creator_v2,
)
from retrograd.tf.python.ops.array_ops import constant, ensure_shape, gather_v2, parallel_concat
from retrograd.tf.python.ops.math_ops import bincount
from retrograd.tf.python.ops.parsing_ops import decode_csv_v2, decode_raw, parse_example_v2, parse_single_example_v2
from retrograd.tf.python.ops.string_ops import string_split, substr
from retrograd.tf.python.ops.variables import Variable

__getattr__ = missing(__name__, raw=True)
