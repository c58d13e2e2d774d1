"""Small programs over names that few programs use; run by ``record_cases.py`` and ``test_rarer.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, s).astype('f'), s)
def p(*s): return tf.placeholder_with_default(rng.uniform(.1, .9, s).astype('f'), s)
def i(n, *s): return tf.placeholder_with_default(rng.randint(0, n, s).astype('i'), s)
import sys
if "tensorflow" in sys.modules: from tensorflow import contrib
else: from retrograd.tf import contrib
L, GE, CG = contrib.losses, contrib.graph_editor, contrib.copy_graph
"""

_LOSSES = """
x = f(6, 4); y = L.metric_learning.triplet_semihard_loss(i(3, 6), x); ys = [y] + tf.gradients(y, x)
x = f(6, 4); y = L.metric_learning.lifted_struct_loss(i(3, 6), x, margin=.7); ys = [y] + tf.gradients(y, x)
x = f(6, 4); y = L.metric_learning.npairs_loss(i(3, 6), x, f(6, 4)); ys = [y] + tf.gradients(y, x)
x = f(6, 4); y = L.metric_learning.npairs_loss(i(3, 6), x, f(6, 4), print_losses=True); ys = [y]
x = f(6, 4); y = L.metric_learning.contrastive_loss(i(2, 6), x, f(6, 4), margin=.8); ys = [y] + tf.gradients(y, x)
x = f(2, 4); s = [tf.SparseTensor([[0, 0], [0, 2]], [1, 1], [1, 3]), tf.SparseTensor([[0, 2]], [1], [1, 3])]; ys = [L.metric_learning.npairs_loss_multilabel(s, x, f(2, 4))]
L.metric_learning.npairs_loss_multilabel([tf.constant(1)], f(2, 4), f(2, 4))
ys = [L.mean_pairwise_squared_error(f(3, 4), f(3, 4)), L.mean_pairwise_squared_error(f(3, 4), f(3, 4), weights=[1., 0., 2.])]
L.mean_pairwise_squared_error(tf.placeholder(tf.float32), tf.placeholder(tf.float32))
"""

_EDITING = """
a = tf.constant(1., name='a'); b = tf.constant(2., name='b'); c = tf.add(a, b, name='c'); d = tf.multiply(a, c, name='d'); s, q, r = GE.detach(GE.sgv(c.op)); ys = []
a = tf.constant(1., name='a'); b = tf.constant(2., name='b'); c = tf.add(a, b, name='c'); d = tf.negative(c, name='d'); GE.connect(GE.sgv(a.op), GE.sgv(d.op)); ys = [d]
a = tf.constant(1., name='a'); c = tf.negative(a, name='c'); d = tf.exp(c, name='d'); s, q = GE.bypass(GE.sgv(c.op)); ys = [d]
a = tf.constant(1., name='a'); b = tf.constant(2., name='b'); c = tf.negative(a, name='c'); d = tf.exp(b, name='d'); e = tf.square(c, name='e'); g = tf.sqrt(d, name='g'); GE.swap_ios(c.op, d.op); ys = [e, g]
a = tf.constant(1., name='a'); b = tf.constant(2., name='b'); c = tf.negative(a, name='c'); d = tf.exp(b, name='d'); e = tf.square(c, name='e'); g = tf.sqrt(d, name='g'); GE.reroute_ios(c.op, d.op); ys = [e, g]
a = tf.constant(1., name='a'); b = tf.constant(2., name='b'); c = tf.negative(a, name='c'); d = tf.exp(b, name='d'); GE.swap_outputs(a.op, b.op); ys = [c, d]
a = tf.constant(1., name='a'); b = tf.constant(2., name='b'); c = tf.negative(a, name='c'); d = tf.exp(b, name='d'); GE.reroute_inputs(c.op, d.op); ys = [c, d]
with tf.control_dependencies([tf.no_op(name='n')]): c = tf.negative(tf.constant(1.), name='c')
"""
_EDITING_MORE = """
with tf.control_dependencies([tf.no_op(name='n')]): c = tf.negative(tf.constant(1.), name='c')
GE.detach_inputs(c.op, control_inputs=True)
---
n = tf.no_op(name='n')
with tf.control_dependencies([n]): c = tf.negative(tf.constant(1.), name='c')
GE.detach_control_outputs(n, GE.ControlOutputs(tf.get_default_graph()))
---
h = tf.Graph()
with h.as_default():
    v = tf.Variable([1., 2.], name='v'); w = tf.multiply(v, 3., name='w')
    with tf.control_dependencies([tf.no_op(name='n')]): u = tf.identity(w, name='u')
    tf.add_to_collection('mine', u)
c = CG.copy_variable_to_graph(v, tf.get_default_graph(), 'q')
y = CG.copy_op_to_graph(u, tf.get_default_graph(), [c], 'q'); ys = [y, CG.get_copied_op(w, tf.get_default_graph(), 'q')]
"""


_STRATEGIES = """
s = tf.distribute.MirroredStrategy()
---
s = tf.distribute.OneDeviceStrategy('/cpu:0')
---
s = tf.distribute.get_strategy()
---
s = contrib.distribute.ParameterServerStrategy()
"""
_STEP = """
with s.scope():
    v = tf.get_variable('v', [2], initializer=tf.constant_initializer(.5), partitioner=tf.fixed_size_partitioner(1))
    g = tf.train.get_or_create_global_step()
    def step(x):
        y = tf.reduce_sum(tf.square(v) * x)
        return tf.train.AdamOptimizer(.1).minimize(y, g), y, tf.train.GradientDescentOptimizer(.1).minimize(y)
    op, y, op2 = s.extended.call_for_each_replica(step, args=(f(3, 2),))
    ys = [s.reduce(tf.distribute.ReduceOp.MEAN, y), s.reduce('SUM', f(2, 3), axis=0), s.reduce('mean', f(2, 3), axis=1)]
    ys += [s.num_replicas_in_sync, s.group(op).name, s.unwrap(y)[0], tf.distribute.has_strategy(), tf.distribute.in_cross_replica_context()]
    names = tf.constant([str(ys.pop(-4)), str(ys.pop(-1)), str(ys.pop(-1)), str(ys.pop(3))]); ys.append(names)
"""
_REFUSED = """
s = tf.distribute.OneDeviceStrategy('/cpu:0')
with s.scope(): tf.train.GradientDescentOptimizer(.1).minimize(tf.square(tf.get_variable('v', [])))
---
s, q = tf.distribute.OneDeviceStrategy('/cpu:0'), tf.distribute.MirroredStrategy()
with s.scope():
    try:
        with q.scope(): pass
    except RuntimeError as e: raise RuntimeError(str(e)[:50])
---
tf.distribute.InputContext(1, 0, 3).get_per_replica_batch_size(7)
---
tf.distribute.cluster_resolver.UnionResolver()
---
with tf.distribute.OneDeviceStrategy('/cpu:0').scope(): tf.distribute.get_strategy().make_input_fn_iterator(lambda c: 3)
"""


_OPTIMIZERS = """
O.AddSignOptimizer(.1)
O.AddSignOptimizer(.1, sign_decay_fn=D.get_linear_decay_fn(3))
O.PowerSignOptimizer(.1, sign_decay_fn=D.get_cosine_decay_fn(3, zero_after=1))
O.PowerSignOptimizer(.1, base=2., sign_decay_fn=D.get_restart_decay_fn(2, zero_after=1))
O.RegAdagradOptimizer(.1)
O.AdamGSOptimizer(g, .1)
O.LazyAdamGSOptimizer(g, .1)
O.VariableClippingOptimizer(tf.train.MomentumOptimizer(.1, .9), {w: [1]}, .5)
O.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(.1, .9))
"""
_DENSE_OPTIMIZERS = """
O.LARSOptimizer(.1)
O.LARSOptimizer(.1, skip_list=['w'], use_nesterov=True)
O.ShampooOptimizer(g, learning_rate=.1)
O.ShampooOptimizer(g, learning_rate=.1, max_matrix_size=2, gbar_decay=.5, gbar_weight=.5, mat_gbar_decay=.9)
O.ShampooOptimizer(g, learning_rate=.1, svd_interval=2, use_iterative_root=True, epsilon=.5)
O.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(.1), {w: [0]}, .5, colocate_clip_ops_with_vars=True)
"""
_VARIABLES = """
import importlib
D = importlib.import_module(('tensorflow' if 'tensorflow' in sys.modules else 'retrograd.tf') + '.contrib.opt.python.training.sign_decay')
O, g = contrib.opt, tf.train.get_or_create_global_step()
w = tf.get_variable('w', initializer=np.linspace(-1, 1, 12, dtype='f').reshape(4, 3)); v = tf.get_variable('v', initializer=np.ones([3, 2], 'f'), use_resource=True)
sparse = tf.reduce_sum(tf.gather(w, [1, 1, 3]) ** 2); dense = tf.reduce_sum(tf.matmul(w, v) ** 2)
"""


def _steps(texts, kind, losses):
    lines = texts.strip().splitlines()
    train = "y = o.minimize(%s, g)\nwith tf.control_dependencies([y]): ys = [w.read_value(), v.read_value()]\n"
    return {
        f"{kind}_{i}_{n}": f"{_PRELUDE}{_VARIABLES}o = {line}\n{train % loss}"
        for n, line in enumerate(lines) for i, loss in enumerate(losses)
    }  # fmt: skip


_NORM = """
pairs, n = O.clip_gradients_by_global_norm([(tf.zeros([2]), w), (f(3), v), (None, v)], .5); ys = [n, pairs[0][0], pairs[1][0]]
O.LARSOptimizer(.1, momentum=-1.)
O.MultitaskOptimizerWrapper(3)
"""


_EQUATIONS = """
ys = [contrib.integrate.odeint(lambda y, t: -y * tf.cast(t, tf.float32), f(2), [0., .5, 2.])]
y, info = contrib.integrate.odeint(lambda y, t: tf.stack([y[1], -y[0]]), tf.constant([1., 0.], tf.float64), [0, 1, 3.], rtol=1e-4, full_output=True, method='dopri5', options={'first_step': .1}); ys = [y, info['num_func_evals'], info['integrate_points']]
y0 = f(2); y = contrib.integrate.odeint_fixed(lambda y, t: -y * tf.cast(t, y.dtype), y0, [0., .5, 2.], dt=.3); ys = [y]
ys = [contrib.integrate.odeint_fixed(lambda y, t: -y, f(2), tf.constant([0., .5, 2.]), method='midpoint')]
contrib.integrate.odeint(lambda y, t: y, 1, [0., 1.])
contrib.integrate.odeint(lambda y, t: y, 1., [0., 1.], method='euler')
contrib.integrate.odeint_fixed(lambda y, t: y, 1., [0., 1.], dt=[.1, .2])
d, w = f(2, 4, 5, 3), f(2, 6, 2) * 4. + 1.3; y = contrib.resampler.resampler(d, w); ys = [y] + tf.gradients(y ** 2, [d, w])
ys = [contrib.resampler.resampler(f(1, 3, 3, 2), f(1, 2, 4, 2) * 3.)]
a = tf.constant([[4., 1.], [1., 3.]]); op = contrib.solvers.util.create_operator(a); s = contrib.solvers.linear_equations.conjugate_gradient(op, f(2)); ys = [s.x, s.i]
a = tf.constant([[4., 1.], [1., 3.]]); op = contrib.solvers.util.create_operator(a); s = contrib.solvers.linear_equations.conjugate_gradient(op, f(2), preconditioner=contrib.solvers.util.identity_operator(a), x=f(2)); ys = [s.x, s.i]
op = contrib.solvers.util.create_operator(f(4, 2)); s = contrib.solvers.least_squares.cgls(op, f(4)); ys = [s.x, s.i, contrib.solvers.util.l2normalize(f(3))[0]]
"""


_SCALES = """
w = tf.get_variable('w', initializer=[1., 2.]); o = tf.train.experimental.enable_mixed_precision_graph_rewrite(tf.train.MomentumOptimizer(.1, .9)); y = o.minimize(tf.reduce_sum(w ** 2), tf.train.get_or_create_global_step()); ys = [y.name and w]
w = tf.get_variable('w', initializer=[1., 2.]); o = tf.train.experimental.MixedPrecisionLossScaleOptimizer(tf.train.AdamOptimizer(.1), 128); y = o.minimize(tf.reduce_sum(tf.gather(w, [1, 1]) ** 2)); ys = [w]
w = tf.get_variable('w', initializer=[1., 2.]); s = tf.train.experimental.DynamicLossScale(8., 2, 4.); o = tf.train.experimental.MixedPrecisionLossScaleOptimizer(tf.train.GradientDescentOptimizer(.1), s); y = o.minimize(tf.reduce_sum(w ** 2 / tf.constant(0.)))
tf.train.experimental.FixedLossScale(.5)
tf.train.experimental.enable_mixed_precision_graph_rewrite(3)
c = contrib.deprecated; c.scalar_summary('a/b', 1.); c.scalar_summary(['x', 'y'], [1., 2.], ['q']); c.histogram_summary('h', [1., 2.]); c.image_summary('im', tf.zeros([1, 2, 2, 1])); c.audio_summary('au', tf.zeros([1, 2, 1]), 3.); c.merge_all_summaries()
ys = [tf.nn.compute_average_loss(f(4)), tf.nn.compute_average_loss(f(4), sample_weight=p(4, 1)), tf.nn.compute_average_loss(f(4, 2), global_batch_size=3), tf.nn.scale_regularization_loss([f(2), f(2)])]
tf.nn.compute_average_loss(1.)
tf.nn.compute_average_loss(tf.placeholder(tf.float32))
ys = [tf.convert_to_tensor_or_indexed_slices([1, 2.], name='q')]; tf.timestamp()
"""


_MODULES = """
class MyLayer2D(tf.Module):
    def __init__(self, n, name=None):
        super(MyLayer2D, self).__init__(name=name)
        self.w = tf.Variable(np.ones([n, n], 'f'), name='w'); self.b = [tf.Variable(np.zeros([n], 'f'), name='b', trainable=False)]
        self.inner = {'z': MyLayer2D(n - 1)} if n > 1 else None
    @tf.Module.with_name_scope
    def __call__(self, x): return tf.matmul(x, self.w) + self.b[0]
m = MyLayer2D(2); q = MyLayer2D(1, name='q'); ys = [m(f(1, 2)), q(f(3, 1))]
names = tf.constant([v.name for v in m.variables + m.trainable_variables] + [s.name for s in m.submodules + (q,)]); ys.append(names)
---
tf.Module(name='a b')
---
ys = tf.nn.dynamic_rnn(contrib.cudnn_rnn.CudnnCompatibleGRUCell(3, kernel_initializer=tf.constant_initializer(.2)), f(2, 4, 3), dtype=tf.float32)
---
with tf.variable_scope('s', initializer=tf.constant_initializer(.2)): ys = tf.nn.dynamic_rnn(contrib.cudnn_rnn.CudnnCompatibleLSTMCell(3), f(2, 4, 3), dtype=tf.float32)
"""


_MOVING = """
ys = contrib.distributions.moving_mean_variance(f(3), .9)
v = tf.get_variable('v', initializer=[.1, .2]); ys = [contrib.distributions.assign_log_moving_mean_exp(v, f(2), .8)]
v, w = (tf.get_variable(n, initializer=[.1, .2], use_resource=True) for n in 'vw'); ys = contrib.distributions.assign_moving_mean_variance(v, w, f(2), .8)
s = contrib.distributions.SeedStream(3, 'a'); names = tf.constant([str(s()), str(s()), str(contrib.distributions.SeedStream(s, 'b')()), str(contrib.distributions.SeedStream(None, 'b')())]); ys = [names]
contrib.distributions.moving_mean_variance(i(3, 3), .9)
"""


def _cases(texts, kind):
    return {f"{kind}_{n}": f"{_PRELUDE}{line}\n" for n, line in enumerate(texts.strip().splitlines())}


def _blocks(texts, kind):
    return {f"{kind}_{n}": f"{_PRELUDE}{block}\n" for n, block in enumerate(texts.strip().split("\n---\n"))}


CASES = {
    **_cases(_LOSSES, "losses"), **_cases(_EDITING, "editing"), **_blocks(_EDITING_MORE, "editing_more"),
    **{k: v + _STEP for k, v in _blocks(_STRATEGIES, "strategies").items()}, **_blocks(_REFUSED, "refused"), **_cases(_EQUATIONS, "equations"), **_cases(_SCALES, "scales"), **_cases(_MOVING, "moving"),
    **_blocks(_MODULES, "modules"),
    **_steps(_OPTIMIZERS, "optimizers", ["dense", "sparse"]), **_steps(_DENSE_OPTIMIZERS, "dense", ["dense"]),
    **{k: v.replace(_PRELUDE, _PRELUDE + _VARIABLES) for k, v in _cases(_NORM, "norm").items()},
}  # fmt: skip
