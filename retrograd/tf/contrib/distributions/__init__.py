"""The names of ``tensorflow.contrib.distributions``."""

from retrograd.estimator.older.distribution_heads import estimator_head_distribution_regression
from retrograd.faces import missing
from retrograd.nn.distributions.arguments import reduce_weighted_logsumexp, softplus_inverse
from retrograd.nn.distributions.autoregressive import (
    Autoregressive,
    normal_conjugates_known_scale_posterior,
    normal_conjugates_known_scale_predictive,
)
from retrograd.nn.distributions.batch_reshape import BatchReshape
from retrograd.nn.distributions.conditional import ConditionalDistribution, ConditionalTransformedDistribution
from retrograd.nn.distributions.continuous import (
    Laplace,
    LaplaceWithSoftplusScale,
    StudentT,
    StudentTWithAbsDfSoftplusScale,
    Uniform,
)
from retrograd.nn.distributions.counts import Dirichlet, DirichletMultinomial, Multinomial
from retrograd.nn.distributions.deterministic import Deterministic, VectorDeterministic
from retrograd.nn.distributions.diffeomixture import VectorDiffeomixture
from retrograd.nn.distributions.discrete import Bernoulli, Categorical
from retrograd.nn.distributions.distribution import (
    FULLY_REPARAMETERIZED,
    NOT_REPARAMETERIZED,
    Distribution,
    ReparameterizationType,
)
from retrograd.nn.distributions.divergences import RegisterKL, kl_divergence
from retrograd.nn.distributions.gamma import (
    Beta,
    BetaWithSoftplusConcentration,
    Exponential,
    ExponentialWithSoftplusRate,
    Gamma,
    GammaWithSoftplusConcentrationRate,
)
from retrograd.nn.distributions.independent import Independent
from retrograd.nn.distributions.inverse_gamma import (
    Chi2,
    Chi2WithAbsDf,
    InverseGamma,
    InverseGammaWithSoftplusConcentrationRate,
)
from retrograd.nn.distributions.kumaraswamy import Kumaraswamy
from retrograd.nn.distributions.location_scale import Cauchy, HalfNormal, Logistic
from retrograd.nn.distributions.mixtures import Mixture, MixtureSameFamily
from retrograd.nn.distributions.moving_statistics import (
    SeedStream,
    assign_log_moving_mean_exp,
    assign_moving_mean_variance,
    moving_mean_variance,
)
from retrograd.nn.distributions.normal import Normal, NormalWithSoftplusScale
from retrograd.nn.distributions.normal_vectors import (
    MultivariateNormalDiag,
    MultivariateNormalDiagPlusLowRank,
    MultivariateNormalDiagWithSoftplusScale,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)
from retrograd.nn.distributions.one_hot import (
    ExpRelaxedOneHotCategorical,
    OneHotCategorical,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
)
from retrograd.nn.distributions.quadratures import (
    PoissonLogNormalQuadratureCompound,
    quadrature_scheme_lognormal_gauss_hermite,
    quadrature_scheme_lognormal_quantiles,
    quadrature_scheme_softmaxnormal_gauss_hermite,
    quadrature_scheme_softmaxnormal_quantiles,
)
from retrograd.nn.distributions.quantized import QuantizedDistribution
from retrograd.nn.distributions.sample_statistics import auto_correlation, percentile
from retrograd.nn.distributions.scaled_vectors import (
    VectorExponentialDiag,
    VectorExponentialLinearOperator,
    VectorLaplaceDiag,
    VectorLaplaceLinearOperator,
)
from retrograd.nn.distributions.skewed import SinhArcsinh, VectorSinhArcsinhDiag
from retrograd.nn.distributions.transformed import TransformedDistribution
from retrograd.nn.distributions.trials import Binomial, Geometric, NegativeBinomial, Poisson
from retrograd.nn.distributions.vectors import (
    fill_triangular,
    fill_triangular_inverse,
    matrix_diag_transform,
    tridiag,
)
from retrograd.nn.distributions.wishart import WishartCholesky, WishartFull

__getattr__ = missing(__name__)
