"""The names of ``tensorflow.python.keras.optimizers``."""

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
from retrograd.keras.utils import deserialize_keras_object, serialize_keras_object

__getattr__ = missing(__name__)
