"""The names of ``tensorflow.contrib.framework``."""

from retrograd.faces import missing
from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor
from retrograd.graph.deprecation import deprecated, deprecated_args
from retrograd.graph.scopes import prepend_name_scope, strip_name_scope
from retrograd.graph.specs import BoundedTensorSpec, TensorSpec
from retrograd.graph.tensor import is_tensor
from retrograd.nn.contrib.arg_scope import (
    add_arg_scope,
    arg_scope,
    arg_scope_func_key,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)
from retrograd.ops.checks import assert_same_float_dtype
from retrograd.ops.conditions import smart_cond, smart_constant_value
from retrograd.ops.shape_checks import assert_scalar
from retrograd.ops.sorting import argsort, sort
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

__getattr__ = missing(__name__)
