"""What TensorFlow's own tests of ops look at, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def c(*s): return tf.constant(np.float32(rng.randn(*s)))
def run(ys):
    with tf.Session() as session: return session.run(ys)
loops, parallel = inner('python.ops.parallel_for.control_flow_ops'), inner('python.ops.parallel_for.gradients')
"""

_ROWS = """
ys = [tf.vectorized_map(lambda x: x + tf.random_uniform([2], seed=3), tf.zeros([4]))]
ys = [tf.vectorized_map(lambda x: tf.truncated_normal([2], seed=3) + tf.cast(tf.random_uniform([], 0, 9, tf.int32, seed=2), 'float32'), tf.zeros([3]))]
ys = [tf.vectorized_map(lambda x: tf.random_gamma([2], x + 1., seed=3), c(3) * 0. + [1., 2., 3.])]
ys = [tf.vectorized_map(lambda x: tf.random_gamma([2], 2., seed=3), tf.zeros([3]))]
ys = [tf.vectorized_map(lambda x: tf.multinomial(tf.stack([[x, 0.]]), 5, seed=3), tf.constant([-9., 0., 9.]))]
ys = [tf.vectorized_map(lambda x: tf.multinomial([[0., 1.], [3., 1.]], 4, seed=3), tf.constant([-9., 0., 9.]))]
ys = [tf.vectorized_map(lambda x: tf.nn.dropout(x, rate=.5, seed=3), tf.ones([3, 8]))]
ys = [loops.pfor(lambda i: (i * 2, [tf.range(3) + i]), 4), loops.for_loop(lambda i: (i * 2, [tf.range(3) + i]), (tf.int32, [tf.int32]), 4)]
ys = [loops.pfor(lambda i: tf.random_uniform([2], seed=3) + tf.cast(i, 'float32'), tf.constant(3))]
x = c(4, 2); ys = [loops.pfor(lambda i, pfor_config: [tf.gather(x, i) - pfor_config.reduce_mean(tf.gather(x, i)), pfor_config.reduce_sum(i), pfor_config.reduce_concat(i)], 4)]
loops.pfor(lambda i: i, 4, parallel_iterations=0)
loops.pfor(lambda i: i, 4, parallel_iterations=1)
loops.pfor(3, 4)
loops.pfor(lambda i, pfor_config: pfor_config.reduce_sum(i), 4, parallel_iterations=2)
loops.for_loop(lambda i: (i, i), tf.int32, 4)
x = c(3); ys = [parallel.jacobian(x[0] * x, x), parallel.jacobian([x * x][0], [x, x], use_pfor=False)]
x, z = c(3, 2), c(3); j = parallel.jacobian(x * x, [x, z]); assert j[1] is None; ys = [j[0], tf.constant(j[0].shape.as_list())]
x = c(3, 2); ys = [parallel.batch_jacobian(x * x[:, :1], x), parallel.batch_jacobian(x * x[:, :1], x, use_pfor=False, parallel_iterations=2)]
x = c(3, 2); assert parallel.batch_jacobian(x, c(3)) is None; ys = None
x = c(3, 2); parallel.batch_jacobian(x[:2], x)
x = tf.placeholder_with_default(np.ones([3, 2], 'float32'), [None, 2]); y = tf.placeholder_with_default(np.ones([2, 2], 'float32'), [None, 2]) + tf.reduce_sum(x); ys = [parallel.batch_jacobian(y, x)]
"""

_BRANCHES = """
x = tf.ragged.constant([[1, 2], [3], [4, 5, 6]]); r = tf.while_loop(lambda i, _: i < 2, lambda i, x: [i + 1, tf.concat([x, x], 1)], [0, x])[1]; ys = [r.flat_values, r.row_splits, tf.constant(str([r.flat_values.shape.as_list(), r.row_splits.shape.as_list(), r.shape.as_list()]))]
x = tf.ragged.constant([[1, 2], [3], [4, 5, 6]]); tf.while_loop(lambda i, _: i < 2, lambda i, x: [i + 1, tf.concat([x, x], 0)], [0, x])
x = tf.ragged.constant([[1, 2], [3], [4, 5, 6]]); r = tf.while_loop(lambda i, _: i < 2, lambda i, x: [i + 1, tf.concat([x, x], 0)], [0, x], [tf.TensorShape([]), tf.TensorShape([None, None])])[1]; ys = [r.flat_values, r.row_splits, tf.constant(str([r.row_splits.shape.as_list(), r.shape.as_list()]))]
x = tf.ragged.constant([[1, 2], [3], [4, 5, 6]]); tf.while_loop(lambda i, _: i < 2, lambda i, x: [i + 1, x], [0, x], [tf.TensorShape([]), tf.TensorShape([4, None])])
x = tf.ragged.constant([[1, 2], [3], [4, 5, 6]]); tf.while_loop(lambda i, _: i < 2, lambda i, x: [i + 1, x], [0, x], [tf.TensorShape([]), tf.TensorShape([None])])
v = tf.constant([10]); r = tf.cond(tf.less(c(), 9.), lambda: tf.IndexedSlices(v + 1, tf.constant([0])), lambda: tf.IndexedSlices(v - 1, tf.constant([0], tf.int64))); ys = [r.values, r.indices]
v = tf.constant([10]); r = tf.cond(tf.less(c(), 9.), lambda: (v, tf.IndexedSlices(v + 1, tf.constant([0], tf.int64))), lambda: (v * 2, tf.IndexedSlices(v - 1, tf.constant([0])))); ys = [r[0], r[1].values, r[1].indices]
v = tf.constant([10]); tf.cond(tf.less(1, 2), lambda: tf.IndexedSlices(v, tf.constant([0])), lambda: v)
v = tf.constant([10]); tf.cond(tf.less(1, 2), lambda: (v, (v,)), lambda: (v, v))
"""

_SHAPES = """
p = tf.placeholder_with_default(tf.constant(np.array([['a', 'b']])), None); ys = [tf.zeros_like(p), tf.ones_like(tf.strings.length(p))]
q = tf.placeholder_with_default([2, 1], [None]); ys = [tf.broadcast_to([1, 2], q)]
q = tf.placeholder_with_default([2], [None]); ys = [tf.broadcast_to([[1, 2]], q)]
"""

_BOXES = """
s = np.float32(rng.randint(0, 3, [9, 13])) / 2; b = np.float32(rng.rand(13, 4)); b[:, 2:] = b[:, :2] + .3; ys = [tf.image.non_max_suppression(b, x, 100, .5) for x in s]
s = np.float32(rng.randint(0, 3, [9, 30])) / 2; b = np.float32(rng.rand(30, 4)); b[:, 2:] = b[:, :2] + .2; ys = [tf.image.non_max_suppression_with_scores(b, x, 100, .5, .2, .5) for x in s]
s = np.float32(rng.randint(0, 3, [2, 40, 3])) / 2; b = np.float32(rng.rand(2, 40, 1, 4)); b[..., 2:] = b[..., :2] + .1; ys = list(tf.image.combined_non_max_suppression(b, s, 40, 100, .5, .1))
"""

_VALUES = """
x = tf.placeholder_with_default(np.ones([1, 8, 8, 6], 'float32'), [None] * 4); k = np.ones([3, 6, 6, 2]); ys = [tf.nn.convolution(x, k, 'VALID'), tf.nn.atrous_conv2d(x, k[:, :3], 2, 'SAME')]
x = tf.placeholder('float32', [1, 8, 8, 6]); tf.nn.convolution(x, np.ones([3, 6, 6, 2]), 'VALID', dilation_rate=[2, 2])
r = tf.ragged.constant([['hello', '12'], ['1.5']]); n = tf.ragged.constant([[18, 512], [12412]]); m = inner('python.ops.math_ops'); V = tf.compat.v2; ys = [t.flat_values if hasattr(t, 'flat_values') else t for t in [tf.strings.substr(r, 0, 2), tf.strings.unicode_script(n), tf.realdiv(tf.cast(n, 'float32'), tf.cast(n, 'float32')), m.reduce_sum(n, 1), V.reduce_mean(n, axis=0), V.size(n), V.expand_dims(n, 0), V.squeeze(V.expand_dims(n, 0), 0), inner('python.ops.gen_bitwise_ops').invert(n)]]
"""

_RAW = """
R = tf.raw_ops; ys = [R.Any(input=[[True]], axis=0), R.Mean(input=[[1., 3.]], axis=[1], keep_dims=True), R.Squeeze(input=[[1]], axis=[0]), R.ExpandDims(input=1, axis=0), R.Select(condition=True, x=1, y=2), R.Where(condition=[False, True]), inner('python.ops.gen_math_ops').add(1., 2.)] + R.Split(axis=0, value=[1, 2], num_split=2)
tf.raw_ops.Add(x=1.)
tf.raw_ops.Add(x=1., y=1., z=3)
"""

_FLOW = """
C = inner('python.ops.control_flow_ops'); m, s = C.merge([tf.constant(1), tf.constant(2)]), C.switch(tf.constant(1), tf.constant(True)); ys = [tf.constant(str((type(m).__name__, m._fields, m.output.name, type(s).__name__, s._fields, s.output_true.name)))]
C = inner('python.ops.control_flow_ops'); a, b = tf.SparseTensor([[0, 1]], [1.], [2, 3]), tf.SparseTensor([[1, 1], [1, 2]], [2., 3.], [2, 3]); f, t = C.switch(a, tf.less(c(), 9.)); r, i = C.merge([t, C.switch(b, tf.less(c(), 9.))[0]]); ys = [r.indices, r.values, r.dense_shape, i, tf.constant(str([x.name for x in (r.indices, r.values, r.dense_shape, i, f.values)]))]
C = inner('python.ops.control_flow_ops'); v = tf.Variable(7., name='v'); x = C._Identity(v); y = tf.assign(x, 9.); ys = [y, tf.constant(str((x.op.type, x.dtype, C._Identity(tf.constant(1)).op.type)))]
C = inner('python.ops.control_flow_ops'); a = tf.SparseTensor([[0, 1]], [1.], [2, 3]); e = C.exit(C._Enter(a, 'loop')); i = C._Identity(a); n = C._NextIteration(C._Enter(a, 'other')); ys = [e.indices, e.values, e.dense_shape, i.values, tf.constant(str([x.op.type for x in (n.indices, n.values)] + [C._Enter(tf.constant(1), 'l').shape]))]
I, images = inner('python.ops.gen_image_ops'), c(1, 2, 2, 1); ys = [I.resize_bilinear(images, [4, 4], False, True, 'a'), I.crop_and_resize(images, [[0., 0., 1., 1.]], [0], [3, 3], 'nearest', 2., 'b'), tf.constant(inner('python.ops.gen_string_ops').string_length([u'a\u00e9'], 'UTF8_CHAR', 'c').name)]
"""


def _listed(text):
    return [line.replace("\\n", "\n") for line in text.strip().splitlines()]


CASES = {line: _PRELUDE + line for text in (_ROWS, _BRANCHES, _SHAPES, _BOXES, _VALUES, _RAW, _FLOW) for line in _listed(text)}
