"""The names of ``tensorflow.python.framework.constant_op``."""

from retrograd.faces import missing
from retrograd.ops.constants import (
    constant as constant_v1,
)
from retrograd.ops.constants import (
    constant_v2 as constant,
)
from retrograd.ops.constants import (
    from_tensor_shape as _tensor_shape_tensor_conversion_function,
)

__getattr__ = missing(__name__)
