"""The names of ``tensorflow.contrib.framework``."""

from retrograd.estimator.remapping import (
    load_and_remap_matrix_initializer,
    load_embedding_initializer,
    load_linear_multiclass_bias_initializer,
    load_variable_slot_initializer,
)
from retrograd.faces import missing
from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor, get_graph_from_inputs
from retrograd.graph.deprecation import deprecated, deprecated_arg_values, deprecated_args
from retrograd.graph.scopes import prepend_name_scope, strip_name_scope
from retrograd.graph.specs import BoundedTensorSpec, TensorSpec
from retrograd.graph.tensor import is_tensor
from retrograd.io.assigning import (
    assign_from_checkpoint,
    assign_from_checkpoint_fn,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from retrograd.io.fusing import fuse_op
from retrograd.nn.contrib.arg_scope import (
    add_arg_scope,
    arg_scope,
    arg_scope_func_key,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)
from retrograd.nn.contrib.functions import py_func
from retrograd.nn.contrib.model_variables import (
    VariableDeviceChooser,
    add_model_variable,
    assign_from_values,
    assign_from_values_fn,
    filter_variables,
    get_local_variables,
    get_model_variables,
    get_name_scope,
    get_placeholders,
    get_trainable_variables,
    get_unique_variable,
    get_variable_full_name,
    get_variables,
    get_variables_by_name,
    get_variables_by_suffix,
    get_variables_to_restore,
    global_variable,
    local_variable,
    model_variable,
    reduce_sum_n,
    variable,
)
from retrograd.nn.contrib.shape_conditions import (
    assert_scalar_int,
    remove_squeezable_dimensions,
    with_same_shape,
    with_shape,
)
from retrograd.ops.cases import smart_case
from retrograd.ops.checks import assert_same_float_dtype
from retrograd.ops.conditions import smart_cond, smart_constant_value
from retrograd.ops.record_input import RecordInput
from retrograd.ops.shape_checks import assert_scalar
from retrograd.ops.sorting import argsort, sort
from retrograd.ops.zeroing import zero_initializer
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
from retrograd.tf.python.util import nest
from retrograd.train.training_util import (
    assert_global_step,
    assert_or_get_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
)

__getattr__ = missing(__name__)
