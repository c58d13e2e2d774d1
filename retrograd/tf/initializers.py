"""The names of ``tensorflow.initializers``."""

from retrograd.faces import missing
from retrograd.io.lookup import initialize_all_tables, tables_initializer
from retrograd.state.initialization import (
    global_variables_initializer as global_variables,
)
from retrograd.state.initialization import (
    local_variables_initializer as local_variables,
)
from retrograd.state.initialization import (
    variables_initializer as variables,
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
    RandomNormal as random_normal,
)
from retrograd.state.initializers import (
    RandomUniform as random_uniform,
)
from retrograd.state.initializers import (
    TruncatedNormal as truncated_normal,
)
from retrograd.state.initializers import (
    UniformUnitScaling as uniform_unit_scaling,
)
from retrograd.state.initializers import (
    VarianceScaling as variance_scaling,
)
from retrograd.state.initializers import (
    Zeros as zeros,
)
from retrograd.state.initializers import (
    he_normal,
    he_uniform,
    lecun_normal,
    lecun_uniform,
)
from retrograd.state.orthogonal import Identity as identity
from retrograd.state.orthogonal import Orthogonal as orthogonal

__getattr__ = missing(__name__)
