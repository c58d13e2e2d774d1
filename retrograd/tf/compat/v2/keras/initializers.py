"""The names of ``tensorflow.compat.v2.keras.initializers``."""

from retrograd.faces import missing
from retrograd.nn.keras.initializers import deserialize, get, serialize
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
    GlorotNormal as glorot_normal,
)
from retrograd.state.second_initializers import (
    GlorotUniform as glorot_uniform,
)
from retrograd.state.second_initializers import (
    Identity as identity,
)
from retrograd.state.second_initializers import (
    Ones as ones,
)
from retrograd.state.second_initializers import (
    Orthogonal as orthogonal,
)
from retrograd.state.second_initializers import (
    Zeros as zeros,
)

__getattr__ = missing(__name__)
