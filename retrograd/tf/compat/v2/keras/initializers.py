"""The names of ``tensorflow.compat.v2.keras.initializers``."""

from retrograd.faces import missing
from retrograd.nn.keras.initializers import deserialize, get, serialize
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
)
from retrograd.state.initializers import (
    Constant as constant,
)
from retrograd.state.initializers import (
    GlorotNormal as glorot_normal,
)
from retrograd.state.initializers import (
    GlorotUniform as glorot_uniform,
)
from retrograd.state.initializers import (
    Ones as ones,
)
from retrograd.state.initializers import (
    Zeros as zeros,
)
from retrograd.state.orthogonal import Identity, Orthogonal
from retrograd.state.orthogonal import Identity as identity
from retrograd.state.orthogonal import Orthogonal as orthogonal

__getattr__ = missing(__name__)
