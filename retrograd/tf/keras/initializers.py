"""The names of ``tensorflow.keras.initializers``."""

from retrograd.faces import missing
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
