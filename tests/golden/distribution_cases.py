"""Small programs over ``tf.contrib.distributions``, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
X, B = tf.contrib.distributions, tf.contrib.distributions.bijectors
tf.set_random_seed(1)
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(.2, .9, [n or 3 for n in s]).astype('f'), s)
def c(*s): return tf.constant(rng.uniform(.2, .9, s).astype('f'))
def stats(d, *names): return [getattr(d, n)() for n in names]
def at(d, x, *names): return [getattr(d, n)(x) for n in names]
def shapes(d): return [d.batch_shape_tensor(), d.event_shape_tensor(), tf.constant(str((d.batch_shape, d.event_shape, d.dtype, d.name, d.reparameterization_type)))]
"""

_PROGRAMS = """
d = X.OneHotCategorical(logits=c(2, 3)); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob') + stats(d, 'mode', 'entropy', 'variance', 'covariance')
d = X.OneHotCategorical(probs=f(None, 2, 3), dtype=tf.float32, validate_args=False); s = d.sample((2, 3), seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + stats(d, 'mode', 'entropy')
d, e = X.OneHotCategorical(logits=c(2, 3)), X.OneHotCategorical(probs=c(2, 3)); ys = [X.kl_divergence(d, e), d.cross_entropy(e)] + tf.gradients(d.kl_divergence(e), d.logits)
p = c(2, 3); d = X.RelaxedOneHotCategorical(.5, p); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + tf.gradients([s, d.log_prob(s)], p)
p = f(None, 3); d = X.ExpRelaxedOneHotCategorical(.5, probs=p); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob') + tf.gradients(s, p)
d = X.RelaxedOneHotCategorical(c(2), logits=c(2, 3), validate_args=True); s = d.sample(seed=1); ys = [s]
p = c(3); d = X.RelaxedBernoulli(.4, logits=p); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf') + tf.gradients(s, p)
d = X.RelaxedBernoulli(f(), probs=c(2), validate_args=True); s = d.sample(4, seed=1); ys = [s] + at(d, s, 'log_prob')
d = X.Poisson(c(3) * 5); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob', 'cdf', 'log_cdf') + stats(d, 'mode', 'mean', 'variance', 'stddev')
d = X.Poisson(log_rate=f(None), validate_args=True); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'survival_function')
d = X.Geometric(probs=c(3)); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf') + stats(d, 'mode', 'mean', 'variance', 'entropy')
d = X.Geometric(f(None), validate_args=True); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf') + stats(d, 'entropy')
d = X.NegativeBinomial(c(3) * 5, c(3)); s = d.sample(4, seed=1); ys = shapes(d) + [s, d.cdf(s[0])] + at(d, s, 'log_prob') + stats(d, 'mode', 'mean', 'variance')
d = X.NegativeBinomial(f(None), probs=c(2, 1), validate_args=True); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob')
d = X.Binomial(5., probs=c(3)); x = tf.constant([1., 5., 0.]); ys = shapes(d) + at(d, x, 'log_prob', 'prob', 'cdf') + stats(d, 'mode', 'mean', 'variance')
d = X.Binomial([3., 4.], logits=f(None, 2), validate_args=True); x = tf.constant([1., 2.]); ys = shapes(d) + at(d, x, 'log_prob', 'cdf')
p = c(3); d = X.Logistic(p, c(2, 1)); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf', 'log_cdf', 'survival_function', 'log_survival_function') + stats(d, 'mode', 'mean', 'variance', 'stddev', 'entropy') + tf.gradients(s, p)
p = f(3); d = X.Cauchy(p, c(3), validate_args=True); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf', 'log_cdf') + [d.quantile(.3)] + stats(d, 'mode', 'mean', 'stddev', 'entropy') + tf.gradients(s, p)
d = X.HalfNormal(c(3)); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf') + [d.quantile(.3)] + stats(d, 'mode', 'mean', 'variance', 'entropy')
d = X.InverseGamma(c(3) * 4, c(3)); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf') + stats(d, 'mode', 'mean', 'variance', 'entropy')
d = X.InverseGammaWithSoftplusConcentrationRate(f(None), c(3), validate_args=True, allow_nan_stats=False); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + stats(d, 'entropy')
d = X.Chi2(c(3) * 4); s = d.sample(4, seed=1); ys = shapes(d) + [s, d.df] + at(d, s, 'log_prob', 'cdf') + stats(d, 'mode', 'mean', 'variance', 'entropy')
d = X.Chi2WithAbsDf(f(None) * -5, validate_args=False); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob')
d = X.Deterministic(c(3)); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob', 'cdf') + stats(d, 'mode', 'mean', 'variance', 'entropy')
d = X.VectorDeterministic(f(None, 3), atol=.1, rtol=.1, validate_args=True); s = d.sample((4, 2), seed=1); ys = shapes(d) + [s] + at(d, s + .05, 'prob') + stats(d, 'mode', 'mean', 'variance')
N = X.Normal; d = X.Mixture(X.Categorical(probs=c(3)), [N(c(), c()), N(c() * 3, c()), X.Laplace(c(), c())]); s = d.sample(5, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob', 'cdf') + stats(d, 'mean', 'stddev', 'variance', 'entropy_lower_bound')
N = X.MultivariateNormalDiag; d = X.Mixture(X.Categorical(f(None, 2)), [N(f(None, 4), c(3, 4)), N(c(3, 4), c(3, 4))], validate_args=True); s = d.sample((2, 3), seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + stats(d, 'mean', 'stddev')
m, t = f(2, 3), c(2, 3); N = X.Normal; d = X.Mixture(X.Categorical(c(2, 2)[:, :2]), [N(c(2), c(2)), N(c(2), c(2))], use_static_graph=True); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + tf.gradients(d.log_prob(s), d.components[0].loc)
d = X.MixtureSameFamily(X.Categorical(probs=c(3)), X.Normal(c(3), c(3))); s = d.sample(5, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf') + stats(d, 'mean', 'variance', 'stddev')
d = X.MixtureSameFamily(X.Categorical(logits=f(None, 2)), X.MultivariateNormalDiag(f(None, 2, 4), c(3, 2, 4))); s = d.sample(5); ys = shapes(d) + at(d, tf.ones([5, 3, 4]), 'log_prob') + stats(d, 'mean', 'variance', 'covariance')
d = X.Independent(X.Normal(c(2, 3), c(3))); s = d.sample(5, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob') + stats(d, 'mean', 'variance', 'stddev', 'mode', 'entropy')
d = X.Independent(X.Bernoulli(logits=f(None, 3, 2)), 2, validate_args=True); s = d.sample(5, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + stats(d, 'mean')
d, e = X.Independent(X.Normal(c(2, 3), c(3))), X.Independent(X.Normal(c(2, 3), c(3))); ys = [d.kl_divergence(e)]
d = X.QuantizedDistribution(X.Normal(c(3) * 4, c(3) * 3), low=tf.constant(0.), high=tf.constant(5.)); s = d.sample(5, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob', 'cdf', 'log_cdf', 'survival_function', 'log_survival_function')
d = X.QuantizedDistribution(X.Uniform(0., f(None) * 9), low=tf.constant(1.), validate_args=True); s = d.sample(5, seed=1); ys = shapes(d) + [s] + at(d, s, 'prob')
d = X.MultivariateNormalDiagPlusLowRank(c(3), c(3), scale_perturb_factor=c(3, 2)); s = d.sample(5, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + stats(d, 'mean', 'stddev', 'covariance', 'entropy')
d = X.MultivariateNormalDiagPlusLowRank(c(2, 3), scale_identity_multiplier=c(), scale_perturb_factor=c(2, 3, 1), scale_perturb_diag=c(2, 1), validate_args=True); s = d.sample(5, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + stats(d, 'covariance')
ys = [X.percentile(f(4, 5), 50.), X.percentile(f(None, 5), 30., axis=[-1], interpolation='lower', keep_dims=True), X.percentile(c(4, 5, 2), 95, axis=[0, 2], interpolation='higher', validate_args=True), X.percentile(c(4), 20., keep_dims=True)]
ys = [X.auto_correlation(f(4, 5)), X.auto_correlation(f(None, 6), axis=0, max_lags=2, center=False), X.auto_correlation(c(7), max_lags=3, normalize=False)]
a = B.Affine(c(3), scale_tril=c(3, 3)); x = f(4, 3); ys = [a.forward(x), a.inverse(x + 1), a.forward_log_det_jacobian(x, 1), a.inverse_log_det_jacobian(x, 1)]
a = B.Affine(c(2, 3), scale_diag=c(3), scale_identity_multiplier=c(), validate_args=True); x = f(None, 2, 3); ys = [a.forward(x), a.inverse(x + 1), a.forward_log_det_jacobian(x, 1)]
a = B.Affine(c(3), 2.); x = f(4, 3); ys = [a.forward(x), a.inverse(x + 1), a.forward_log_det_jacobian(x, 1)]
a = B.Affine(scale_diag=c(3), scale_perturb_factor=c(3, 2)); x = f(4, 3); ys = [a.forward(x), a.inverse(x + 1), a.forward_log_det_jacobian(x, 1)]
a = B.Permute([2, 0, 1]); x = f(4, 3); ys = [a.forward(x), a.inverse(x + 1), a.forward_log_det_jacobian(x, 1)]
a = B.MaskedAutoregressiveFlow(B.masked_autoregressive_default_template([6, 3])); x = f(4, 3); ys = [a.forward(x), a.inverse(x + 1), a.inverse_log_det_jacobian(x + 1, 1)]
a = B.MaskedAutoregressiveFlow(B.masked_autoregressive_default_template([6], shift_only=True, activation=tf.tanh), unroll_loop=True); x = f(None, 3); ys = [a.forward(x), a.inverse(x + 1), a.inverse_log_det_jacobian(x + 1, 1)]
a = B.RealNVP(2, B.real_nvp_default_template([5])); x = f(4, 5); ys = [a.forward(x), a.inverse(x + 1), a.inverse_log_det_jacobian(x + 1, 1)]
d = X.TransformedDistribution(X.MultivariateNormalDiag(c(3), c(3)), B.Chain([B.Permute([2, 0, 1]), B.MaskedAutoregressiveFlow(B.masked_autoregressive_default_template([6]))])); ys = [d.log_prob(f(4, 3)), d.sample(2, seed=1)]
B.Permute([1, 1])
B.RealNVP(0, None)
X.percentile(c(4), 20., axis=2)
X.Mixture(X.Categorical(c(3)), [])
X.Mixture(X.Categorical(c(3)), [X.Normal(1., 1.)])
X.Mixture(X.Categorical(c(2)), [X.Normal(1., 1.), X.Bernoulli(.5)])
X.MixtureSameFamily(X.Categorical(c(2)), X.Normal(c(3), c(3)))
X.Independent(X.Normal(c(3), c(3)), 2)
X.Poisson()
X.Poisson([1])
X.OneHotCategorical()
X.Cauchy([1.], [1.], allow_nan_stats=False).mean()
d = X.WishartFull(5., np.array([[[2., .5, .25], [.5, 3., -.5], [.25, -.5, 1.]], [[1., .5, 0.], [.5, 2., .5], [0., .5, 4.]]], 'f')); s = d.sample(4, seed=1); ys = shapes(d) + [s, d.scale(), d.df, d.dimension, d.mean_log_det(), d.log_normalization()] + at(d, s, 'log_prob', 'prob') + stats(d, 'mean', 'variance', 'mode', 'entropy')
a = np.linalg.cholesky(np.array([[2., .5], [.5, 1.]], 'f')); d = X.WishartCholesky([4., 2.5], np.stack([a, 2 * a]), True); s = d.sample(seed=2); ys = shapes(d) + [s, d.scale()] + at(d, s, 'log_prob') + stats(d, 'mean', 'mode', 'variance') + tf.gradients(d.log_prob(s), s)
d = X.WishartFull(3., [[2., .5], [.5, 1.]], validate_args=True); s = d.sample(2, seed=2); ys = [s] + stats(d, 'mean', 'stddev')
d = X.WishartCholesky(3., [[2., 0.], [.5, 1.]], validate_args=True); s = d.sample(2, seed=2); ys = [s] + at(d, s, 'log_prob')
X.WishartFull(1., [[2., .5], [.5, 1.]])
X.WishartCholesky(3., [[2., 0.], [.5, 1.]], True).stddev()
d = X.VectorExponentialDiag(c(2, 3), c(3)); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob') + stats(d, 'mean', 'variance', 'stddev', 'covariance', 'mode')
d = X.VectorExponentialDiag(scale_diag=f(None, 3), scale_identity_multiplier=c(2)); s = d.sample(seed=1); ys = [s] + at(d, s, 'log_prob') + stats(d, 'mean', 'mode')
d = X.VectorLaplaceDiag(c(2, 3), c(3)); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob') + stats(d, 'mean', 'variance', 'stddev', 'covariance', 'mode')
d = X.VectorLaplaceDiag(scale_diag=f(None, 3), name='n'); s = d.sample(seed=1); ys = [s] + at(d, s, 'log_prob') + stats(d, 'mean', 'mode')
d = X.SinhArcsinh(c(3), c(3)); s = d.sample(4, seed=1); ys = shapes(d) + [s, d.loc, d.scale, d.tailweight, d.skewness] + at(d, s, 'log_prob', 'prob', 'cdf')
k = c(3); d = X.SinhArcsinh(f(None), 2., k, c(2, 1), X.Normal(0., 2.), validate_args=True); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob') + tf.gradients([s, d.log_prob(s)], k)
d = X.VectorSinhArcsinhDiag(c(3), c(2, 3), skewness=.3); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob') + [d.loc, d.scale.to_dense()]
d = X.VectorSinhArcsinhDiag(None, c(3), tailweight=.7); s = d.sample(2, seed=1); ys = [s] + at(d, s, 'log_prob')
X.SinhArcsinh([1.], 1., distribution=X.Normal([0., 1.], 1.))
b = B.SinhArcsinh(.3, 1.5, validate_args=True); x = c(3); y = b.forward(x); ys = [y, b.inverse(c(3)), b.forward_log_det_jacobian(c(2), 0), b.inverse_log_det_jacobian(c(2), 0)]
d = X.Kumaraswamy(c(3) * 4, c(3) * 4); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob', 'cdf') + stats(d, 'mean', 'variance', 'stddev', 'entropy', 'mode')
d = X.Kumaraswamy(f(None) * 4, [[2.], [3.]], validate_args=True, allow_nan_stats=False); s = d.sample(2, seed=1); ys = [s] + at(d, s, 'log_prob') + stats(d, 'mode')
S = type('S', (B.ConditionalBijector,), {'__init__': lambda self: B.ConditionalBijector.__init__(self, forward_min_event_ndims=0, validate_args=False, name='s'), '_forward': lambda self, x, k: x * k, '_inverse': lambda self, y, k: y / k, '_inverse_log_det_jacobian': lambda self, y, k: -tf.log(k)}); d = X.ConditionalTransformedDistribution(X.Normal(c(3), 1.), S()); k = {'k': c(3)}; s = d.sample(4, seed=1, bijector_kwargs=k); ys = [s] + [getattr(d, n)(s, bijector_kwargs=k) for n in ('log_prob', 'prob', 'cdf', 'log_cdf', 'survival_function', 'log_survival_function')]
w = c(3); d = X.Autoregressive(lambda x: X.MultivariateNormalDiag(x * w, [1., 2., 3.]), tf.zeros([1, 3])); s = d.sample(seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'prob') + [tf.constant(d.num_steps)]
p = X.Normal([1., 2.], [.5, 3.]); q, r = X.normal_conjugates_known_scale_posterior(p, 2., c(2), 4), X.normal_conjugates_known_scale_predictive(p, tf.constant(2.), c(2), tf.constant(4)); ys = [q.loc, q.scale, r.loc, r.scale]
X.normal_conjugates_known_scale_posterior(X.Laplace(1., 2.), 2., c(2), 4)
d = X.BatchReshape(X.Normal(c(6), 1.), [2, 3]); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'log_prob', 'cdf', 'survival_function') + stats(d, 'mean', 'variance', 'stddev', 'mode', 'entropy')
d = X.BatchReshape(X.MultivariateNormalDiag(c(6, 2), c(2)), [2, -1], validate_args=True); s = d.sample(4, seed=1); ys = shapes(d) + [s] + at(d, s, 'prob') + stats(d, 'mean')
X.BatchReshape(X.Normal(c(6), 1.), [2, 2])
x = f(2, 3); b = B.Gumbel(c(), 2.); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 1)]
x = f(2, 3); b = B.Gumbel(c(3), c(3), validate_args=True); ys = [b.inverse(x), b.inverse_log_det_jacobian(f(2, 3), 1)]
x = f(2, 3); b = B.Softsign(validate_args=True); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 1)]
x = f(2, 3); b = B.Square(validate_args=True); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 1)]
x = tf.cumsum(f(2, 3), -1); b = B.Ordered(validate_args=True); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 1), b.forward_event_shape_tensor([2, 3]), b.inverse_event_shape_tensor([3])]
x = f(None, 4); b = B.Reshape([2, -1], [4], validate_args=True); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.forward_event_shape_tensor([4]), tf.constant(str((b.forward_event_shape([5, 4]), b.inverse_event_shape(tf.TensorShape([2, 2])))))]
x = f(3, 4); b = B.Reshape(tf.placeholder_with_default([2, 2], [2]), tf.placeholder_with_default([4], [1]), validate_args=True); y = b.forward(x); ys = [y, b.inverse(tf.identity(y))]
B.Reshape([-1, -1])
B.Reshape([-2, 1])
B.Reshape([2.])
B.Reshape([2, 2], [3]).forward(c(2, 4))
B.Reshape([[2, 2]])
x = f(2, 6); b = B.FillTriangular(validate_args=True); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 2), b.forward_event_shape_tensor([2, 6]), b.inverse_event_shape_tensor([3, 3]), tf.constant(str((b.forward_event_shape([5, 6]), b.inverse_event_shape(tf.TensorShape([4, 3, 3])), b.forward_event_shape([None]), b.inverse_event_shape(tf.TensorShape([None, None])))))]
b = B.FillTriangular(upper=True); ys = [b.forward(c(3)), b.inverse(c(2, 2)), b.forward_event_shape_tensor(tf.placeholder_with_default([2, 6], [2]))]
B.FillTriangular().forward_event_shape([5])
B.FillTriangular().inverse_event_shape([3, 2])
x = f(2, 3, 3); b = B.TransformDiagonal(B.Exp()); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 2)]
x = f(2, 6); b = B.ScaleTriL(diag_shift=.5); y = b.forward(x); ys = [y, b.inverse(tf.identity(y))]; ys += tf.gradients(ys, x)
b = B.ScaleTriL(diag_bijector=B.Exp(), diag_shift=None, validate_args=True); ys = [b.forward(c(3))]
x = tf.matrix_band_part(f(2, 3, 3), -1, 0); b = B.MatrixInverseTriL(validate_args=True); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 2)]
x = tf.matrix_band_part(f(2, 3, 3), -1, 0); b = B.CholeskyOuterProduct(); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 2)]
x = tf.matrix_band_part(c(3, 3), -1, 0); b = B.CholeskyOuterProduct(validate_args=True); y = b.forward(x); ys = [y, b._forward_log_det_jacobian(x)]
x = tf.placeholder_with_default(np.eye(3, dtype='f') + .5, None); b = B.CholeskyOuterProduct(); ys = [b._forward_log_det_jacobian(x)]
x = f(4, 3); b = B.BatchNormalization(); y = b.inverse(x); ys = [y, b.inverse_log_det_jacobian(x, 1), b.forward(tf.identity(y)), b._forward_log_det_jacobian(tf.identity(y))]
x = f(4, 3); b = B.BatchNormalization(tf.layers.BatchNormalization(scale=True, center=False, axis=-1), training=False); y = b.inverse(x); ys = [y, b.inverse_log_det_jacobian(x, 1), b.forward(tf.identity(y))]
x = f(4, 3, 2); b = B.BatchNormalization(tf.layers.BatchNormalization(axis=1), training=False); ys = [b.forward(x)]
B.BatchNormalization(tf.layers.Dense(3))
B.BatchNormalization(tf.layers.BatchNormalization(renorm=True))
d = X.TransformedDistribution(X.MultivariateNormalDiag(tf.zeros([3]), tf.ones([3])), B.BatchNormalization()); ys = [d.log_prob(f(4, 3))]
W = __import__('importlib').import_module(tf.__name__ + '.contrib.distributions.python.ops.bijectors.weibull'); b = W.Weibull(c(), c(3), validate_args=True); x = f(2, 3); y = b.forward(x); ys = [y, b.inverse(tf.identity(y)), b._forward_log_det_jacobian(x), b.inverse_log_det_jacobian(tf.identity(y), 0)]
"""

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().split("\n")}
