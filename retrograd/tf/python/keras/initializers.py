"""The names of ``tensorflow.python.keras.initializers``."""

from retrograd.faces import missing
from retrograd.keras.utils import deserialize_keras_object, serialize_keras_object
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
    GlorotNormal,
    GlorotUniform,
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
    Ones as one,
)
from retrograd.state.initializers import (
    Ones as ones,
)
from retrograd.state.initializers import (
    RandomNormal as TFRandomNormal,
)
from retrograd.state.initializers import (
    RandomUniform as TFRandomUniform,
)
from retrograd.state.initializers import (
    TruncatedNormal as TFTruncatedNormal,
)
from retrograd.state.initializers import (
    Zeros as zero,
)
from retrograd.state.initializers import (
    Zeros as zeros,
)
from retrograd.state.orthogonal import Identity, Orthogonal
from retrograd.state.orthogonal import Identity as identity
from retrograd.state.orthogonal import Orthogonal as orthogonal
from retrograd.state.second_initializers import (
    Constant as ConstantV2,
)
from retrograd.state.second_initializers import (
    GlorotNormal as GlorotNormalV2,
)
from retrograd.state.second_initializers import (
    GlorotUniform as GlorotUniformV2,
)
from retrograd.state.second_initializers import (
    Identity as IdentityV2,
)
from retrograd.state.second_initializers import (
    Initializer as InitializerV2,
)
from retrograd.state.second_initializers import (
    Ones as OnesV2,
)
from retrograd.state.second_initializers import (
    Orthogonal as OrthogonalV2,
)
from retrograd.state.second_initializers import (
    RandomNormal as RandomNormalV2,
)
from retrograd.state.second_initializers import (
    RandomUniform as RandomUniformV2,
)
from retrograd.state.second_initializers import (
    TruncatedNormal as TruncatedNormalV2,
)
from retrograd.state.second_initializers import (
    VarianceScaling as VarianceScalingV2,
)
from retrograd.state.second_initializers import (
    Zeros as ZerosV2,
)
from retrograd.state.second_initializers import (
    he_normal as he_normalV2,
)
from retrograd.state.second_initializers import (
    he_uniform as he_uniformV2,
)
from retrograd.state.second_initializers import (
    lecun_normal as lecun_normalV2,
)
from retrograd.state.second_initializers import (
    lecun_uniform as lecun_uniformV2,
)

__getattr__ = missing(__name__)
