"""Smaller packages of ``tf.contrib``: distributions, labeled tensors, integration, sparsemax."""

from __future__ import annotations

from typing import Any

from case_table import between, distinct
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

D, T, N = tf.contrib.distributions, tf.contrib.labeled_tensor, tf.contrib.nn
S = tf.distributions
X = (distinct(2, 3, gap=0.37).astype("f"),)
POSITIVE = (between(0.5, 2, 2, 3).astype("f"),)


def of_distributions(x: Any) -> Any:
    """Of numbers above 0."""
    a, b = S.Normal(x, 1.0), S.Normal(0.5, x)
    return [
        S.kl_divergence(a, b),
        D.fill_triangular(x),
        D.fill_triangular_inverse(D.fill_triangular(x)),
        D.matrix_diag_transform(tf.stack([x[:, :2], x[:, 1:]], 1), tf.exp),
        D.percentile(x, 40.0),
        D.reduce_weighted_logsumexp(x, 2 * x, 1),
        D.softplus_inverse(x),
        D.tridiag(x[:, 1:], x, x[:, :2]),
        D.auto_correlation(x, 1),
        D.normal_conjugates_known_scale_posterior(a, x[0, 0], x[0, 1], 3).mean(),
        D.normal_conjugates_known_scale_predictive(a, x[0, 0], x[0, 1], 3).mean(),
    ]


def densities(x: Any, p: Any) -> Any:
    """``x`` between 0 and 1, ``p`` above 0."""
    two = tf.concat([x[:, :1], 1 - x[:, :1]], 1)
    return [
        S.Normal(p, p).log_prob(x),
        S.Gamma(p, p).log_prob(x),
        S.Beta(p, p + 1).log_prob(x),
        S.Laplace(p - 2, p).log_prob(x),
        S.StudentT(p + 1, 0.1, p).log_prob(x),
        S.Uniform(-p, p + 1).log_prob(x),
        S.Exponential(p).log_prob(x),
        S.Bernoulli(p).log_prob(tf.ones_like(x)),
        S.Categorical(p).log_prob([1, 0]),
        S.Dirichlet(p[:, :2]).log_prob(two),
        S.Multinomial(3.0, p).log_prob([1.0, 2.0, 0.0]),
        S.DirichletMultinomial(3.0, p).log_prob([1.0, 2.0, 0.0]),
        S.Normal(p, p).cdf(x),
        S.Normal(p, p).entropy(),
        S.Gamma(p, p).mean(),
        S.Normal(p, p).quantile(x),
        S.Gamma(p, 2.0).entropy(),
        S.Beta(p, p).variance(),
        D.Logistic(p, p).log_prob(x),
        D.Cauchy(p, p).log_prob(x),
        D.HalfNormal(p).log_prob(x),
        D.InverseGamma(p, p).log_prob(x),
        D.Poisson(p).log_prob(tf.ones_like(x)),
        D.Geometric(p).log_prob(tf.ones_like(x)),
        D.NegativeBinomial(2.0, p).log_prob(tf.ones_like(x)),
        D.Binomial(3.0, p).log_prob(tf.ones_like(x)),
        D.Chi2(p).log_prob(x),
        D.MultivariateNormalDiag(p, p).log_prob(x),
        D.RelaxedBernoulli(0.7, p).log_prob(x),
        D.ExpRelaxedOneHotCategorical(0.7, p).log_prob(tf.nn.log_softmax(x)),
        D.Kumaraswamy(p, p).log_prob(x),
        D.TransformedDistribution(S.Normal(p, p), D.bijectors.Exp()).log_prob(x + 1),
        D.Independent(S.Normal(p, p), 1).log_prob(x),
        D.MixtureSameFamily(S.Categorical(p), S.Normal(p, p)).log_prob(x[:, 0]),
    ]


def mapped(x: Any) -> Any:
    """Of numbers between 0 and 1, there, back, and the logarithms of the slopes."""
    B = D.bijectors
    found = []
    for b in (
        B.Exp(),
        B.Softplus(),
        B.Sigmoid(),
        B.Affine(0.3, scale_diag=[0.5, 2.0, 1.5]),
        B.PowerTransform(0.5),
        B.Invert(B.Exp()),
        B.Chain([B.Exp(), B.Softplus()]),
        B.AffineScalar(0.2, 1.5),
        B.Gumbel(0.1, 0.7),
        B.SinhArcsinh(0.2, 1.1),
        B.Kumaraswamy(1.2, 0.8),
        B.Softsign(),
        B.Square(),
        B.Reshape([3, 1], [3]),
        B.Permute([2, 0, 1]),
    ):
        given = x + 0.5 if isinstance(b, B.Invert) else x
        events = 1 if isinstance(b, (B.Affine, B.Reshape, B.Permute)) else 0
        found += [b.forward(given), b.inverse(b.forward(given) + 0.0), b.forward_log_det_jacobian(given, events)]
    return [*found, B.SoftmaxCentered().forward(x), B.SoftmaxCentered().inverse_log_det_jacobian(tf.nn.softmax(x), 1)]


def labeled(x: Any) -> Any:
    t = T.LabeledTensor(x, ["a", "b"])
    parts = [
        T.add(t, t),
        T.identity(t),
        T.transpose(t),
        T.expand_dims(t, ["a", "c", "b"]),
        T.slice(t, {"a": slice(0, 1)}),
        T.reshape(t, ["a", "b"], ["c"]),
        T.rename_axis(t, "a", "z"),
        T.concat([t, t], "a"),
        T.pack([t, t], "c"),
        *T.unpack(t, "a"),
        T.matmul(t, T.rename_axis(t, "a", "z")),
        T.tile(t, {"b": 2}),
        T.pad(t, {"a": (1, 0)}),
        T.where(T.LabeledTensor(x > 0, ["a", "b"]), t, t),
        T.select(T.LabeledTensor(x, [("a", [0, 1]), "b"]), {"a": 1}),
        T.squeeze(T.expand_dims(t, ["c", "a", "b"])),
        T.reduce_sum(t, "a"),
        T.exp(t),
        T.align(t, t)[0],
        T.boolean_mask(T.LabeledTensor(x[:, 0], ["a"]), T.LabeledTensor(tf.constant([True, False]), ["a"])),
        T.convert_to_labeled_tensor(t),
        T.impose_axis_order(t, ["b", "a"]),
        T.cast(t, tf.float32),
        T.map_fn(lambda r: T.exp(r), t),
        T.foldl(lambda a, r: T.add(a, r), t, T.LabeledTensor(x[0], ["b"])),
        T.verify_tensor_all_finite(t, "not finite"),
        T.random_crop(t, {"b": 2}, 3),
    ]
    return [p.tensor for p in parts]


def smaller(x: Any) -> Any:
    O = tf.contrib.integrate  # noqa: E741
    times = tf.constant([0.0, 0.3, 0.5])
    z = tf.constant([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    p = tf.contrib.sparsemax.sparsemax(x)
    return [
        O.odeint_fixed(lambda y, t: -y * tf.cast(t, tf.float32), x, times, tf.constant(0.1), method="rk4"),
        p,
        tf.contrib.sparsemax.sparsemax_loss(x, p, z),
        N.scaled_softplus(x, 1.3),
        N.scaled_softplus(x, 1.3, 0.9),
        N.alpha_dropout(x, 0.7, seed=3),
        N.nth_element(x, 1),
        N.deprecated_flipped_sigmoid_cross_entropy_with_logits(x, z),
        N.deprecated_flipped_softmax_cross_entropy_with_logits(x, z / 2),
        N.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(x, tf.constant([2, 0])),
        tf.contrib.kernel_methods.sparse_multiclass_hinge_loss(tf.constant([2, 0]), x),
        *[g for g, _ in tf.contrib.opt.clip_gradients_by_global_norm([(x, 0), (2 * x, 0)], 1.0)[0]],
        tf.custom_gradient(lambda y: (y, lambda dy: dy))(x),
    ]


ROWS = [
    Row(
        "distributions.kl_divergence contrib.distributions.fill_triangular "
        "contrib.distributions.fill_triangular_inverse contrib.distributions.matrix_diag_transform "
        "contrib.distributions.percentile contrib.distributions.reduce_weighted_logsumexp "
        "contrib.distributions.softplus_inverse contrib.distributions.tridiag "
        "contrib.distributions.auto_correlation",
        of_distributions,
        POSITIVE,
        **SINGLE,
    ),
    Row(
        "distributions.Distribution.log_prob",
        densities,
        (between(0.3, 0.7, 2, 3).astype("f"), between(0.8, 1.6, 2, 3).astype("f")),
        **{**SINGLE, "tolerance": 1e-2},
    ),
    Row(
        "contrib.distributions.bijectors.Bijector.forward "
        "contrib.distributions.bijectors.Bijector.inverse "
        "contrib.distributions.bijectors.Bijector.forward_log_det_jacobian",
        mapped,
        (between(0.3, 0.7, 2, 3).astype("f"),),
        **{**SINGLE, "tolerance": 1e-2},
    ),
    Row(
        "contrib.labeled_tensor.add contrib.labeled_tensor.transpose contrib.labeled_tensor.expand_dims "
        "contrib.labeled_tensor.slice contrib.labeled_tensor.reshape contrib.labeled_tensor.rename_axis "
        "contrib.labeled_tensor.concat contrib.labeled_tensor.pack contrib.labeled_tensor.unpack "
        "contrib.labeled_tensor.matmul contrib.labeled_tensor.tile contrib.labeled_tensor.pad "
        "contrib.labeled_tensor.where contrib.labeled_tensor.select contrib.labeled_tensor.squeeze "
        "contrib.labeled_tensor.align contrib.labeled_tensor.boolean_mask contrib.labeled_tensor.map_fn "
        "contrib.labeled_tensor.foldl contrib.labeled_tensor.random_crop",
        labeled,
        X,
        draws=True,
        **SINGLE,
    ),
    Row(
        "contrib.integrate.odeint_fixed contrib.sparsemax.sparsemax contrib.sparsemax.sparsemax_loss "
        "contrib.nn.scaled_softplus contrib.nn.alpha_dropout contrib.nn.nth_element "
        "contrib.kernel_methods.sparse_multiclass_hinge_loss",
        smaller,
        X,
        draws=True,
        **SINGLE,
    ),
]
