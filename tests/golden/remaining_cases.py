"""The packages of ``tf.contrib`` that came last: what they compute; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
contrib = tf.contrib
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def c(*s): return tf.constant(np.float32(rng.randn(*s)))
def names(): return tf.constant([v.op.name for v in tf.global_variables() + tf.local_variables()] + [''])
"""

_COLORS = """
D = inner('contrib.image.python.ops.distort_image_ops')
x = tf.constant(np.float32(rng.rand(2, 3, 2, 3)))
ys = [D.adjust_hsv_in_yiq(x, .3, .5, 1.5), D.adjust_hsv_in_yiq(tf.cast(x * 255, tf.uint8), -2., 1.2, .8)]
ys += [D.random_hsv_in_yiq(x, .4, .5, 1.5, .8, 1.2, seed=3), D.random_hsv_in_yiq(x, .4, 1.5, 1.5), D.random_hsv_in_yiq(x)]

inner('contrib.image.python.ops.distort_image_ops').random_hsv_in_yiq(c(1, 1, 3), -1)

inner('contrib.image.python.ops.distort_image_ops').random_hsv_in_yiq(c(1, 1, 3), .1, 2, 1)

inner('contrib.image.python.ops.distort_image_ops').random_hsv_in_yiq(c(1, 1, 3), .1, -1)

inner('contrib.image.python.ops.distort_image_ops').random_hsv_in_yiq(c(1, 1, 3), .1, 1, 1, 2, 1)

ys = [inner('contrib.image.python.ops.distort_image_ops').adjust_hsv_in_yiq(c(2, 2, 4))]
"""

_CONSTRAINED = """
ys = played(C.AdditiveExternalRegretOptimizer(G(.1), G(.2)), 3)

ys = played(C.AdditiveExternalRegretOptimizer(G(.1), G(1.), 1.), 3)

ys = played(C.AdditiveExternalRegretOptimizer(tf.train.AdamOptimizer(.1), G(2.)), 3, proxies=True)

ys = played(C.AdditiveSwapRegretOptimizer(G(.1), G(.5)), 3)

ys = played(C.MultiplicativeSwapRegretOptimizer(G(.1), G(.5), .2, .5), 3, proxies=True)

ys = played(C.MultiplicativeSwapRegretOptimizer(tf.train.AdagradOptimizer(.1)), 2)

step = tf.train.get_or_create_global_step()
p = Problem(False)
o = C.AdditiveExternalRegretOptimizer(G(.1), G(.3))
with tf.control_dependencies([o.minimize(p, unconstrained_steps=2, global_step=step)]): ys = [v.read_value() for v in tf.global_variables()] + [names()]

C.AdditiveExternalRegretOptimizer(G(.1)).minimize(Problem(False), unconstrained_steps=2)

C.AdditiveExternalRegretOptimizer(G(.1), None, -1.)

C.MultiplicativeSwapRegretOptimizer(G(.1), None, 1.)

C.MultiplicativeSwapRegretOptimizer(G(.1), None, .5, .2)

C.find_best_candidate_distribution(rng.randn(5), rng.randn(3, 6))

C.find_best_candidate_index(rng.randn(5), rng.randn(3, 6))

C.find_best_candidate_distribution(rng.randn(6), rng.randn(3, 6), -1.)
"""
_CONSTRAINED_PRELUDE = """
C, G = tf.contrib.constrained_optimization, tf.train.GradientDescentOptimizer
class Problem(C.ConstrainedMinimizationProblem):
    def __init__(self, proxies):
        self.x = tf.get_variable('x', initializer=[1., -2., .5], use_resource=True).read_value(); self.proxies = proxies  # one read: nothing races
    @property
    def objective(self): return tf.reduce_sum(self.x * self.x)
    @property
    def constraints(self): return tf.constant([1., .5]) - self.x[:2] if not self.proxies else tf.sign(tf.constant([1., .5]) - self.x[:2])
    @property
    def proxy_constraints(self): return tf.nn.relu(tf.constant([1., .5]) - self.x[:2]) if self.proxies else None
    @property
    def pre_train_ops(self): return [tf.no_op()] if self.proxies else None
def played(optimizer, steps, proxies=False):
    step = tf.train.get_or_create_global_step()
    op = optimizer.minimize(Problem(proxies), global_step=step)
    with tf.control_dependencies([op]): after = [v.read_value() for v in tf.global_variables()]
    return [names()] + after
"""

_FACTORS = """
ys = mixed('random', 2, 4)

ys = mixed(rng.randn(3, 2), 3, 1, 'diag')

ys = mixed(rng.randn(2, 2), 2, 1, 'full', 'mc', 2)

ys = mixed(rng.randn(2, 2), 2, 1, 'full', 'w')

ys = mixed('random', 2, 1, 'some')

ys = factored(F.WALSModel(5, 7, 2, .3, .1, R, C))

ys = factored(F.WALSModel(5, 7, 2, .3, None, R, C, row_weights=[1., 2., 3., 1., .5], col_weights=.2, use_factors_weights_cache=False, use_gramian_cache=False))

ys = factored(F.WALSModel(5, 7, 2, .3, .1, R, C, row_weights=None, col_weights=None))

ys = factored(F.WALSModel(5, 7, 2, .3, .1, [R[:3], R[3:]], [C[:3], C[3:5], C[5:]], 2, 3, row_weights=[[1., 2., 3.], [1., .5]], use_scoped_vars=True))

m = F.WALSModel(5, 7, 2, .3, .1, R, C, use_factors_weights_cache=False, use_gramian_cache=False)
with tf.control_dependencies([m.row_update_prep_gramian_op]): x = sp(A)
ys = [m.project_row_factors(x), m.project_row_factors(x, projection_weights=[1., 2., .5, 3., 1.]), m.project_row_factors(sp(A.T), True, .3)]

F.WALSModel(5, 7, 2, row_weights=-1)

F.WALSModel(5, 7, 2, row_weights='a')

ys = list(G.wals_compute_partial_lhs_and_rhs(*places()[0]))

ys = list(G.wals_compute_partial_lhs_and_rhs(*places()[1]))

ys = list(G.wals_compute_partial_lhs_and_rhs(*places(input_weights=np.zeros(0, 'f'))[0]))

ys = [G.masked_matmul(R, C, [[0, 1], [4, 6]], False, True), G.masked_matmul(R.T, C.T, [[0, 1], [4, 6]], True, False)]

ys = [G.masked_matmul(R, C, [[0, 1], [4, 6]], False, False)]

ys = [G.masked_matmul(R, C, [[0, 1, 2]], False, True)]

ys = [G.masked_matmul(R[0], C, [[0, 1]], False, True)]
"""
_FACTORS_PRELUDE = """
F = tf.contrib.factorization
def mixed(first, k, seed, kind='full', params='wmc', parts=1):
    x = np.float32(np.concatenate([rng.randn(20, 2), rng.randn(20, 2) * .5 + 3]))
    loss, scores, (assigned,), step, begin, begun = F.gmm([tf.constant(p) for p in np.split(x, parts)], first, k, seed, kind, params)
    held = [v.read_value() for v in tf.global_variables()]
    return [names(), begin, begun] + held + [loss, scores] + assigned + [step] + held + [step, loss] + held + [scores] + assigned
A = np.float32(rng.rand(5, 7) * (rng.rand(5, 7) > .4)); R, C = np.float32(rng.randn(5, 2)), np.float32(rng.randn(7, 2))
def sp(a): i = np.argwhere(a); return tf.SparseTensor(i, np.float32(a[tuple(i.T)]), a.shape)
def factored(m):
    rows, some, cols = m.update_row_factors(sp(A)), m.update_row_factors(sp(A * (np.arange(5) % 2)[:, None])), m.update_col_factors(sp(A.T), transpose_input=True)
    back = m.update_col_factors(sp(A * (np.arange(7) > 3)))
    sweep = [m.row_update_prep_gramian_op, m.initialize_row_update_op, rows, some, m.row_factors, m.col_update_prep_gramian_op, m.initialize_col_update_op, cols, back, m.col_factors]
    ys = [names(), m.initialize_op, m.worker_init]
    for y in sweep + [m.project_col_factors(sp(A), projection_weights=2.)]: ys += list(y) if isinstance(y, (tuple, list)) else [y]
    return ys
G = inner('contrib.factorization.python.ops.gen_factorization_ops') if tf.__name__.startswith('retro') else __import__('tensorflow.contrib.factorization.python.ops.factorization_ops', fromlist=['x']).gen_factorization_ops
def places(**changed):
    a = dict(factors=R, factor_weights=np.ones(5, 'f'), unobserved=.5, input_weights=np.arange(3, dtype='f'), indices=[[0, 1], [2, 0], [2, 4]], values=np.ones(3, 'f'), entries=np.zeros(0, 'f'), n=3, t=False)
    b = dict(a, factor_weights=np.zeros(0, 'f'), input_weights=np.zeros(0, 'f'), entries=np.float32([1, 2, 3]), indices=[[1, 0], [0, 2], [4, 2]], t=True)
    return list(dict(a, **changed).values()), list(dict(b, **changed).values())
"""

_MASKS = """
y = M.masked_conv2d(c(2, 4, 4, 3), 2, 3, stride=2, biases_initializer=tf.ones_initializer(), variables_collections={'weights': ['mine']}, outputs_collections='out', weights_regularizer=lambda w: tf.reduce_sum(w) * .1)
ys = told(y)

y = M.masked_convolution(c(2, 4, 4, 3), 2, [2, 3], padding='VALID', normalizer_fn=tf.contrib.layers.layer_norm, activation_fn=None, scope='s')
ys = told(y)

y = M.masked_fully_connected(c(2, 3), 4, normalizer_fn=None, activation_fn=tf.tanh, scope='a')
y = M.masked_fully_connected(tf.reshape(y, [1, 2, 4]), 2, biases_initializer=None)
ys = told(y)

with tf.contrib.framework.arg_scope([M.masked_fully_connected], activation_fn=None, weights_initializer=tf.ones_initializer()):
    y = M.masked_fully_connected(c(2, 3), 4, scope='a') + M.masked_fully_connected(c(2, 3), 4, scope='a', reuse=True)
ys = told(y)

M.masked_conv2d(c(2, 3, 4), 2, 3)

M.masked_fully_connected(c(2, 3), 2.5)

M.masked_convolution(c(2, 3, 4, 1), 2, 3, data_format='N')

cell = M.MaskedBasicLSTMCell(3)
y, s = tf.nn.dynamic_rnn(cell, c(2, 4, 5), dtype=tf.float32)
ys = told(y)

cell = M.MaskedLSTMCell(3, True, 1., tf.ones_initializer(), 3, .5, forget_bias=.5, state_is_tuple=False)
y, s = cell(c(2, 5), c(2, 6))
ys = told(y) + [s]

x = tf.placeholder_with_default(np.ones((1, 3), 'f'), [1, 3], name='x')
y = tf.identity(M.masked_fully_connected(x, 2, weights_initializer=tf.ones_initializer()), 'y')
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(M.get_masks()[0].assign([[1., 0.], [0., 1.], [1., 1.]]))
    d = tf.graph_util.convert_variables_to_constants(s, tf.get_default_graph().as_graph_def(), ['y'])
d = M.strip_pruning_vars_fn(d, ['y'])
ys = [tf.constant([n.name + ' ' + n.op for n in d.node]), tf.import_graph_def(d, return_elements=['y:0'], name='again')[0]]

M.graph_def_from_checkpoint('/nowhere', [])
"""
_MASKS_PRELUDE = """
M = tf.contrib.model_pruning
def told(y):
    kinds = ['masks', 'thresholds', 'masked_weights', 'kernel', 'mine', 'out', tf.GraphKeys.TRAINABLE_VARIABLES, tf.GraphKeys.MODEL_VARIABLES, tf.GraphKeys.REGULARIZATION_LOSSES]
    return [names(), tf.constant([v.name for k in kinds for v in tf.get_collection(k)]), y] + tf.gradients(y, tf.trainable_variables())
"""

_LABELS = """
ys = told(L.add(X, L.select(X, {'c': 'r'})), X * 2., 1. - X, X / Y, Y + X, -X, abs(X), X ** 2., X % .3, X > 0., (X > 0.) & (Y < X), ~(X > 0.), X[0, :, 1:], L.reciprocal(X), L.erf(X), L.round(X))

ys = told(L.select(X, {'c': slice('r', 'g')}), L.select(X, {'c': ['b', 'r']}), L.transpose(X), L.transpose(X, ['c', 'x', 'y']), L.expand_dims(X, ['x', 'n', 'c', ('m', 'k'), 'y']), L.slice(X, {'x': 1, 'y': slice(1, None)}))

ys = told(L.concat([X, L.select(X, {'c': ['b']}) if 0 else L.rename_axis(X, 'c', 'c')], 'x'), L.pack([X, X], ('n', ['a', 'b']), 1), *L.unpack(X, 'c'), L.reshape(X, ['c', 'y'], ['z']), L.tile(X, {'x': 2}), L.pad(X, {'c': (['k'], []), 'y': (1, 2)}))

ys = told(L.reduce_sum(X), L.reduce_mean(X, 'x'), L.reduce_max(X, ['x', ('c', 'top')]), L.reduce_logsumexp(X, ('y', None)), L.reduce_any(X > 0., ['y']), L.squeeze(L.slice(X, {'x': slice(0, 1)})), L.matmul(Y, L.select(X, {'x': slice(None)}) if 0 else L.constant(np.ones((3, 2), 'f'), axes=['y', 'k'])), L.matmul(L.constant([1., 2., 3.], axes=['y']), Y))

ys = told(L.constant(1., axes=[('a', 2)]), L.zeros_like(X), L.ones_like(X, tf.int32), L.cast(X, tf.int32), L.boolean_mask(X, L.constant([True, False], axes=['x'])), L.where(X > 0., X, -X), L.verify_tensor_all_finite(X, 'm'), L.random_crop(X, {'y': 2}, seed=3), L.map_fn(lambda v: v * v, X), L.foldl(lambda a, v: a + v, X, L.zeros_like(L.slice(X, {'x': 0}))), L.nn.softmax(Y), L.identity(3.))

with L.axis_order_scope(['y', 'c', 'x']): ys = told(L.impose_axis_order(X), L.impose_axis_order(X) + L.impose_axis_order(Y))

e = tf.train.Example(); e.features.feature['a'].float_list.value.extend([1., 2.])
serialized = tf.decode_base64(__import__('base64').urlsafe_b64encode(e.SerializeToString()))
f = {'a': L.FixedLenFeature([('k', ['u', 'v'])], tf.float32)}
coder = L.ReshapeCoder(['x', 'c'], ['xc'])
ys = told(L.parse_single_example(serialized, f)['a'], L.parse_example(L.LabeledTensor(tf.stack([serialized]), ['n']), f)['a'], coder.encode(X), coder.decode(coder.encode(X) * 2.))
ys.append(tf.constant(repr(L.placeholder(tf.float32, ['a', ('b', 2)]))))

ys = told(L.batch([X], 2, allow_smaller_final_batch=True)[0], L.shuffle_batch([X], 2, enqueue_many=False)[0])[1::2]

L.convert_to_labeled_tensor(np.ones(2, 'f'))

X + L.constant(np.ones((2, 3), 'f'), axes=[('x', 2), ('y', ['a', 'b', 'c'])])

X + L.transpose(X)

L.Axis('a', ['b', 'b'])

L.Axes([('a', 2), ('a', 3)])

L.LabeledTensor(tf.ones([2]), ['a', 'b'])

L.LabeledTensor(tf.ones([2]), [('a', 3)])

L.select(X, {'x': 'a'})

L.select(X, {'z': 'a'})

L.select(X, {'c': slice('r', 'g', 2)})

L.select(X, {'c': ['r'], 'y': 1})

L.concat([X, Y], 'x')

L.pack([X, Y], 'n')

L.transpose(X, ['x', 'y'])

L.reshape(X, ['y', 'c'], ['z'])

L.reduce_sum(X, 'z')

L.squeeze(X, ['x'])

L.tile(X, {'c': 2})

L.matmul(X, Y)

L.matmul(Y, L.constant([1.], axes=['z']))

L.matmul(Y, L.constant(1.))

L.boolean_mask(X, L.constant([True, False, True], axes=['x']))

L.where(X > 0., X, Y)

L.impose_axis_order(X)

L.check_axis_order(X, ['x', 'y'])

L.ReshapeCoder(['x'], ['z']).decode(X)

L.batch([L.constant([1.], axes=['a'])], 1, enqueue_many=True)

X[0]
"""
_LABELS_PRELUDE = """
L = tf.contrib.labeled_tensor
X = L.LabeledTensor(c(2, 3, 4), ['x', ('c', ['r', 'g', 'b']), 'y'])
X, Y = L.slice(X, {'y': slice(0, 3)}), L.LabeledTensor(c(2, 3), ['x', 'y'])
def told(*made): return [t for x in made for t in (x.tensor, tf.constant(repr(x.axes)))] + [tf.constant([n for n in (o.name for o in tf.get_default_graph().get_operations()) if n.startswith('lt_') and n.count('/') == 0])]
"""

_READERS = """
L.read_keyed_batch_examples(lines('abcdef'), 2, tf.TextLineReader, True, seed=3, num_threads=2); ys = nodes_told()

L.read_batch_record_features(lines('abcdef'), 2, {'a': tf.FixedLenFeature([], tf.int64), 'b': tf.VarLenFeature(tf.string)}); ys = nodes_told()

L.read_keyed_batch_features_shared_queue(lines('abcdef'), 2, {'a': tf.FixedLenFeature([], tf.int64)}, tf.TFRecordReader, num_epochs=2); ys = [names()]

L.read_batch_examples([], 2, tf.TextLineReader)

L.read_batch_examples(lines('a'), 0, tf.TextLineReader)

L.read_batch_examples(lines('a'), 2, tf.TextLineReader, queue_capacity=2)

L.read_batch_examples(lines('a'), 2, tf.TextLineReader, queue_capacity=0)

L.read_batch_examples(lines('a'), 2, tf.TextLineReader, read_batch_size=0)

L.read_batch_examples(lines('a'), 2, tf.TextLineReader, num_threads=0)

L.read_batch_examples(lines('a'), 2, tf.TextLineReader, num_epochs=0)

P = inner('contrib.input_pipeline.python.ops.input_pipeline_ops')
v = tf.Variable(tf.constant(-1, tf.int64)); ys = [P.obtain_next(tf.constant(['a', 'b']), v), P.seek_next(['x', 'y', 'z'])] * 2 + [names()]
"""
_READERS_PRELUDE = """
L = tf.contrib.learn
def lines(*texts):
    import tempfile
    folder = tempfile.mkdtemp()
    for i, text in enumerate(texts):
        with open('%s/%d' % (folder, i), 'w') as f: f.write('\\n'.join(text) + '\\n')
    return folder + '/*'
def nodes_told(): return [tf.constant(sorted(o.name + ' ' + o.type for o in tf.get_default_graph().get_operations()))]
"""


def _programs(**texts):
    """The programs of each text, which blank lines part, under the text's name and their number."""
    return {f"{name} {i}": code for name, text in texts.items() for i, code in enumerate(text.strip().split("\n\n"))}


_BEFORE = {"constrained": _CONSTRAINED_PRELUDE, "factors": _FACTORS_PRELUDE, "masks": _MASKS_PRELUDE, "labels": _LABELS_PRELUDE, "readers": _READERS_PRELUDE}
CASES = {
    name: _PRELUDE + _BEFORE.get(name.split()[0], "") + code
    for name, code in _programs(colors=_COLORS, constrained=_CONSTRAINED, factors=_FACTORS, masks=_MASKS, labels=_LABELS, readers=_READERS).items()
}
