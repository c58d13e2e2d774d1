"""The names of ``tensorflow.python.ops.init_ops_v2``."""

from retrograd.faces import missing
from retrograd.state.initializers import (
    Constant,
    GlorotNormal,
    GlorotUniform,
    Initializer,
    Ones,
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
from retrograd.state.initializers import (
    Constant as constant,
)
from retrograd.state.initializers import (
    Constant as constant_initializer,
)
from retrograd.state.initializers import (
    GlorotNormal as glorot_normal,
)
from retrograd.state.initializers import (
    GlorotNormal as glorot_normal_initializer,
)
from retrograd.state.initializers import (
    GlorotUniform as glorot_uniform,
)
from retrograd.state.initializers import (
    GlorotUniform as glorot_uniform_initializer,
)
from retrograd.state.initializers import (
    Ones as one,
)
from retrograd.state.initializers import (
    Ones as ones,
)
from retrograd.state.initializers import (
    Ones as ones_initializer,
)
from retrograd.state.initializers import (
    RandomNormal as normal,
)
from retrograd.state.initializers import (
    RandomNormal as random_normal,
)
from retrograd.state.initializers import (
    RandomNormal as random_normal_initializer,
)
from retrograd.state.initializers import (
    RandomUniform as random_uniform,
)
from retrograd.state.initializers import (
    RandomUniform as random_uniform_initializer,
)
from retrograd.state.initializers import (
    RandomUniform as uniform,
)
from retrograd.state.initializers import (
    TruncatedNormal as truncated_normal,
)
from retrograd.state.initializers import (
    TruncatedNormal as truncated_normal_initializer,
)
from retrograd.state.initializers import (
    VarianceScaling as variance_scaling_initializer,
)
from retrograd.state.initializers import (
    Zeros as zero,
)
from retrograd.state.initializers import (
    Zeros as zeros,
)
from retrograd.state.initializers import (
    Zeros as zeros_initializer,
)
from retrograd.state.initializers import (
    fans as _compute_fans,
)
from retrograd.state.orthogonal import (
    Identity,
    Orthogonal,
)
from retrograd.state.orthogonal import (
    Identity as identity,
)
from retrograd.state.orthogonal import (
    Identity as identity_initializer,
)
from retrograd.state.orthogonal import (
    Orthogonal as orthogonal,
)
from retrograd.state.orthogonal import (
    Orthogonal as orthogonal_initializer,
)

__getattr__ = missing(__name__)
