"""The names of ``tensorflow.python.ops.distributions.identity_bijector``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import (
    AbsoluteValue,
    AffineScalar,
    Chain,
    Exp,
    Identity,
    Inline,
    Invert,
    PowerTransform,
    Sigmoid,
    SoftmaxCentered,
    Softplus,
)

__getattr__ = missing(__name__)
