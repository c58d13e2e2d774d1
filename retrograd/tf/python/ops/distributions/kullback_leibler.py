"""The names of ``tensorflow.python.ops.distributions.kullback_leibler``."""

from retrograd.faces import missing
from retrograd.nn.distributions.divergences import (
    RegisterKL,
    cross_entropy,
    kl_divergence,
)
from retrograd.nn.distributions.divergences import (
    _divergences as _DIVERGENCES,
)
from retrograd.nn.distributions.divergences import (
    _registered as _registered_kl,
)

__getattr__ = missing(__name__)
