"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors``."""

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
from retrograd.nn.distributions.conditional import ConditionalBijector
from retrograd.nn.distributions.flows import (
    MaskedAutoregressiveFlow,
    Permute,
    RealNVP,
    masked_autoregressive_default_template,
    masked_dense,
    real_nvp_default_template,
)
from retrograd.nn.distributions.kumaraswamy import KumaraswamyBijector as Kumaraswamy
from retrograd.nn.distributions.matrix_bijectors import (
    BatchNormalization,
    CholeskyOuterProduct,
    FillTriangular,
    MatrixInverseTriL,
    ScaleTriL,
    TransformDiagonal,
)
from retrograd.nn.distributions.more_bijectors import Gumbel, Ordered, Reshape, Softsign, Square, Weibull
from retrograd.nn.distributions.normal_vectors import AffineLinearOperator
from retrograd.nn.distributions.skewed import SinhArcsinhBijector as SinhArcsinh

__getattr__ = missing(__name__)
