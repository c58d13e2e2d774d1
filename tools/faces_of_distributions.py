"""What names alone cannot say of ``tf.contrib.distributions``; added to the table of ``faces_table``."""

from faces_table import HIDDEN, RENAMED, words

_KINDS = {
    "one_hot": "ExpRelaxedOneHotCategorical OneHotCategorical RelaxedBernoulli RelaxedOneHotCategorical",
    "location_scale": "Cauchy HalfNormal Logistic",
    "trials": "Binomial Geometric NegativeBinomial Poisson",
    "inverse_gamma": "Chi2 Chi2WithAbsDf InverseGamma InverseGammaWithSoftplusConcentrationRate",
    "deterministic": "Deterministic VectorDeterministic",
    "mixtures": "Mixture MixtureSameFamily",
    "independent": "Independent",
    "quantized": "QuantizedDistribution",
    "sample_statistics": "auto_correlation percentile",
    "normal_vectors": "MultivariateNormalDiagPlusLowRank",
    "wishart": "WishartCholesky WishartFull",
    "scaled_vectors": """VectorExponentialDiag VectorExponentialLinearOperator VectorLaplaceDiag
    VectorLaplaceLinearOperator""",
    "skewed": "SinhArcsinh VectorSinhArcsinhDiag",
    "kumaraswamy": "Kumaraswamy",
    "conditional": "ConditionalDistribution ConditionalTransformedDistribution",
    "autoregressive": """Autoregressive normal_conjugates_known_scale_posterior
    normal_conjugates_known_scale_predictive""",
    "batch_reshape": "BatchReshape",
}
_MODULES = {
    "one_hot": "onehot_categorical relaxed_onehot_categorical relaxed_bernoulli",
    "location_scale": "logistic cauchy half_normal",
    "trials": "binomial geometric negative_binomial poisson",
    "inverse_gamma": "chi2 inverse_gamma",
    "deterministic": "deterministic",
    "mixtures": "mixture mixture_same_family",
    "independent": "independent",
    "quantized": "quantized_distribution",
    "sample_statistics": "sample_stats",
    "normal_vectors": "mvn_diag_plus_low_rank",
    "wishart": "wishart",
    "skewed": "sinh_arcsinh vector_sinh_arcsinh_diag",
    "kumaraswamy": "kumaraswamy",
    "conditional": "conditional_distribution conditional_transformed_distribution",
    "batch_reshape": "batch_reshape",
}
for _part, _names in _KINDS.items():
    if _part != "normal_vectors":
        HIDDEN.add((f"retrograd.nn.distributions.{_part}", "*"))
    for _name in words(_names):
        RENAMED["contrib.distributions", _name] = f"retrograd.nn.distributions.{_part}:"
        for _module in words(_MODULES.get(_part, "")):
            RENAMED[f"contrib.distributions.python.ops.{_module}", _name] = f"retrograd.nn.distributions.{_part}:"
_BIJECTORS = {
    "affine": "Affine",
    "flows": """MaskedAutoregressiveFlow Permute RealNVP masked_autoregressive_default_template masked_dense
    real_nvp_default_template""",
}
for _part, _names in _BIJECTORS.items():
    HIDDEN.add((f"retrograd.nn.distributions.{_part}", "*"))
    for _name in words(_names):
        RENAMED["contrib.distributions.bijectors", _name] = f"retrograd.nn.distributions.{_part}:"
for _part, _ours, _theirs in (
    ("skewed", "SinhArcsinhBijector", "SinhArcsinh"),
    ("kumaraswamy", "KumaraswamyBijector", "Kumaraswamy"),
    ("conditional", "ConditionalBijector", "ConditionalBijector"),
):
    RENAMED["contrib.distributions.bijectors", _theirs] = f"retrograd.nn.distributions.{_part}:{_ours}"
