"""The names of ``tensorflow.python.ops.distributions.special_math``."""

from retrograd.faces import missing
from retrograd.nn.distributions.special_math import (
    LOGNDTR_FLOAT32_LOWER,
    LOGNDTR_FLOAT32_UPPER,
    LOGNDTR_FLOAT64_LOWER,
    LOGNDTR_FLOAT64_UPPER,
    erfinv,
    log_cdf_laplace,
    log_ndtr,
    ndtr,
    ndtri,
)

__getattr__ = missing(__name__)
