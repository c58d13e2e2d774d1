"""The names of ``tensorflow.python.ops.init_ops_v2``."""

from retrograd.faces import missing
from retrograd.state.initializers import fans as _compute_fans
from retrograd.state.second_initializers import (
    Constant,
    GlorotNormal,
    GlorotUniform,
    Identity,
    Initializer,
    Ones,
    Orthogonal,
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    VarianceScaling,
    Zeros,
    he_normal,
    he_uniform,
    lecun_normal,
    lecun_uniform,
)
from retrograd.state.second_initializers import (
    Constant as constant,
)
from retrograd.state.second_initializers import (
    Constant as constant_initializer,
)
from retrograd.state.second_initializers import (
    GlorotNormal as glorot_normal,
)
from retrograd.state.second_initializers import (
    GlorotNormal as glorot_normal_initializer,
)
from retrograd.state.second_initializers import (
    GlorotUniform as glorot_uniform,
)
from retrograd.state.second_initializers import (
    GlorotUniform as glorot_uniform_initializer,
)
from retrograd.state.second_initializers import (
    Identity as identity,
)
from retrograd.state.second_initializers import (
    Identity as identity_initializer,
)
from retrograd.state.second_initializers import (
    Ones as one,
)
from retrograd.state.second_initializers import (
    Ones as ones,
)
from retrograd.state.second_initializers import (
    Ones as ones_initializer,
)
from retrograd.state.second_initializers import (
    Orthogonal as orthogonal,
)
from retrograd.state.second_initializers import (
    Orthogonal as orthogonal_initializer,
)
from retrograd.state.second_initializers import (
    RandomNormal as normal,
)
from retrograd.state.second_initializers import (
    RandomNormal as random_normal,
)
from retrograd.state.second_initializers import (
    RandomNormal as random_normal_initializer,
)
from retrograd.state.second_initializers import (
    RandomUniform as random_uniform,
)
from retrograd.state.second_initializers import (
    RandomUniform as random_uniform_initializer,
)
from retrograd.state.second_initializers import (
    RandomUniform as uniform,
)
from retrograd.state.second_initializers import (
    TruncatedNormal as truncated_normal,
)
from retrograd.state.second_initializers import (
    TruncatedNormal as truncated_normal_initializer,
)
from retrograd.state.second_initializers import (
    VarianceScaling as variance_scaling_initializer,
)
from retrograd.state.second_initializers import (
    Zeros as zero,
)
from retrograd.state.second_initializers import (
    Zeros as zeros,
)
from retrograd.state.second_initializers import (
    Zeros as zeros_initializer,
)

__getattr__ = missing(__name__)
