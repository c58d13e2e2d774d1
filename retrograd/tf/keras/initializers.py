"""The names of ``tensorflow.keras.initializers``."""

from retrograd.faces import missing
from retrograd.nn.keras.initializers import (
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    deserialize,
    get,
    serialize,
)
from retrograd.nn.keras.initializers import (
    RandomNormal as normal,
)
from retrograd.nn.keras.initializers import (
    RandomNormal as random_normal,
)
from retrograd.nn.keras.initializers import (
    RandomUniform as random_uniform,
)
from retrograd.nn.keras.initializers import (
    RandomUniform as uniform,
)
from retrograd.nn.keras.initializers import (
    TruncatedNormal as truncated_normal,
)
from retrograd.state.initializers import (
    Constant,
    Initializer,
    Ones,
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
