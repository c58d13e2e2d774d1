"""The names of ``tensorflow.contrib.keras.optimizers``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import (
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    Ftrl,
    Nadam,
    RMSprop,
    TFOptimizer,
    deserialize,
    get,
    serialize,
)
from retrograd.keras.optimizers import (
    OptimizerV2 as Optimizer,
)

__getattr__ = missing(__name__)
