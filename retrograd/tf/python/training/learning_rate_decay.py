"""The names of ``tensorflow.python.training.learning_rate_decay``."""

from retrograd.faces import missing
from retrograd.train.learning_rates import (
    cosine_decay,
    cosine_decay_restarts,
    exponential_decay,
    inverse_time_decay,
    linear_cosine_decay,
    natural_exp_decay,
    noisy_linear_cosine_decay,
    piecewise_constant,
    polynomial_decay,
)

__getattr__ = missing(__name__)
