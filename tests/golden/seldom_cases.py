"""Names that hardly a program uses, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
Q, N, F = tf.quantization, tf.nn, tf.contrib.framework
def f(*s): return tf.placeholder_with_default(np.float32(rng.randn(*[n or 2 for n in s])), s)
def c(*s): return tf.constant(np.float32(rng.randn(*s)))
def p(*s): return tf.constant(rng.uniform(.1, 1, s).astype('f'))
def q(t, *s, low=-1., high=2.): return list(Q.quantize(c(*s), low, high, t))
R, K, G = [1., 1.44, 1.73, 1.], tf.keras, tf.random.experimental.Generator
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def stepped(op, *variables):
    with tf.control_dependencies([op]): return [tf.identity(v.read_value()) for v in variables]
"""

_QUANTIZED = """
x = c(3, 4); ys = [y for t in (tf.quint8, tf.qint8, tf.qint32, tf.qint16, tf.quint16) for m in ('MIN_COMBINED', 'MIN_FIRST', 'SCALED') for r in [Q.quantize(x, -.7, 3.2, t, mode=m)] for y in list(r) + [Q.dequantize(*r, mode=m)]]
x = f(None, 4); ys = [y for a, b in ((0., 0.), (-1., -.5), (.5, 2.), (0., 1.)) for y in tf.quantize(x, a, b, tf.quint8)] + list(Q.quantize(x, -2., 1., tf.qint8, 'SCALED', 'HALF_TO_EVEN'))
ys = list(tf.quantize_v2(f(3), -1., 1., tf.quint8, mode='MIN_FIRST', name='n'))
a, b = q(tf.quint8, 2, 3), q(tf.quint8, 2, 4, low=0., high=5.); ys = list(Q.quantized_concat(1, [a[0], b[0]], [a[1], b[1]], [a[2], b[2]]))
a = q(tf.quint8, 2, 5, 6, 3); ys = [y for pad in ('SAME', 'VALID') for k, s in ((2, 2), (3, 1)) for op in (N.quantized_avg_pool, N.quantized_max_pool) for y in op(*a, [1, k, k, 1], [1, s, s, 1], pad)]
a, b = q(tf.quint8, 2, 5, 6, 3), q(tf.quint8, 3, 2, 3, 4, low=-2., high=1.); ys = [y for pad in ('SAME', 'VALID') for s in (1, 2) for y in N.quantized_conv2d(a[0], b[0], a[1], a[2], b[1], b[2], [1, s, s, 1], pad)]
x = f(3); tf.gradients(Q.dequantize(*Q.quantize(x, -1., 1., tf.quint8)), x)
tf.quantize(f(3), [1., 2.], 1., tf.quint8)
ys = list(tf.quantize(f(3), 2., 1., tf.quint8))
ys = list(tf.quantize(f(3), 0., 1., tf.quint8, round_mode='HALF_TO_EVEN'))
"""

_POOLS = """
S = inner('contrib.layers.python.ops.sparse_ops'); x = tf.constant([[0, 0, 1, 0], [1, 1, 0, 0]]); a, b, d = S.indicators_to_sparse_ids(x), S.indicators_to_sparse_ids(tf.constant([['a', '', 'b']]), dtype=tf.int32), S.indicators_to_sparse_ids(x, ignore_value=1); ys = [y for t in (a, b, d) for y in (t.indices, t.values, t.dense_shape)]
S = inner('contrib.layers.python.ops.sparse_ops'); x = tf.SparseTensor([[0, 0, 1], [2, 0, 3], [2, 1, 0]], [3, 1, 2], [4, 2, 5]); ys = [S.sparse_row_envelope(x), S.sparse_row_envelope(x, 0, 2, name='e'), S.sparse_row_envelope(x, row_axis=2, col_axis=0)]
inner('contrib.layers.python.ops.sparse_ops').indicators_to_sparse_ids([[1]], dtype=tf.float32)
inner('contrib.layers.python.ops.sparse_ops').sparse_row_envelope(tf.SparseTensor([[0, 0]], [1], [1, 1]), 1, 1)
x = f(2, 24, 31, 2); ys = [y for seed in ((1, 3), (5, 0), (0, 7)) for pr in (False, True) for op in (N.fractional_max_pool, N.fractional_avg_pool) for y in op(x, R, pr, False, True, *seed)]
x = c(2, 24, 31, 2); ys = [y for pr in (False, True) for op in (N.fractional_max_pool, N.fractional_avg_pool) for y in op(x, [1, 1.01, 2.9, 1], pr, True, True, 4, 2)]
x = tf.constant(rng.randint(-9, 9, (1, 8, 12, 2))); ys = [y for pr in (False, True) for op in (N.fractional_max_pool, N.fractional_avg_pool) for y in op(x, [1, 2., 3., 1], pr, False, True, 4, 2)]
x = f(2, 9, 8, 2); ys = [g for o in (False, True) for op in (N.fractional_max_pool, N.fractional_avg_pool) for g in tf.gradients(op(x, R, True, o, True, 4, 2)[0], x)]
x = c(1, 9, 8, 2); V = tf.compat.v2.nn; ys = list(V.fractional_max_pool(x, 1.5, seed=3)) + list(V.fractional_max_pool(x, [1.3, 1.6], True, True, 3, 'n')) + list(V.fractional_avg_pool(x, R, seed=3))
N.fractional_max_pool(f(1, 4, 4, 1), [1., 1.5, 1.5])
x = f(None, 9, None, 2); tf.gradients(N.fractional_avg_pool(x, R)[0], x)
ys = list(N.fractional_avg_pool(f(1, 4, 4, 1), R, seed=3))
"""

_SHAPES = """
x = f(None, 3); ys = [F.with_shape([2, 3], x), F.with_shape((None, 3)[1:], f(3)), F.with_shape(tf.constant([2, 3]), x), F.with_same_shape(c(2, 3), x), F.with_same_shape(x, f(None, 3))]
ys = [F.with_shape([], f(1)), F.with_shape(np.array([], 'i'), f(None)[:1]), F.with_shape([3], c(3))]
F.with_shape([2], c(3))
F.with_shape([[2]], c(3))
F.with_shape([2.], c(3))
F.with_shape(tf.constant([2.]), c(3))
ys = list(F.remove_squeezable_dimensions(f(3, 1), f(3))) + list(F.remove_squeezable_dimensions(tf.placeholder_with_default(np.zeros([2, 1], 'f'), None), f(2)))
ys = [F.assert_scalar_int(tf.constant(3)), F.assert_scalar_int(3, name='n')]
F.assert_scalar_int(3.)
ys = [F.smart_case([(True, lambda: tf.constant(1)), (c() > 0, lambda: tf.constant(2))], lambda: tf.constant(3)), F.smart_case([(False, lambda: tf.constant(1)), (c() > 0, lambda: tf.constant(2))], lambda: tf.constant(3)), F.smart_case([(c() > 0, lambda: tf.constant(1)), (c() < 0, lambda: tf.constant(2))], lambda: tf.constant(3), exclusive=True)]
r = F.py_func(lambda a, b, k: {'s': a + b['x'], 'p': (a * k, b['x'])}, [c(2), {'x': c(2)}], {'k': tf.constant(2.)}, {'s': tf.float32, 'p': (tf.float32, tf.float32)}, {'s': [2], 'p': ([2], [None])}); ys = [r['s'], r['p'][0], r['p'][1]]
w, b, x, l = c(9, 4), c(9), c(3, 4), tf.constant([[1], [2], [5]], tf.int64); v = tf.constant([1, 3, 5, 8], tf.int64), c(3, 1) ** 2, c(4) ** 2; ys = [tf.contrib.nn.rank_sampled_softmax_loss(w, b, l, x, 4, 2, 9, 1, v, .5, True, 'mod'), tf.contrib.nn.sampled_sparse_softmax_loss(w, b, l, x, 4, 9, v)]
tf.contrib.nn.rank_sampled_softmax_loss(c(9, 4), c(9), tf.constant([[1]]), c(1, 4), 4, 4, 9, 1, None, .5, True, 'mod')
a = tf.layers.dense; x = tf.constant(rng.randn(2, 8).astype('f')); y = tf.concat(tf.contrib.layers.rev_block(x[:, :4], x[:, 4:], lambda x: a(x, 4, tf.tanh, use_bias=False), lambda x: x * x, 2, is_training=False), 1); ys = [tf.shape(y)] + [tf.shape(g) for g in tf.gradients(y, [x] + tf.trainable_variables())]
tf.get_variable_scope(); g = tf.GraphDef(); [g.node.add(name=n, op=o, input=i) for n, o, i in (('A', 'a', []), ('B', 'b', ['A']), ('C', 'c', ['B']), ('D', 'd', ['C:1']), ('E', 'e', ['D']))]; ys = [tf.constant(str([(n.name, n.op, list(n.input), sorted(n.attr)) for n in F.fuse_op(g, ['A'], ['D'], [1], True, 'n', 't').node])), tf.constant(sorted(tf.contrib.util.ops_used_by_graph_def(g)))]
"""

_KERAS = """
X = K.experimental; ys = [y for s in (X.CosineDecay(.1, 10, .2), X.CosineDecayRestarts(.1, 4, alpha=.1, name='r'), X.LinearCosineDecay(.1, 10)) for y in (s(tf.constant(3)), s(11))] + [tf.constant(str(sorted(X.NoisyLinearCosineDecay(.1, 10).get_config().items())))]
l = K.layers.RNN(K.experimental.PeepholeLSTMCell(3, kernel_initializer='ones', recurrent_initializer='ones')); y = l(c(2, 2, 4)); ys = stepped(tf.global_variables_initializer(), *l.weights) and [tf.shape(y)]
m = K.experimental.LinearModel(2, 'relu', kernel_initializer='ones', bias_regularizer='l2'); y = m([tf.constant(np.ones([3, 2], 'f')), tf.constant(np.ones([3, 4], 'f'))]); ys = [tf.shape(y)] + m.losses[:0] + [tf.constant(str(sorted(m.get_config())))]
K.constraints.RadialConstraint()(c(3, 3))
"""

_GENERATORS = """
g = G.from_seed(5); u, i, a, b, n, t = g.uniform([3]), g.uniform([3], -2, 9, tf.int32), g.uniform_full_int([3]), g.uniform_full_int([3], tf.int32), g.normal([3], 1., 2.), g.truncated_normal([2, 2], dtype=tf.float64); ys = [tf.shape(x) for x in (u, i, a, b, n, t, g.make_seeds(2))] + [g.key.name and tf.constant(1)]
ys = [tf.constant(str(tf.random.experimental.create_rng_state(s, 1))) for s in (2**70 + 3, [1, 2], -1, [2**63 + 1, 2, 3, 4])]
g = G.from_key_counter(2, [3, 4], 1); g.reset([1, 2, 3]); g.reset_from_seed(3); g.reset_from_key_counter(1, [2, 3]); g.skip(10); ys = [tf.constant(str((g.algorithm, g.state.dtype, g.state.shape)))]
G.from_state([1, 2], 1)
G.from_seed(1).uniform([2], dtype=tf.int32)
G.from_state([1, 2, 3], 5)
"""

_SECTIONS = """
x = c(3); s = tf.CriticalSection(name='s'); y = s.execute(lambda: x * 2); z = s.execute(lambda: {'a': x + 1, 'b': [y]}, name='e'); ys = [y, z['a'], z['b'][0]]; tf.get_default_graph().clear_collection('critical_section_executions')
s = tf.CriticalSection(); s.execute(lambda: s.execute(lambda: tf.constant(1)))
tf.CriticalSection(critical_section_def=1)
"""

_INITIALIZERS = """
I = tf.compat.v2.initializers; ys = [I.Zeros()([2], tf.int32), I.Ones()([2], tf.bool), I.Constant([1, 2])([2]), I.Constant(np.arange(6))([2, 3]), I.Constant(3)([2], tf.float64), I.Identity(2.)([2, 3])]
I = tf.compat.v2.initializers; ys = [I.RandomNormal(seed=1)([3]), I.RandomUniform(seed=1)([3]), I.TruncatedNormal(seed=1)([3]), I.RandomUniform(0, 9, seed=1)([3], tf.int32), I.GlorotNormal(1)([2, 3]), I.GlorotUniform(1)([2, 3], tf.float64), I.VarianceScaling(2., 'fan_out', 'untruncated_normal', 1)([2, 3]), I.he_normal(1)([2, 3]), I.lecun_uniform(1)([2, 3])]
I = tf.compat.v2.initializers; ys = [tf.constant(str([sorted(i.get_config().items()) for i in (I.Zeros(), I.Constant(2), I.RandomNormal(), I.RandomUniform(), I.TruncatedNormal(), I.GlorotUniform(), I.he_uniform(), I.Orthogonal(), I.Identity())]))]
V = tf.compat.v2; ys = [V.random_normal_initializer(seed=1)([3]), V.random_uniform_initializer(seed=1)([3]), V.constant_initializer(2.)([2]), V.zeros_initializer()([2]), V.ones_initializer()([2])]
tf.compat.v2.initializers.Constant([1, 2, 3])([4])
tf.compat.v2.initializers.Constant([1, 2, 3])([2, 2])
tf.compat.v2.initializers.RandomNormal()([2], tf.int32)
tf.compat.v2.initializers.RandomUniform()([2], tf.bool)
tf.compat.v2.initializers.Ones()([2], tf.string)
tf.compat.v2.initializers.Identity()([2, 2], tf.complex64)
tf.compat.v2.initializers.Orthogonal()([2, 2], tf.int32)
"""

_CONNECTED = """
run(['w:0'], [('c:0', 'x:0')]); run(['z:0'], [('c', 'x')], ['y:0']); run([], [('c:0', 'x:0')], target='a'); run(['v:0'], [], ['x:0'])
run(['w:0', 'g:0', 'a:0'], [('g:0', 'x:0')]); run(['w:0'], [('g:0', 'x:0')], target='a'); run(['w:0', 'v:0'], [('v:0', 'x:0')])
run(['k:0'], [('y:0', 'x:0'), ('c:0', 'y:0')]); run(['k:0'], [('c:0', 'w:0')]); run(['w:0'], [('s:0', 'x:0')]); run(['e:0'], [('c:0', 'd:0')])
run(['x:0'], [('c:0', 'x:0')])
run(['c:0'], [('c:0', 'x:0')], ['c:0'])
run(['z:0'], [('i:0', 'y:0')], ['x:0'])
run(['a:0'], [('c:0', 'v:0')])
run(['w:0'], [('none:0', 'x:0')])
run(['w:0'], [('c:0', 'none:0')])
run(['w:0'], [('c:1', 'x:0')])
run(['w:0'], [('c:0', 'x:1')])
run(['w:0'], [('w:0', 'x:0')])
run(['w:0'], [('w:0', 'y:0'), ('z:0', 'x:0')])
run(['w:0'], [('c:0', 'x:0')], ['x:0'])
run(['w:0'], [('c:0', 'x:0'), ('g:0', 'x:0')])
run(['w:0'], [('y:0', 'x:0')], ['y:0'])
run(['z:0'], [('c:0', 'x:0')])
"""
_CONNECTED_PRELUDE = """
x, y, c, s, i = tf.placeholder(tf.float32, [None], 'x'), tf.placeholder(tf.float32, [None], 'y'), tf.constant([1., 2.], name='c'), tf.constant(1., name='s'), tf.constant([1, 2], name='i')
n = tf.Variable([1., 2.]); g = tf.identity(tf.assign_add(n, n), 'g')
w, z, v, d = tf.multiply(x, x, name='w'), tf.add(x, y, name='z'), tf.Variable([0., 0.], name='v'), tf.placeholder_with_default([5.], [None], 'd')
a, k, e, ys = tf.assign_add(v, x, name='a'), tf.add(w, 1., name='k'), tf.add(d, 1., name='e'), []
session = tf.Session()
session.run(tf.global_variables_initializer())
def run(fetch, connections, feed=(), target=None):
    options = inner('core.protobuf.config_pb2').CallableOptions()
    options.fetch.extend(fetch), options.feed.extend(feed), options.target.extend([target] if target else [])
    for a, b in connections:
        options.tensor_connection.add(from_tensor=a, to_tensor=b)
    call = session._make_callable_from_options(options)
    ys.extend(tf.constant(value) for _ in range(2 if 'g:0' not in fetch else 1) for value in call(*[np.float32([3, 4])] * len(feed)))
"""

_NODES = """
a, b = K.Input((3,)), K.Input((3,)); d, c = K.layers.Dense(2, name='d'), K.layers.Concatenate(name='c'); c([d(a), b]); l = K.layers.Lambda(lambda t: {'o': t['p'] * 2}, name='l'); l({'p': a, 's': d(b)}); ys = [tf.constant(str([(n.get_config(), n.input_shapes, n.output_shapes, [(t[0].name, t[1], t[2], t[3].name) for t in n.iterate_inbound(i)]) for l in (a._keras_history[0], d, c, l) for n in l._inbound_nodes for i in (False, True)]))]
m = K.Sequential([K.layers.Dense(2, input_shape=(3,), name='d'), K.layers.Activation('softmax')]); ys = [tf.constant(m.layers[-1]._inbound_nodes[0].inbound_layers.name)]
P = [inner('python.pywrap_tensorflow' + s) for s in ('', '_internal')]; ys = [tf.constant([P[0].NewCheckpointReader is P[1].NewCheckpointReader, P[0].EventsWriter is P[1].EventsWriter])]
i = tf.data.make_initializable_iterator(tf.data.Dataset.from_tensors({'a': 3, 'b': tf.SparseTensor([[0]], [4], [2])})); j = tf.data.Iterator(i._iterator_resource, None, i.output_types, i.output_shapes, i.output_classes); s = tf.Session(); s.run(i.initializer); ys = [tf.constant(s.run(j.get_next())['a']), tf.constant(str([j.output_types, j.output_shapes, sorted(j.element_spec)])), tf.constant(j.string_handle().op.type)]
tf.data.Iterator(tf.data.Iterator.from_structure(tf.int64)._iterator_resource, None, tf.int64, tf.TensorShape([]), tf.Tensor).initializer
"""

_PROGRAMS = _SECTIONS + _GENERATORS + _QUANTIZED + _POOLS + _SHAPES + _KERAS + _INITIALIZERS + _NODES

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().split("\n") if line}
CASES.update({line: _PRELUDE + _CONNECTED_PRELUDE + line for line in _CONNECTED.strip().split("\n")})
