"""The names of ``tensorflow.keras.optimizers``."""

from retrograd.faces import missing
from retrograd.keras.optimizer_v2 import OptimizerV2 as Optimizer
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

__getattr__ = missing(__name__)
