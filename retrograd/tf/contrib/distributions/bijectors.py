"""The names of ``tensorflow.contrib.distributions.bijectors``."""

from retrograd.faces import missing
from retrograd.nn.distributions.affine import Affine
from retrograd.nn.distributions.bijector import Bijector
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
from retrograd.nn.distributions.flows import (
    MaskedAutoregressiveFlow,
    Permute,
    RealNVP,
    masked_autoregressive_default_template,
    masked_dense,
    real_nvp_default_template,
)
from retrograd.nn.distributions.normal_vectors import AffineLinearOperator

__getattr__ = missing(__name__)
