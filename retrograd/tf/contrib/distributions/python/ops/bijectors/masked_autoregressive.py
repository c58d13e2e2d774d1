"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.masked_autoregressive``."""

from retrograd.faces import missing
from retrograd.nn.distributions.flows import (
    MaskedAutoregressiveFlow,
    masked_autoregressive_default_template,
    masked_dense,
)

__getattr__ = missing(__name__)
