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
    "quadratures": """PoissonLogNormalQuadratureCompound quadrature_scheme_lognormal_gauss_hermite
    quadrature_scheme_lognormal_quantiles quadrature_scheme_softmaxnormal_gauss_hermite
    quadrature_scheme_softmaxnormal_quantiles""",
    "diffeomixture": "VectorDiffeomixture",
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
    "diffeomixture": "vector_diffeomixture",
}
for _part, _names in _KINDS.items():
    if _part != "normal_vectors":
        HIDDEN.add((f"retrograd.nn.distributions.{_part}", "*"))
    for _name in words(_names):
        RENAMED["contrib.distributions", _name] = f"retrograd.nn.distributions.{_part}:"
        for _module in words(_MODULES.get(_part, "")):
            RENAMED[f"contrib.distributions.python.ops.{_module}", _name] = f"retrograd.nn.distributions.{_part}:"
for _module, _names in {
    "poisson_lognormal": """PoissonLogNormalQuadratureCompound quadrature_scheme_lognormal_gauss_hermite
    quadrature_scheme_lognormal_quantiles""",
    "vector_diffeomixture": "quadrature_scheme_softmaxnormal_gauss_hermite quadrature_scheme_softmaxnormal_quantiles",
}.items():
    for _name in words(_names):
        RENAMED[f"contrib.distributions.python.ops.{_module}", _name] = "retrograd.nn.distributions.quadratures:"
_HEAD = "retrograd.estimator.older.distribution_heads"
for _module in ("contrib.distributions", "contrib.distributions.python.ops.estimator"):
    RENAMED[_module, "estimator_head_distribution_regression"] = f"{_HEAD}:"
HIDDEN.add((_HEAD, "*"))
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
_INNER = "contrib.distributions.python.ops.bijectors"
_IN_MODULES = {  # module of bijectors -> part, ours=theirs
    "absolute_value": "bijectors AbsoluteValue",
    "affine": "affine Affine",
    "affine_linear_operator": "normal_vectors AffineLinearOperator",
    "affine_scalar": "bijectors AffineScalar",
    "batch_normalization": "matrix_bijectors BatchNormalization",
    "chain": "bijectors Chain",
    "cholesky_outer_product": "matrix_bijectors CholeskyOuterProduct",
    "conditional_bijector": "conditional ConditionalBijector",
    "exp": "bijectors Exp",
    "fill_triangular": "matrix_bijectors FillTriangular",
    "gumbel": "more_bijectors Gumbel",
    "inline": "bijectors Inline",
    "invert": "bijectors Invert",
    "kumaraswamy": "kumaraswamy KumaraswamyBijector=Kumaraswamy",
    "masked_autoregressive": """flows MaskedAutoregressiveFlow masked_autoregressive_default_template masked_dense""",
    "matrix_inverse_tril": "matrix_bijectors MatrixInverseTriL",
    "ordered": "more_bijectors Ordered",
    "permute": "flows Permute",
    "power_transform": "bijectors PowerTransform",
    "real_nvp": "flows RealNVP real_nvp_default_template",
    "reshape": "more_bijectors Reshape",
    "scale_tril": "matrix_bijectors ScaleTriL",
    "sigmoid": "bijectors Sigmoid",
    "sinh_arcsinh": "skewed SinhArcsinhBijector=SinhArcsinh",
    "softmax_centered": "bijectors SoftmaxCentered",
    "softplus": "bijectors Softplus",
    "softsign": "more_bijectors Softsign",
    "square": "more_bijectors Square",
    "transform_diagonal": "matrix_bijectors TransformDiagonal",
    "weibull": "more_bijectors Weibull",
}
for _module, _row in _IN_MODULES.items():
    _part, *_pairs = words(_row)
    HIDDEN.add((f"retrograd.nn.distributions.{_part}", "*"))
    for _pair in _pairs:
        _ours, _, _theirs = _pair.partition("=")
        for _served in (_INNER, f"{_INNER}.{_module}"):
            RENAMED[_served, _theirs or _ours] = f"retrograd.nn.distributions.{_part}:{_ours}"
        if _part in ("more_bijectors", "matrix_bijectors") and _ours != "Weibull":
            RENAMED["contrib.distributions.bijectors", _ours] = f"retrograd.nn.distributions.{_part}:"
RENAMED[_INNER, "Bijector"] = "retrograd.nn.distributions.bijector:"
RENAMED[_INNER, "Identity"] = "retrograd.nn.distributions.bijectors:"
_SIZE = "vector_size_to_square_matrix_size"
RENAMED[f"{_INNER}.fill_triangular", _SIZE] = "retrograd.nn.distributions.matrix_bijectors:"
for _part, _names in {
    "mixtures": "mixture_stddev pad_mixture_dimensions",
    "normal_vectors": "make_diag_scale shapes_from_loc_and_scale",
    "affine": "make_tril_scale",
    "vectors": """dimension_size fill_triangular fill_triangular_inverse matrix_diag_transform pad pick_vector
        prefer_static_broadcast_shape prefer_static_rank prefer_static_shape prefer_static_value rotate_transpose
        same_dynamic_shape tridiag""",
    "arguments": "assert_integer_form get_logits_and_probs log_combinations reduce_weighted_logsumexp softplus_inverse",
}.items():
    for _name in words(_names):
        RENAMED["contrib.distributions.python.ops.distribution_util", _name] = f"retrograd.nn.distributions.{_part}:"
for _name in words("""assert_finite assert_strictly_increasing assert_strictly_decreasing assert_strictly_monotonic
    assert_scalar_congruency assert_bijective_and_finite"""):
    RENAMED["python.ops.distributions.bijector_test_util", _name] = "retrograd.testing.bijectors:"
HIDDEN.add(("retrograd.testing.bijectors", "*"))
