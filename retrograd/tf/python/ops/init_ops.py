"""The names of ``tensorflow.python.ops.init_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated, deprecated_arg_values, deprecated_args
from retrograd.state.initializers import (
    Constant,
    GlorotNormal,
    GlorotUniform,
    Initializer,
    Ones,
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
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
from retrograd.state.initializers import (
    fans as _compute_fans,
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

__getattr__ = missing(__name__)
