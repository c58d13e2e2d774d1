"""Small programs over what is composed from ops: distributions, linear operators, signals. Each sets ``ys``.

They are run by ``record_library.py`` under TensorFlow 1.15.5, and by ``tests/test_library.py`` here.
"""

_PRELUDE = """
tf.set_random_seed(1)
D, X, B = tf.distributions, tf.contrib.distributions, tf.contrib.distributions.bijectors
T, F = tf.contrib.training, tf.contrib.framework
H, V, A, P, S = T.HParams, T.parse_values, tf.linalg, tf.contrib.opt, tf.signal
c = tf.constant_initializer(0.5)
def stepped(op, *variables):
    with tf.control_dependencies([op]): return [tf.identity(v.read_value()) for v in variables]
def parts(z): return [tf.real(z), tf.imag(z)]
def text(x): return tf.constant(str(x))
def placed(g): return [text([(op.name, op.type, op.device) for op in g.get_operations()])]
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, [n or 2 for n in s]).astype('f'), s)
def p(*s): return tf.placeholder_with_default(rng.uniform(0.1, 1, [n or 2 for n in s]).astype('f'), s)
def i(n, *s): return tf.placeholder_with_default(rng.randint(0, n, s), s)
def u(x): return tf.placeholder_with_default(x, None)
def all_of(d, x): return [d.sample(seed=2), d.sample([2, 3], seed=3), d.log_prob(x), d.prob(x), d.mean(), d.variance(), d.stddev(), d.batch_shape_tensor(), d.event_shape_tensor()]
def cdf_of(d, x): return [d.cdf(x), d.log_cdf(x), d.survival_function(x), d.log_survival_function(x)]
"""

_DISTRIBUTIONS = """
d = D.Normal([0., 1.], 2.); x = f(3, 2); ys = all_of(d, x) + cdf_of(d, x) + [d.entropy(), d.mode(), d.quantile(p(2))]
d = D.Normal(f(None), p(2), validate_args=True, name='n'); ys = [d.sample(seed=3), d.sample(2), d.log_prob(.3), d.batch_shape_tensor()] + tf.gradients(d.log_prob(d.sample(4, seed=1)), [d.loc, d.scale])
d = D.Normal(u(np.zeros(2)), np.float64(2.)); ys = [d.sample(u([2]), seed=3), d.sample(u(2), seed=4), d.cdf(.5), d.is_scalar_batch(), d.is_scalar_event()]
ys = [D.kl_divergence(D.Normal(0., 1.), D.Normal(f(2), 2.)), D.Normal(0., 1.).kl_divergence(D.Normal(1., 2.)), D.Normal(0., 1.).cross_entropy(D.Normal(1., 2.))]
ys = [D.kl_divergence(D.Normal(0., 1.), D.Normal(f(2), 2.), allow_nan_stats=False, name='k')]
d = X.NormalWithSoftplusScale(0., f(2)); ys = all_of(d, .3)
d = D.Uniform(-1., [1., 3.]); x = f(3, 2); ys = all_of(d, x) + cdf_of(d, x) + [d.entropy(), d.range()]
d = D.Uniform(validate_args=True); ys = [d.sample(2, seed=3), d.prob([-.1, .5, 1., float('nan')])]
d = D.Laplace([0., 1.], 2.); x = f(3, 2); ys = all_of(d, x) + cdf_of(d, x) + [d.entropy(), d.mode()]
d = D.StudentT([3., 1.5], f(2), 2.); x = f(3, 2); ys = all_of(d, x) + [d.cdf(x), d.entropy(), d.mode()]
d = D.Gamma([3., .5], p(2)); x = p(3, 2); ys = all_of(d, x) + [d.cdf(x), d.entropy(), d.mode()]
d = D.Gamma(p(), 2., validate_args=True); s = d.sample(3, seed=1); ys = [s] + tf.gradients(s, [d.concentration, d.rate])
ys = [D.kl_divergence(D.Gamma(p(2), p(2)), D.Gamma(p(2), 2.))]
d = D.Exponential(p(2)); x = p(3, 2); ys = all_of(d, x) + [d.cdf(x), d.survival_function(x), d.log_survival_function(x)]
ys = all_of(X.ExponentialWithSoftplusRate(f(2)), .5) + all_of(X.GammaWithSoftplusConcentrationRate(f(2), 1.), .5)
d = D.Beta([1.5, .5], p(2)); x = tf.constant([[.2, .7]]); ys = all_of(d, x) + [d.cdf(x), d.log_cdf(x), d.entropy(), d.mode()]
d = D.Beta(2., 3., validate_args=True, allow_nan_stats=False); ys = [d.mode(), d.prob(.3)] + tf.gradients(d.sample(3, seed=1), [d.concentration1, d.concentration0])
ys = [D.kl_divergence(D.Beta(p(2), p(2)), D.Beta(p(2), 2.))] + all_of(X.BetaWithSoftplusConcentration(f(2), 1.), .5)
d = D.Bernoulli(f(2)); x = i(2, 2); ys = all_of(d, x) + [d.entropy(), d.mode(), d.log_prob(1)] + tf.gradients(d.log_prob(x), d.logits)
d = D.Bernoulli(probs=p(None, 2), dtype=tf.float32, validate_args=True); ys = [d.sample(3, seed=1), d.log_prob(1.), d.mean()]
ys = [D.kl_divergence(D.Bernoulli(f(2)), D.Bernoulli(probs=p(2)))]
d = D.Categorical(f(2, 3)); x = i(3, 2); ys = [d.sample(seed=2), d.sample([2, 3], seed=3), d.log_prob(x), d.prob(1), d.entropy(), d.mode(), d.cdf(x), d.batch_shape_tensor(), d.event_size]
d = D.Categorical(logits=f(None, 3)); a = d.sample(seed=1); ys = [a, d.log_prob(a)] + tf.gradients(d.log_prob(a), d.logits) + tf.gradients(d.entropy(), d.logits)
d = D.Categorical(probs=u(np.float32([.2, .8])), dtype=tf.int64); ys = [d.sample(4, seed=1), d.log_prob(0.), d.mode(), d.batch_shape_tensor()]
d = D.Categorical(f(3), validate_args=True); ys = [d.sample(2, seed=1), d.log_prob([0, 2])]
ys = [D.kl_divergence(D.Categorical(f(2, 3)), D.Categorical(f(2, 3)))]
d = D.Dirichlet(p(2, 3) + 1); x = d.sample(seed=5); ys = all_of(d, x) + [d.covariance(), d.entropy(), d.mode()]
d = D.Dirichlet([2., 3.], validate_args=True); ys = [d.prob([.3, .7]), d.sample(2, seed=1)] + tf.gradients(d.sample(3, seed=2)[:, 0], d.concentration)
ys = [D.kl_divergence(D.Dirichlet(p(2, 3)), D.Dirichlet(p(3)))]
d = D.Multinomial(4., f(1, 3)); x = tf.constant([1., 1., 2.]); ys = all_of(d, x) + [d.covariance()]
d = D.Multinomial([4., 2.], probs=[.2, .3, .5], validate_args=True); ys = [d.prob([[1., 1, 2], [0, 1, 1]]), d.mean(), d.covariance()]
d = D.DirichletMultinomial(4., p(2, 3)); x = tf.constant([1., 1., 2.]); ys = all_of(d, x) + [d.covariance()]
d = X.TransformedDistribution(D.Normal(f(2), 1.), B.Exp()); x = d.sample(3, seed=1); ys = [x, d.log_prob(x), d.prob(p(3, 2)), d.quantile(p(2))] + cdf_of(d, p(2))
d = X.TransformedDistribution(D.Normal(0., 1.), B.Softplus(), event_shape=[3]); x = d.sample(2, seed=1); ys = [x, d.log_prob(x), d.log_prob(p(3)), d.batch_shape_tensor(), d.event_shape_tensor()]
d = X.TransformedDistribution(D.Normal([0., 1.], 1.), B.AffineScalar(f(), 2.), event_shape=[3]); x = d.sample(2, seed=1); ys = [x, d.log_prob(x), d.entropy()]
d = X.TransformedDistribution(D.Normal(0., 1.), batch_shape=[2], event_shape=[3]); x = d.sample(2, seed=1); ys = [x, d.log_prob(x), d.entropy()]
d = X.TransformedDistribution(D.Normal(0., 1.), B.AbsoluteValue()); ys = [d.sample(2, seed=1), d.log_prob([.2, .5]), d.prob([.2, .5])]
b = B.Invert(B.Exp()); x = p(2, 3); ys = [b.forward(x), b.inverse(x), b.forward_log_det_jacobian(x, 0), b.inverse_log_det_jacobian(x, 1)]
b = B.Chain([B.Exp(), B.Softplus(), B.AffineScalar(1., 3.)]); x = p(2, 3); y = b.forward(x); ys = [y, b.inverse(y), b.forward_log_det_jacobian(x, 1), b.inverse_log_det_jacobian(p(None, 3), 1)]
b = B.SoftmaxCentered(); x = f(2, 3); y = b.forward(x); ys = [y, b.inverse(p(2, 4)), b.forward_log_det_jacobian(x, 1), b.inverse_log_det_jacobian(y, 1), b.forward_event_shape_tensor([3]), b.inverse_event_shape_tensor([4])]
b = B.Sigmoid(); x = f(2, 3); y = b.forward(x); ys = [y, b.inverse(y), b.inverse(p(2)), b.forward_log_det_jacobian(x, 0), b.inverse_log_det_jacobian(p(2), 1)]
b = B.PowerTransform(2., validate_args=True); x = p(2, 3); ys = [b.forward(x), b.inverse(x), b.forward_log_det_jacobian(x, 0), b.inverse_log_det_jacobian(x, 1)]
b = B.Softplus(2., validate_args=True); x = p(2, 3); ys = [b.forward(x), b.inverse(x), b.forward_log_det_jacobian(x, 0), b.inverse_log_det_jacobian(x, 1)]
b = B.Inline(forward_fn=tf.exp, inverse_fn=tf.log, inverse_log_det_jacobian_fn=lambda y: -tf.reduce_sum(tf.log(y), -1), forward_min_event_ndims=1, name='e'); x = p(2, 3); ys = [b.forward(x), b.inverse(x), b.inverse_log_det_jacobian(x, 1), b.forward_log_det_jacobian(x, 1)]
ys = [X.fill_triangular(f(2, 6)), X.fill_triangular(f(None, 3), upper=True), X.fill_triangular_inverse(f(2, 3, 3)), X.tridiag(f(2), f(3), f(2)), X.softplus_inverse(p(3)), X.reduce_weighted_logsumexp(f(2, 3), p(2, 3), axis=1), X.matrix_diag_transform(f(2, 2), tf.exp)]
str(D.Normal(f(None), 1.)) and 1 / 0
D.Normal('a', 1.)
D.Normal(0., [1])
D.Bernoulli()
D.Bernoulli(probs=[1, 0])
D.Categorical([1.], validate_args=True)
D.Categorical(f(2)).log_prob(tf.constant([True]))
D.kl_divergence(D.Normal(0., 1.), D.Gamma(1., 1.))
D.Normal(0., 1.).covariance()
D.Categorical(f(2)).mean()
D.Normal(0., 1.).sample(f(2, 2))
X.TransformedDistribution(D.Normal([0., 1.], 1.), batch_shape=[2])
X.TransformedDistribution(D.Normal(0., 1.), B.Exp(), event_shape=[2]).cdf([1., 2.])
B.Invert(B.AbsoluteValue())
B.SoftmaxCentered().forward_log_det_jacobian(f(2), 0)
"""

_TRAINING = """
h = H(a=1, b=[1., 2.], c='x', d=True, e=None); h.parse('a=3,b=[4.5, 5],c=why not,d=false'); ys = [text(h.values()), text(h), text(repr(h)), text(h.to_json(sort_keys=True)), text('a' in h), text(h.get('a', 2))]
h = H(); h.add_hparam('n', 2); h.set_hparam('n', 5); h.override_from_dict({'n': 6}); h.parse_json('{"n": 7}'); h.del_hparam('n'); ys = [text(h.values()), text(h.get('n', 3))]
ys = [text(sorted(V(t, {'a': int, 'b': float, 'c': str, 'd': bool}).items())) for t in ('a=1', 'a=1,b=2', 'a[1]=3,a[0]=4', 'b=[1,2]', 'c=hi, d=1', 'd=[true,0]')]
ys = [text(V('a=1,z=2', {'a': int}, ignore_unknown=True))]
V('a=x', {'a': int})
V('a=1,a=2', {'a': int})
V('a=1,a[1]=2', {'a': int})
V('a[1]=1,a[1]=2', {'a': int})
V('a[1]=[1]', {'a': int})
V('a=[x]', {'a': int})
V('a=yes', {'a': bool})
V('z=1', {'a': int})
V('=1', {'a': int})
H(values=1)
H(a=[])
H(a=1).set_hparam('a', 1.5)
H(a=1).set_hparam('a', 'x')
H(a='x').set_hparam('a', 1)
H(a=True).set_hparam('a', 1)
H(a=1).set_hparam('a', [1])
H(a=[1]).set_hparam('a', 1)
H(a=1).get('a', 'x')
H(a=[1]).get('a', 2)
c = tf.train.ClusterSpec({'ps': ['a:1', 'b:2'], 'worker': {1: 'c:1', 3: 'd:1'}}); ys = [text(c), text(sorted(c.as_dict().items())), text(c.num_tasks('ps')), text(c.task_indices('worker')), text(c.task_address('worker', 3)), text(c.job_tasks('worker')), text(c == tf.train.ClusterSpec(c)), text(bool(c))]
tf.train.ClusterSpec({'ps': 'a'})
tf.train.ClusterSpec(['a'])
tf.train.ClusterSpec({'ps': ['a']}).num_tasks('x')
tf.train.ClusterSpec({'ps': ['a']}).task_address('ps', 4)
g = tf.Graph()\\nwith g.as_default(), tf.device(tf.train.replica_device_setter(2, worker_device='/job:worker/task:3')): v = [tf.Variable(1., name='v'), tf.get_variable('w', [2], initializer=c), tf.get_variable('r', [], initializer=c, use_resource=True)]; y = v[0] + v[1]\\nys = placed(g)
g = tf.Graph()\\nwith g.as_default(), tf.device(tf.train.replica_device_setter(ps_tasks=2, ps_device='/job:a', worker_device='/job:b/gpu:1', ps_ops=['VariableV2'])):\\n  with tf.device('/cpu:0'): v = [tf.Variable(1., name='v'), tf.get_variable('r', [], initializer=c, use_resource=True)]\\n  with tf.device('/job:c'): v.append(tf.Variable(2.))\\nys = placed(g)
g = tf.Graph()\\nwith g.as_default(), tf.device(tf.train.replica_device_setter(cluster={'ps': ['a', 'b', 'd']}, ps_strategy=T.GreedyLoadBalancingStrategy(3, T.byte_size_load_fn))): v = [tf.get_variable('w%d' % n, [n], initializer=c) for n in (5, 2, 3, 4)]\\nys = placed(g)
g = tf.Graph()\\nwith g.as_default(), tf.device(tf.train.replica_device_setter(4, ps_strategy=T.RandomStrategy(4, 2))): v = [tf.get_variable('w%d' % n, [n], initializer=c) for n in (5, 2, 3)]\\nys = placed(g)
ys = [text(tf.train.replica_device_setter(0)), text(tf.train.replica_device_setter(cluster={'worker': ['a']}))]
tf.train.replica_device_setter(1, ps_strategy=3)
F.variable('a', [2], initializer=c); F.model_variable('b', [2], initializer=c, regularizer=tf.nn.l2_loss); F.local_variable(1.); F.global_variable(2., name='g'); ys = [text([v.name for v in l]) for l in (F.get_variables(), F.get_variables('b'), F.get_variables(suffix='a'), F.get_model_variables(), F.get_local_variables(), F.get_trainable_variables('a'), F.get_variables_by_name('g'), F.get_variables_by_suffix('b'), F.get_variables_to_restore(exclude=['a']), F.get_variables_to_restore(['a', 'b']), F.filter_variables(F.get_variables(), ['a', 'b'], ['b']))]
with F.arg_scope([F.variable], trainable=False, initializer=c): v = F.variable('a', [2]); F.add_model_variable(v); F.add_model_variable(v); ys = [v, F.get_unique_variable('a')]
v = F.variable('a', [2], initializer=c); op, feeds = F.assign_from_values({'a': np.array([1., 2.])}); ys = [text(sorted(t.name for t in feeds))]
F.get_unique_variable('z')
F.get_variables_to_restore('a')
F.assign_from_values({'z': 1})
x = tf.placeholder(tf.float32, [2]); ys = [F.reduce_sum_n([f(2), f(3)]), text([t.name for t in F.get_placeholders(tf.get_default_graph())])]
v = tf.Variable([1., 2.]); w = tf.Variable([3.]); opt = tf.train.GradientDescentOptimizer(.1); loss = tf.reduce_sum(v ** 2) + tf.reduce_sum(tf.gather(w, [0])); tf.add_to_collection('update_ops', tf.assign_add(w, [1.])); ys = [text(T.create_train_op(loss, opt, transform_grads_fn=T.clip_gradient_norms_fn(.5)))]
v = tf.Variable([1., 2.]); w = tf.Variable([[3.]]); opt = tf.train.GradientDescentOptimizer(.1); loss = tf.reduce_sum(v ** 2) + tf.reduce_sum(tf.gather(w, [0])); ys = [text(T.create_train_op(loss, opt, None, transform_grads_fn=lambda g: T.multiply_gradients(g, {v: 2., 'Variable_1': .5}), check_numerics=False))]
T.multiply_gradients([], {})
T.multiply_gradients((), {'a': 1})
"""

_OF_OPERATORS = """
def facts(o): return [text([o.is_square, o.is_non_singular, o.is_self_adjoint, o.is_positive_definite, o.shape, o.name, o.dtype, o.tensor_rank])]
def all_of_operator(o, n=2): return facts(o) + [o.matmul(f(n, 3)), o.matmul(f(3, n), adjoint_arg=True), o.matvec(f(n)), o.to_dense(), o.diag_part(), o.trace(), o.determinant(), o.log_abs_determinant(), o.solve(f(n, 3)), o.solve(f(n, 3), adjoint=True), o.solvevec(f(n)), o.add_to_tensor(f(n, n)), o.shape_tensor(), o.batch_shape_tensor(), o.domain_dimension_tensor(), o.adjoint().to_dense(), o.inverse().to_dense()]
"""
_LINEAR_OPERATORS = """
ys = all_of_operator(A.LinearOperatorDiag(p(2))) + all_of_operator(A.LinearOperatorDiag(p(3, 2), is_positive_definite=True, name='d'))
o = A.LinearOperatorDiag(p(2), is_positive_definite=True); ys = facts(o.cholesky()) + [o.cholesky().to_dense(), o.assert_non_singular(), o.assert_positive_definite(), o.assert_self_adjoint()][:1]
ys = all_of_operator(A.LinearOperatorIdentity(2)) + all_of_operator(A.LinearOperatorIdentity(u(2), [3], assert_proper_shapes=True, name='i'))
ys = all_of_operator(A.LinearOperatorScaledIdentity(2, 3.)) + all_of_operator(A.LinearOperatorScaledIdentity(2, p(3), assert_proper_shapes=True))
ys = all_of_operator(A.LinearOperatorLowerTriangular(p(2, 2) + 1.)) + all_of_operator(A.LinearOperatorLowerTriangular(p(3, 2, 2) + 1., is_non_singular=True))
o = A.LinearOperatorLowerTriangular(p(2, 2)); ys = [o.solve(f(4, 2, 3)), o.solve(f(5, 4, 2, 1), adjoint=True), o.matmul(f(4, 2, 3))]
ys = all_of_operator(A.LinearOperatorFullMatrix(p(2, 2) + np.eye(2, dtype='f'))) + all_of_operator(A.LinearOperatorFullMatrix(tf.constant([[2., .5], [.5, 1.]]), is_self_adjoint=True, is_positive_definite=True))
o = A.LinearOperatorFullMatrix(p(2, 3)); ys = facts(o) + [o.matmul(f(3, 1)), o.matmul(f(2, 1), adjoint=True), o.to_dense(), o.H.to_dense()]
ys = all_of_operator(A.LinearOperatorComposition([A.LinearOperatorDiag(p(2), is_non_singular=True), A.LinearOperatorLowerTriangular(p(2, 2), is_non_singular=True)]))
ys = all_of_operator(A.LinearOperatorBlockDiag([A.LinearOperatorDiag(p(2)), A.LinearOperatorFullMatrix(p(1, 1))]), 3)
ys = all_of_operator(A.LinearOperatorLowRankUpdate(A.LinearOperatorDiag(p(3), is_positive_definite=True), f(3, 2)), 3)
ys = all_of_operator(A.LinearOperatorLowRankUpdate(A.LinearOperatorDiag(p(3)), f(3, 2), f(2), f(3, 2), name='l'), 3)
a, b, c = A.LinearOperatorDiag(p(2), is_non_singular=True), A.LinearOperatorLowerTriangular(p(2, 2)), A.LinearOperatorScaledIdentity(2, 3.); ys = sum([facts(o) + [o.to_dense()] for o in (a.matmul(a), a.matmul(b), b.matmul(a), a.matmul(c), c.matmul(a), b.matmul(b), a.solve(a), a.solve(b), a.solve(c), c.solve(a), b.solve(b), b.inverse().solve(b), A.LinearOperatorIdentity(2).matmul(b), b.matmul(A.LinearOperatorIdentity(2)))], [])
A.LinearOperatorDiag(3.)
A.LinearOperatorDiag(p(2), is_self_adjoint=False)
A.LinearOperatorFullMatrix([1, 2])
A.LinearOperatorFullMatrix(p(2, 2), is_positive_definite=True, is_non_singular=False)
A.LinearOperatorIdentity(2, is_square=False)
A.LinearOperatorIdentity(-1)
A.LinearOperatorIdentity(2.)
A.LinearOperatorDiag(p(2)).matmul(p(3, 3))
A.LinearOperatorDiag(p(2)).matmul(tf.constant([[1], [2]]))
A.LinearOperatorFullMatrix(p(2, 3)).determinant()
A.LinearOperatorFullMatrix(p(2, 3)).solve(p(2, 3))
A.LinearOperatorFullMatrix(p(2, 2)).cholesky()
A.LinearOperatorDiag(p(2)).matmul(A.LinearOperatorDiag(p(3)))
A.LinearOperatorComposition([])
d = X.MultivariateNormalDiag([1., -1.], p(2)); x = f(3, 2); ys = [d.sample(3, seed=1), d.sample(seed=2), d.log_prob(x), d.prob(x), d.mean(), d.variance(), d.stddev(), d.covariance(), d.entropy(), d.mode(), d.batch_shape_tensor(), d.event_shape_tensor()] + tf.gradients(d.log_prob(x), [d.loc, d.scale.diag])
d = X.MultivariateNormalDiag(loc=f(None, 2), scale_diag=p(2)); s = d.sample(seed=1); ys = [s, d.log_prob(s), d.log_prob(f(2)), d.entropy(), d.batch_shape_tensor()]
d = X.MultivariateNormalDiag(f(3, 2), scale_identity_multiplier=p(3), validate_args=True, name='m'); s = d.sample([2], seed=1); ys = [s, d.log_prob(f(2)), d.stddev(), d.entropy()]
d = X.MultivariateNormalDiag(f(2)); s = d.sample(4, seed=1); ys = [s, d.log_prob(s), d.mean()]
d = X.MultivariateNormalDiagWithSoftplusScale(f(2), f(2)); s = d.sample(4, seed=1); ys = [s, d.log_prob(s)]
d = X.MultivariateNormalTriL(f(2), p(2, 2) + 1.); x = f(3, 2); ys = [d.sample(3, seed=1), d.log_prob(x), d.covariance(), d.variance(), d.stddev(), d.entropy()] + tf.gradients(d.log_prob(x), d.loc)
d = X.MultivariateNormalFullCovariance(f(2), [[1., .2], [.2, 2.]], validate_args=True); ys = [d.sample(3, seed=1), d.log_prob(f(2)), d.covariance(), d.entropy()]
a, b, c = X.MultivariateNormalDiag(f(2), p(2)), X.MultivariateNormalDiag(f(2), p(2)), X.MultivariateNormalTriL(f(2), p(2, 2)); ys = [D.kl_divergence(a, b), D.kl_divergence(a, c), X.kl_divergence(c, b)]
X.MultivariateNormalDiag()
X.MultivariateNormalTriL()
X.MultivariateNormalDiag([1., 2., 3.], [1., 2.])
"""
_SIGNALS = """
x = tf.complex(f(2, 4), f(2, 4)); ys = parts(tf.fft(x)) + parts(tf.ifft(x)) + parts(tf.fft2d(x)) + parts(tf.ifft2d(x)) + tf.gradients(tf.abs(tf.fft(x)), x) [:0]
x = tf.complex(f(3, 2, 4), f(3, 2, 4)); y = [tf.fft(x), tf.ifft(x), tf.fft2d(x), tf.ifft2d(x), tf.fft3d(x), tf.ifft3d(x)]; ys = sum([parts(tf.gradients(tf.abs(z), x)[0]) for z in y], [])
x = f(2, 6); ys = parts(S.rfft(x)) + parts(S.rfft(x, [4])) + parts(S.rfft(x, [9])) + parts(S.rfft(f(None, 5))) + parts(S.rfft2d(x)) + parts(S.rfft2d(x, [3, 5])) + parts(S.rfft3d(f(2, 3, 4)))
z = tf.complex(f(2, 4), f(2, 4)); ys = [S.irfft(z), S.irfft(z, [5]), S.irfft(z, [9]), S.irfft2d(z), S.irfft2d(z, [2, 5]), S.irfft3d(tf.complex(f(2, 3, 4), f(2, 3, 4)))]
z = tf.complex(f(None, None), f(None, None)); x = f(None, None); ys = [S.irfft(z), S.irfft2d(z, u([2, 2]))] + parts(S.rfft(x)) + parts(S.rfft(x, u([4]))) + parts(S.rfft2d(x))
x = f(2, 6); ys = tf.gradients(tf.abs(S.rfft(x)), x) + tf.gradients(tf.abs(S.rfft2d(x)), x); z = tf.complex(f(2, 4), f(2, 4)); ys += parts(tf.gradients(S.irfft(z), z)[0]) + parts(tf.gradients(S.irfft2d(z, [2, 5]), z)[0])
x = f(2, 5); ys = [S.fftshift(x), S.ifftshift(x), S.fftshift(x, 1), S.ifftshift(x, (0,), name='s')]
ys = [S.hann_window(5), S.hann_window(4, periodic=False), S.hamming_window(4), S.hann_window(1), S.hann_window(u(3)), S.hamming_window(3, dtype=tf.float64)]
x = f(2, 9); ys = [S.frame(x, 4, 2), S.frame(x, 4, 3, pad_end=True), S.frame(x, 3, 3, axis=0, pad_end=True, pad_value=7.), S.frame(f(None, None), tf.placeholder_with_default(2, []), 1)]
ys = [S.overlap_and_add(f(2, 3, 4), 2), S.overlap_and_add(f(3, 4), 4), S.overlap_and_add(f(None, 3, 4), 3)]
x = f(2, 20); y = S.stft(x, 8, 4); ys = parts(y) + [S.inverse_stft(y, 8, 4, window_fn=S.inverse_stft_window_fn(4))] + parts(S.stft(x, 6, 3, 8, pad_end=True)) + parts(S.stft(x, 5, 5, window_fn=None)) + tf.gradients(tf.abs(y), x)
y = tf.complex(f(3, 5), f(3, 5)); ys = [S.inverse_stft(y, 8, 2), S.inverse_stft(y, 6, 3, 8, None), S.inverse_stft(y, 9, 3, 8)]
x = f(2, 6); ys = [S.dct(x), S.dct(x, type=1), S.dct(x, type=3), S.dct(x, norm='ortho'), S.dct(x, type=3, norm='ortho'), S.idct(x), S.dct(x, n=4), S.dct(x, n=8), S.idct(x, norm='ortho')]
ys = [S.linear_to_mel_weight_matrix(4, 9), S.linear_to_mel_weight_matrix(5, 17, 16000, 100., 7000.), S.mfccs_from_log_mel_spectrograms(f(2, 3, 4)), S.mfccs_from_log_mel_spectrograms(f(2, None))]
S.dct(f(2, 3), axis=0)
S.dct(f(2, 3), type=4)
S.dct(f(2, 3), type=1, norm='ortho')
S.dct(f(2, 3), norm='x')
S.dct(f(2, 3), n=0)
S.hann_window(3, dtype=tf.int32)
S.linear_to_mel_weight_matrix(0)
S.linear_to_mel_weight_matrix(upper_edge_hertz=5000.)
S.rfft(f())
tf.fft(f(2))
S.overlap_and_add(f(2, 2), 1.)
"""
_OPTIMIZERS = """
v, w = tf.Variable([1., -2.]), tf.Variable([[3.], [4.], [5.]]); o = P.AdaMaxOptimizer(.1); ys = stepped(o.minimize(tf.reduce_sum(v ** 2) + tf.reduce_sum(w ** 2)), v, w) + [text(sorted(o.get_slot_names()))]
v, w = tf.Variable([1., -2.]), tf.Variable([[3.], [4.], [5.]]); o = P.NadamOptimizer(.1); ys = stepped(o.minimize(tf.reduce_sum(v ** 2) + tf.reduce_sum(w ** 2)), v, w)
w = tf.Variable([[3.], [4.], [5.]]); o = P.AdaMaxOptimizer(.1, .8, name='a'); ys = stepped(o.minimize(tf.reduce_sum(tf.gather(w, [0, 2]) ** 2)), w)
w = tf.Variable([[3.], [4.], [5.]]); o = P.NadamOptimizer(.1, .8, epsilon=.1); ys = stepped(o.minimize(tf.reduce_sum(tf.gather(w, [0, 2]) ** 2)), w)
w = tf.Variable([[3.], [4.], [5.]]); o = P.LazyAdamOptimizer(.1, .8); ys = stepped(o.minimize(tf.reduce_sum(tf.gather(w, [0, 2]) ** 2)), w)
w = tf.get_variable('w', [3, 1], initializer=c, use_resource=True); v = tf.get_variable('v', [2], initializer=c, use_resource=True); o = P.AdaMaxOptimizer(.1); ys = stepped(o.minimize(tf.reduce_sum(tf.gather(w, [0, 2]) ** 2) + tf.reduce_sum(v)), w, v)
w = tf.get_variable('w', [3, 1], initializer=c, use_resource=True); v = tf.get_variable('v', [2], initializer=c, use_resource=True); o = P.NadamOptimizer(.1); ys = stepped(o.minimize(tf.reduce_sum(tf.gather(w, [0, 2]) ** 2) + tf.reduce_sum(v)), w, v)
w = tf.get_variable('w', [3, 1], initializer=c, use_resource=True); v = tf.get_variable('v', [2], initializer=c, use_resource=True); o = P.LazyAdamOptimizer(.1); ys = stepped(o.minimize(tf.reduce_sum(tf.gather(w, [0, 2]) ** 2) + tf.reduce_sum(v)), w, v)
v, w = tf.Variable([1., -2.]), tf.Variable([[3.], [4.]]); o = P.AdamWOptimizer(.01, .1); ys = stepped(o.minimize(tf.reduce_sum(v * 3.) + tf.reduce_sum(w * 2.)), v, w)
v, w = tf.Variable([1., -2.]), tf.Variable([[3.], [4.]]); o = P.MomentumWOptimizer(.01, .1, .9); ys = stepped(o.minimize(tf.reduce_sum(v * 3.) + tf.reduce_sum(w * 2.), decay_var_list=[v]), v, w)
w = tf.Variable([[3.], [4.], [5.]]); o = P.AdamWOptimizer(.01, .1); ys = stepped(o.minimize(tf.reduce_sum(tf.gather(w, [0, 2]) * 3.)), w)
w = tf.get_variable('w', [3, 1], initializer=c, use_resource=True); v = tf.get_variable('v', [2], initializer=c, use_resource=True); o = P.AdamWOptimizer(.01, .1); ys = stepped(o.minimize(tf.reduce_sum(tf.gather(w, [0, 2]) * 3.) + tf.reduce_sum(v)), w, v)
v = tf.Variable([1., -2.]); o = P.extend_with_decoupled_weight_decay(tf.train.AdagradOptimizer)(weight_decay=.1, learning_rate=.2); ys = stepped(o.minimize(tf.reduce_sum(v * 3.)), v)
v = tf.Variable([1., -2.]); o = P.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(.1), .5); t = o.minimize(tf.reduce_sum(v ** 2)); ys = stepped(t, v, o._ema.average(v)); o.swapping_saver()
P.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(.1)).swapping_saver()
v = tf.Variable([1., -2.]); o = P.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(.1)); o.minimize(tf.reduce_sum(v ** 2)); o.swapping_saver([v])
v, w = tf.Variable([1., -2.]), tf.Variable(3.); o = P.ExternalOptimizerInterface(tf.reduce_sum(v ** 2), equalities=[v[0] - 1.], inequalities=[v[1] * w], var_to_bounds={v: (0., 1.)}); ys = [text([tuple(map(float, b)) for b in o._packed_bounds]), text(o._packing_slices)]
P.ExternalOptimizerInterface(tf.reduce_sum(tf.Variable([1., -2.]) ** 2)).minimize(tf.Session())
"""

CASES = {}
for _kind, _programs in (
    ("distributions", _DISTRIBUTIONS), ("training", _TRAINING), ("linear operators", _LINEAR_OPERATORS), ("signals", _SIGNALS),
    ("optimizers", _OPTIMIZERS),
):
    for _line in filter(None, _programs.strip().split("\n")):
        CASES[_kind + ": " + _line] = _PRELUDE + _OF_OPERATORS + _line.replace("\\n", "\n")
