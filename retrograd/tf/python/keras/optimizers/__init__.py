"""The names of ``tensorflow.python.keras.optimizers``."""

from retrograd.faces import missing
from retrograd.keras.first_optimizers import (
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    Nadam,
    Optimizer,
    RMSprop,
)
from retrograd.keras.first_optimizers import (
    SGD as sgd,
)
from retrograd.keras.first_optimizers import (
    Adadelta as adadelta,
)
from retrograd.keras.first_optimizers import (
    Adagrad as adagrad,
)
from retrograd.keras.first_optimizers import (
    Adam as adam,
)
from retrograd.keras.first_optimizers import (
    Adamax as adamax,
)
from retrograd.keras.first_optimizers import (
    Nadam as nadam,
)
from retrograd.keras.first_optimizers import (
    RMSprop as rmsprop,
)
from retrograd.keras.optimizers import Ftrl, TFOptimizer, deserialize, get, serialize
from retrograd.keras.utils import deserialize_keras_object, serialize_keras_object

__getattr__ = missing(__name__)
