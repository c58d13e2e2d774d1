"""The names of ``tensorflow.contrib.slim.python.slim.learning``."""

from retrograd.contrib.learning import (
    add_gradients_summaries,
    create_train_op,
    multiply_gradients,
    train_step,
)
from retrograd.contrib.learning import (
    train_slim as train,
)
from retrograd.faces import missing
from retrograd.train.train_ops import clip_gradient_norms

__getattr__ = missing(__name__)
