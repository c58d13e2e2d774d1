"""Distributions whose parameters are themselves drawn, over a grid: grids, values, draws and mistakes."""

_PRELUDE = """
D, L = tf.contrib.distributions, tf.linalg
import numpy as np
def of(d, x, *names):
    return [d.log_prob(x), d.prob(x)] + [getattr(d, n)() for n in names]
def counts(loc, scale, n=5, size=8, **more):
    d = D.PoissonLogNormalQuadratureCompound(loc, scale, size, **more)
    return of(d, tf.constant(n, tf.float32), 'mean', 'variance', 'stddev', 'batch_shape_tensor') + [d.sample(7, seed=3), d.sample([2, 3], seed=9)]
def vectors(loc, scale, mix=[[0.], [1.]], temperature=[1.5], size=6, n=2, **more):
    d = D.VectorDiffeomixture(mix, temperature, D.Normal(0.5, 1.5), loc, scale, size, **more)
    x = tf.constant(np.linspace(-1., 2., 4 * n).reshape(4, 1, n), tf.float32)
    return of(d, x, 'mean', 'variance', 'covariance', 'batch_shape_tensor', 'event_shape_tensor') + [d.grid, d.sample(5, seed=4)]
def two(a, b): return [a, b]
I = L.LinearOperatorScaledIdentity
def diag(*x): return L.LinearOperatorDiag(np.float32(x), is_positive_definite=True)
def lower(x): return L.LinearOperatorLowerTriangular(np.float32(x), is_positive_definite=True)
def one(n=2): return L.LinearOperatorIdentity(n, is_positive_definite=True)
"""

_LINES = """
ys = D.quadrature_scheme_lognormal_gauss_hermite(tf.constant([.5, -1.]), tf.constant([1., .3]), 5)
ys = D.quadrature_scheme_lognormal_quantiles(tf.constant([[.5, -1.]]), tf.constant([1., .3]), 5)
ys = D.quadrature_scheme_lognormal_quantiles(tf.constant(.5, tf.float64), tf.constant(2., tf.float64), 3)
ys = D.quadrature_scheme_softmaxnormal_quantiles([[.5], [-1.]], [1.], 4)
ys = D.quadrature_scheme_softmaxnormal_quantiles([.5], [.2], 7, validate_args=True)
D.quadrature_scheme_softmaxnormal_quantiles(.5, .2, 7)
D.quadrature_scheme_softmaxnormal_gauss_hermite([.5, 1.], [.2, .3], 7)
ys = counts(0., 1.)
ys = counts([0., -.5], 1., [1, 4])
ys = counts([[0., -.5]], [[.5], [1.]], [1, 4], 4, quadrature_fn=D.quadrature_scheme_lognormal_gauss_hermite)
counts(0., 1., quadrature_fn=lambda a, b, n, v: (tf.zeros([n]), tf.ones([n], tf.float64)))
ys = vectors([None, np.float32([.25, -.5])], two(one(), diag(.4, .9)))
ys = vectors([np.float32([1., 2.]), np.float32([.25, -.5])], two(diag(1., 2.), lower([[1., 0.], [.5, 2.]])))
ys = vectors(None, two(lower([[2., 0.], [-.5, 1.]]), lower([[1., 0.], [.5, 2.]])), mix=[.3], validate_args=True)
ys = vectors([np.float32([1., 2.]), None], two(I(2, np.float32(1.5)), one()), mix=[[0.]])
vectors(None, [one()])
vectors(None, [one(), one(), one()])
vectors([None], two(one(), one()))
vectors(None, two(one(), L.LinearOperatorIdentity(2, dtype=tf.float64)))
vectors(None, two(one(), L.LinearOperatorFullMatrix(np.eye(2, dtype=np.float32))))
vectors(None, two(one(), L.LinearOperatorDiag(np.float32([1., 2.]))), validate_args=True)
D.VectorDiffeomixture([.1], [.2], D.Normal([0.], 1.), None, two(one(), one()))
D.VectorDiffeomixture([.1], [.2], D.Normal(np.float64(0.), 1.), None, two(one(), one()))
h = D.estimator_head_distribution_regression(lambda x: D.Normal(x, 2.)); o = h.create_model_fn_ops({}, 'eval', labels=tf.constant([[1.], [2.]]), train_op_fn=None, logits=tf.constant([[.5], [3.]])); ys = [o.loss, o.predictions['scores']]; assert len(h.distributions) == 2
D.estimator_head_distribution_regression(3)
"""


CASES = {line: _PRELUDE + line for line in _LINES.strip().splitlines()}
