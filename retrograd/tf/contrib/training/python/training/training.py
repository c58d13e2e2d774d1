"""The names of ``tensorflow.contrib.training.python.training.training``."""

from retrograd.contrib.learning import train
from retrograd.faces import missing
from retrograd.train.train_ops import (
    add_gradients_summaries,
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
)

__getattr__ = missing(__name__)
