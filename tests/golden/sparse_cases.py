"""Small programs over sparse tensors and slices: each sets ``ys``, and ``xs`` where it is to be differentiated.

They are run by ``record_sparse.py`` under TensorFlow 1.15.5, and by ``tests/test_sparse.py`` here.
"""

TABLE = "t = tf.Variable((np.arange(10) / 4. - 1.).reshape(5, 2).astype('f'), name='t'); xs = [t]; "
RESOURCE = TABLE.replace("name=", "use_resource=True, name=")
PARTS = "t = [tf.Variable(np.arange(n * 2).reshape(n, 2).astype('f') - n, name='t%d' % n) for n in (2, 2, 1)]; xs = t; "
RESOURCE_PARTS = PARTS.replace("name=", "use_resource=True, name=")
SPLIT = (
    "t = tf.get_variable('t', [5, 2], initializer=tf.ones_initializer(), "
    "partitioner=tf.fixed_size_partitioner(2)); xs = list(t); "
)
UNKNOWN = "t = tf.placeholder_with_default((np.arange(10) / 4. - 1.).reshape(5, 2).astype('f'), None); xs = [t]; "
X = "x = tf.constant([[1., -2., 3.], [4., 5., -6.], [0.5, 2., 0.]], name='x'); xs = [x]; "
V = "v = tf.constant([1., -2., 3.], name='v'); xs = [v]; s = tf.SparseTensor([[0, 1], [1, 0], [1, 2]], v, [2, 3]); "
U = (
    "v = tf.placeholder_with_default(np.array([1., -2., 3.], 'f'), [None], name='v'); xs = [v]; "
    "s = tf.SparseTensor(tf.placeholder_with_default(np.int64([[0, 1], [1, 0], [1, 2]]), [None, 2]), v, "
    "tf.placeholder_with_default(np.int64([2, 3]), [2])); "
)
TWO = V + (
    "w = tf.constant([4., 5.], name='w'); xs = [v, w]; r = tf.SparseTensor([[0, 0], [1, 2]], w, [2, 3]); "
)
WORDS = (
    "ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [3, 0]], tf.constant([1, 3, 1, 4], tf.int64), [4, 2]); "
    "weights = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [3, 0]], [1., 2., 0.5, 3.], [4, 2]); "
)
GRADIENT = "g = tf.gradients(tf.reduce_sum(tf.square(tf.gather(t, [1, 3, 1]))), t)[0]; "


def _each(prefixes, body):
    return {"%s  [%s]" % (body, name): prefix + body for name, prefix in prefixes.items()}


CASES = {}
TABLES = {"reference": TABLE, "resource": RESOURCE}

for _body in """
ys = [tf.gather(t, [3, 0, 3])]
ys = [tf.gather(t, tf.constant([[1, 0]], tf.int64), name='n')]
ys = [tf.gather(t, [1, 0, 1], axis=1)]
ys = [tf.gather(t, [[1, 0]], axis=-1)]
ys = [tf.gather(tf.gather(t, [1, 2, 1]), [0, 2])]
ys = [tf.gather(t, 2), tf.gather(t, [0, 2])]
ys = [tf.gather(t, [0, 2]), t * 2.]
ys = [tf.gather(t, [0, 2]), tf.gather(t, tf.constant([1], tf.int64))]
ys = [tf.gather(t, [[0, 1], [1, 1], [0, 0], [1, 0], [1, 1]], batch_dims=1)]
ys = [tf.gather_nd(t, [[0, 1], [1, 1]]), tf.gather_nd(t, [[1], [1]])]
ys = [tf.nn.embedding_lookup(t, [1, 3, 1])]
ys = [tf.nn.embedding_lookup(t, [[1], [3]], name='e')]
ys = [tf.nn.embedding_lookup(t, [1, 3, 1], max_norm=1.)]
ys = [tf.nn.embedding_lookup([t], [1, 3, 1]), tf.nn.embedding_lookup(t, [0])]
""".strip().split("\n"):
    CASES.update(_each(TABLES, _body))
for _body in """
ys = [tf.gather(t, [3, 0, 3])]
ys = [tf.gather(t, 2), tf.gather(t, [0, 2])]
ys = [tf.gather(t, [0, 2]), tf.gather(t, tf.constant([1], tf.int64))]
ys = [tf.nn.embedding_lookup(t, [[1], [3]])]
""".strip().split("\n"):
    CASES.update(_each({"unknown": UNKNOWN}, _body))
for _body in """
ys = [tf.nn.embedding_lookup(t, [1, 4, 0, 1])]
ys = [tf.nn.embedding_lookup(t, [1, 4, 0, 1], partition_strategy='div')]
ys = [tf.nn.embedding_lookup(t, [[1, 4], [0, 1]], max_norm=1., name='e')]
ys = [tf.nn.embedding_lookup(t, tf.constant([1, 4], tf.int64), partition_strategy='div')]
""".strip().split("\n"):
    CASES.update(_each({"parts": PARTS, "resource parts": RESOURCE_PARTS, "split": SPLIT}, _body))
for _body in """
ys = [tf.nn.embedding_lookup_sparse(t, ids, None, combiner='sum')]
ys = [tf.nn.embedding_lookup_sparse(t, ids, None, combiner='mean')]
ys = [tf.nn.embedding_lookup_sparse(t, ids, None, combiner='sqrtn', name='e')]
ys = [tf.nn.embedding_lookup_sparse(t, ids, weights, combiner='sum')]
ys = [tf.nn.embedding_lookup_sparse(t, ids, weights, combiner='mean')]
ys = [tf.nn.embedding_lookup_sparse(t, ids, weights, combiner='sqrtn', max_norm=1.)]
ys = [tf.nn.safe_embedding_lookup_sparse(t, ids)]
ys = [tf.nn.safe_embedding_lookup_sparse(t, ids, weights, combiner='sqrtn', default_id=2)]
""".strip().split("\n"):
    CASES.update(_each({"reference": TABLE + WORDS, "resource": RESOURCE + WORDS, "parts": PARTS + WORDS}, _body))

for _body in """
ys = [tf.clip_by_norm(g, 1.)]
ys = [tf.clip_by_norm(g, 1., axes=[1], name='c')]
ys = [tf.clip_by_value(g, -1., 1.)]
ys = [tf.clip_by_average_norm(g, 1.)]
ys = [tf.global_norm([g, None, tf.constant([1., 2.])])]
ys = list(tf.clip_by_global_norm([g, tf.constant([1., 2.]), None], 1.)[0]) + [tf.clip_by_global_norm([g], 1.)[1]]
ys = [tf.add_n([g, g]), tf.convert_to_tensor(g), -g]
ys = [tf.gradients(tf.gather(t, [1]) + tf.reduce_sum(t), t)[0]]
ys = [tf.scalar_mul(2., g)]
ys = [tf.gradients(tf.gather(t, [1, 1]), t, aggregation_method=i)[0] for i in (0, 1, 2)]
ys = [tf.gradients([tf.gather(t, [1]), tf.gather(t, [2]), tf.gather(t, [2, 3])], t, aggregation_method=i)[0] for i in (0, 1, 2)]
ys = [tf.gradients([tf.gather(t, [1]), t * 3., tf.gather(t, [2, 3])], t, aggregation_method=i)[0] for i in (0, 1, 2)]
ys = tf.gradients(tf.gather(t, [1]), [t], grad_ys=[tf.constant([[2., 3.]])])
ys = tf.gradients(t * t, [t], grad_ys=[tf.IndexedSlices(tf.constant([[2., 3.]]), tf.constant([1]), tf.constant([5, 2]))])
ys = tf.gradients(tf.identity(t), [t], grad_ys=[tf.IndexedSlices(tf.constant([[2., 3.]]), tf.constant([1]), tf.constant([5, 2]))])
ys = [tf.gradients(tf.gather(tf.identity(t), [1, 1]), t)[0]]
ys = [tf.gradients(tf.gather(tf.reshape(t, [10]), [1, 1]), t)[0]]
ys = [tf.gradients(tf.gather(tf.tanh(t), [1, 1]), t)[0]]
ys = tf.gradients(tf.gather(t, [1]), [t], gate_gradients=True)
ys = tf.gradients(tf.gather(t, [1]), [t], colocate_gradients_with_ops=True)
ys = tf.gradients(tf.gather(t, [1]), [t], stop_gradients=[t])
""".strip().split("\n"):
    CASES.update(_each({"reference": TABLE + GRADIENT + "xs = []; ", "resource": RESOURCE + GRADIENT + "xs = []; "}, _body))

for _body in """
ys = [tf.scatter_nd([[2], [0], [2]], x, [4, 3])]
ys = [tf.tensor_scatter_update(x, [[2], [0]], x[:2]), tf.tensor_scatter_add(x, [[2], [2]], x[:2]), tf.tensor_scatter_sub(x, [[0, 1]], [9.])]
ys = [tf.segment_sum(x, [0, 0, 2]), tf.segment_mean(x, [0, 0, 2]), tf.segment_max(x, [0, 0, 2]), tf.segment_min(x, [0, 0, 2])]
ys = [tf.unsorted_segment_sum(x, [2, 0, 2], 4), tf.unsorted_segment_mean(x, [2, -1, 2], 4), tf.unsorted_segment_sqrt_n(x, [2, 0, 2], 3)]
ys = [tf.unsorted_segment_max(x, [2, 0, 2], 4), tf.unsorted_segment_min(x, [2, -1, 2], 4)]
ys = [tf.unsorted_segment_prod(x, [1, 0, 1], 2), tf.unsorted_segment_prod(x, [1, -1, 1], 3)]
ys = [tf.unsorted_segment_prod(x, [[1, 0, 1], [1, 1, 0], [-1, 0, 1]], tf.constant(2, tf.int64))]
ys = [tf.sparse_segment_sum(x, [1, 0, 1], [0, 0, 2]), tf.sparse_segment_sum(x, [1, 0, 1], [0, 0, 2], num_segments=4)]
ys = tf.dynamic_partition(x, [1, 0, 1], 2)
ys = [tf.dynamic_stitch([[0, 2, 1], [1, 1, 3]], [x, x * 2.])]
ys = [tf.raw_ops.ParallelDynamicStitch(indices=[[0, 2, 1], [5, 4, 3]], data=[x, x * 2.])]
ys = [tf.gradients(tf.gather(tf.dynamic_stitch([[0, 2], [1]], [x[:2], x[2:]]), [1, 1]), x)[0]]
ys = [tf.gather(x, [[0, 2], [1, 1], [2, 0]], batch_dims=1), tf.gather(x, [1, 1], axis=tf.constant(1))]
ys = [tf.gather(tf.stack([x, x], 1), [[0, 2], [1, 1], [2, 0]], batch_dims=1, axis=2), tf.batch_gather(x, [[0], [1], [2]])]
ys = [tf.boolean_mask(x, [True, False, True]), tf.boolean_mask(x, x > 0.)]
""".strip().split("\n"):
    CASES[_body] = X + _body
for _body in """
ys = [tf.sparse_segment_mean(x, [1, 0, 1], [0, 0, 2]), tf.sparse_segment_mean(x, [1, 0], [0, 1], num_segments=3)]
ys = [tf.sparse_segment_sqrt_n(x, [1, 0, 1], [0, 0, 2]), tf.sparse_segment_sqrt_n(x, [1, 0], [0, 1], num_segments=3)]
""".strip().split("\n"):
    CASES[_body] = X + _body

for _body in """
ys = [tf.sparse_tensor_dense_matmul(s, tf.ones([3, 2])), tf.sparse.matmul(s, tf.ones([2, 2]), adjoint_a=True, name='m')]
ys = [tf.sparse_tensor_dense_matmul(s, tf.constant([[1., 2., 3.]] * 2), adjoint_b=True)]
ys = [tf.sparse_tensor_to_dense(s), tf.sparse.to_dense(s, default_value=9., name='d')]
ys = [tf.sparse_reorder(s), tf.sparse_transpose(s, [1, 0], name='t')]
ys = [tf.sparse_reshape(s, [3, 2]), tf.sparse_reshape(s, [-1], name='r'), tf.sparse_reshape(s, [3, -1])]
ys = [tf.sparse_retain(s, [True, False, True])]
ys = [tf.sparse_slice(s, [0, 1], [2, 2])]
ys = [tf.sparse_fill_empty_rows(s, 9.)[0], tf.sparse_fill_empty_rows(s, 9., name='f')[1]]
ys = [tf.sparse_reduce_sum(s), tf.sparse_reduce_sum(s, 1), tf.sparse_reduce_sum(s, [0], keepdims=True), tf.sparse_reduce_sum(s, -1)]
ys = [tf.sparse_reduce_sum(s, reduction_axes=[0, 1]), tf.sparse_reduce_sum(s, axis=0, keep_dims=True)]
ys = [tf.sparse_softmax(s), tf.sparse_softmax(s, name='n')]
ys = [s * tf.constant([[1., 2., 3.]]), s * tf.constant([[3.], [4.]]), s * tf.constant([1., 2., 3.])]
ys = [s / tf.constant([[1., 2., 3.]]), s / tf.constant([[3.], [4.]]), s / tf.constant([1., 2., 3.])]
ys = [s * tf.ones([2, 3]) / tf.ones([1, 1])]
ys = [s * 2., s / 2., tf.divide(s, 2.)]; xs = []
ys = [tf.ones([2, 3]) * s, tf.constant(2.) * s, s.__div__(2.)]; xs = []
ys = [tf.raw_ops.SparseDenseCwiseAdd(sp_indices=s.indices, sp_values=s.values, sp_shape=s.dense_shape, dense=[[1., 2., 3.]])]
ys = [tf.sparse_add(s, tf.ones([2, 3])), tf.sparse.add(tf.ones([2, 3]), s)]
ys = [tf.sparse.expand_dims(s, 1), tf.sparse.expand_dims(s), tf.sparse.expand_dims(s, -2, name='e')]
ys = [tf.cast(s, tf.float64), tf.sparse_reduce_sum(tf.cast(s, tf.float64))]
ys = [tf.identity(s.values), tf.square(s), tf.abs(s), tf.sign(s), tf.sqrt(tf.abs(s)), tf.tanh(s), tf.erf(s)]
ys = [tf.negative(s)]
""".strip().split("\n"):
    CASES.update(_each({"known": V, "unknown": U}, _body))
CASES["sparse_transpose in reverse"] = V + "ys = [tf.sparse_transpose(s), tf.sparse_transpose(s, name='r')]"
for _body in """
ys = [tf.sparse_add(s, r), tf.sparse_add(s, r, threshold=4.5), tf.sparse.add(s, r, thresh=1.)]
ys = [tf.sparse_maximum(s, r), tf.sparse.minimum(s, r), tf.sparse_maximum(s, r, name='n')]
ys = [tf.sparse_concat(0, [s, r]), tf.sparse_concat(-1, [s, r], name='c'), tf.sparse.concat(axis=1, sp_inputs=[s, r])]
""".strip().split("\n"):
    CASES[_body] = TWO + _body

LOSS = "loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(t, [1, 4, 1]))); "
BOTH = LOSS.replace("; ", " + tf.reduce_sum(tf.gather(t, [0]) ** 3) + tf.reduce_mean(tf.gather(t, [1, 1])); ")
AFTER = "\nwith tf.control_dependencies([step]): ys = [v.read_value() for v in tf.global_variables()]\nxs = []"
for _body in """
tf.train.GradientDescentOptimizer(0.1)
tf.train.MomentumOptimizer(0.1, 0.9)
tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)
tf.train.AdamOptimizer(0.1)
tf.train.AdagradOptimizer(0.1)
tf.train.AdagradDAOptimizer(0.1, tf.train.get_or_create_global_step())
tf.train.AdadeltaOptimizer(0.1)
tf.train.RMSPropOptimizer(0.1, momentum=0.5)
tf.train.RMSPropOptimizer(0.1, centered=True)
tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01)
tf.train.ProximalAdagradOptimizer(0.1)
tf.train.ProximalGradientDescentOptimizer(0.1)
""".strip().split("\n"):
    _step = "step = %s.minimize(loss)" % _body + AFTER
    CASES.update(_each({"reference": TABLE + BOTH, "resource": RESOURCE + BOTH}, _step))
    CASES.update(_each({"parts": PARTS + LOSS, "resource parts": RESOURCE_PARTS + LOSS, "split": SPLIT + LOSS}, _step))
for _body in """
gs = o.compute_gradients(loss); step = o.apply_gradients([(tf.clip_by_norm(g, 1.), v) for g, v in gs])
gs, vs = zip(*o.compute_gradients(loss)); step = o.apply_gradients(zip(tf.clip_by_global_norm(gs, 1.)[0], vs))
gs = o.compute_gradients(loss, aggregation_method=1, colocate_gradients_with_ops=True); step = o.apply_gradients(gs)
step = tf.group(*[tf.scatter_sub(v, g.indices, g.values) for g, v in o.compute_gradients(loss)])
""".strip().split("\n"):
    _step = "o = tf.train.MomentumOptimizer(0.1, 0.9); " + _body + AFTER
    CASES.update(_each({"reference": TABLE + BOTH, "resource": RESOURCE + BOTH}, _step))
for _body in """
ys = [tf.gradients(tf.cond(p, lambda: tf.gather(t, [0, 1]), lambda: tf.gather(t, [2, 2])), t)[0]]
ys = [tf.gradients(tf.cond(p, lambda: tf.gather(t, [0, 1]), lambda: t[:2] * 2.), t)[0]]
ys = [tf.gradients(tf.cond(p, lambda: tf.nn.embedding_lookup(t, [1, 1]), lambda: tf.zeros([2, 2])), t)[0]]
ys = [tf.cond(p, lambda: tf.clip_by_norm(tf.gradients(tf.gather(t, [0, 1]), t)[0], 1.).values, lambda: tf.zeros([2, 2]))]
step = tf.train.AdamOptimizer().minimize(tf.reduce_sum(tf.cond(p, lambda: tf.gather(t, [0, 1]), lambda: tf.gather(t, [2, 2]))))
""".strip().split("\n"):
    _body = "p = tf.placeholder_with_default(True, []); xs = []; " + _body
    CASES.update(_each({"reference": TABLE, "resource": RESOURCE}, _body))

# the initial values of averages are conditional: other nodes
_step = "e = tf.train.ExponentialMovingAverage(0.5); m = tf.train.AdagradOptimizer(0.1).minimize(loss)\nwith tf.control_dependencies([m]): step = e.apply()" + AFTER
CASES.update(_each({"values: reference": TABLE + BOTH, "values: resource": RESOURCE + BOTH}, _step))

WORDS_OF_ROWS = 'W = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "c"], [2, 2]); '
NUMBERS = "s = tf.SparseTensor([[0, 1], [1, 0], [1, 2]], [3, 1, 2], [2, 3]); xs = []; "
for _body in """
ys = [tf.sparse_reduce_max(s), tf.sparse_reduce_max(s, 1), tf.sparse_reduce_max(s, [0], keepdims=True)]
ys = [tf.sparse_reduce_sum_sparse(s), tf.sparse_reduce_sum_sparse(s, 1), tf.sparse_reduce_sum_sparse(s, [0], keepdims=True)]
ys = [tf.sparse_reduce_max_sparse(s), tf.sparse_reduce_max_sparse(s, 1), tf.sparse_reduce_max_sparse(s, [0], keepdims=True)]
ys = tf.sparse_split(sp_input=s, num_split=2, axis=1) + tf.sparse.split(sp_input=s, num_split=2, axis=0, name='p')
ys = [tf.sparse_to_indicator(s, 5), tf.sparse.to_indicator(s, 5, name='i')]
ys = [s / 2, s / tf.constant([[1, 2, 3]]), s.__div__(2), s * 3, tf.constant([1, 2, 3]) * s]
ys = [tf.sparse_merge(s, tf.SparseTensor([[0, 1], [1, 0], [1, 2]], [5., 6., 7.], [2, 3]), 5)]
ys = [tf.sparse_merge([s, s], tf.SparseTensor([[0, 1], [1, 0], [1, 2]], [5., 6., 7.], [2, 3]), [5, 5], already_sorted=True, name='m')]
ys = [tf.sparse_reset_shape(s), tf.sparse_reset_shape(s, [4, 5]), tf.sparse.reset_shape(s, tf.constant([4, 5], tf.int64))]
ys = [tf.sparse.from_dense([[0, 2], [3, 0]]), tf.sparse.from_dense(tf.constant([1., 0.]), name='f')]
ys = [tf.sparse.eye(tf.constant(2), tf.constant(3, tf.int64)), tf.sparse.eye(np.int32(2))]
ys = [tf.sparse_reshape(s, tf.concat([[2], tf.placeholder_with_default([3], [1])], 0)), tf.sparse_reshape(s, tf.placeholder_with_default([3, 2], [2]))]
ys = [tf.sparse.cross([s, s]), tf.sparse.cross([s, tf.constant([[1, 5], [2, 7]])], name='c'), tf.sparse.cross([W, s, W])]
ys = [tf.sparse.cross_hashed([s, s], num_buckets=100), tf.sparse.cross_hashed([W, s]), tf.sparse.cross_hashed([s, tf.constant([["p"], ["q"]])], hash_key=7)]
ys = [tf.sparse.cross([W]), tf.sparse.cross([tf.constant([[1.5], [2.]])]), tf.sparse.cross_hashed([W], 1000), tf.sparse.cross_hashed([tf.constant([[-1]] * 2)])]
ys = [tf.strings.unsorted_segment_join(['a', 'b', 'c'], [0, 1, 0], 2, ':'), tf.strings.unsorted_segment_join([['a', 'b'], ['c', 'd']], [[0, 1], [1, 1]], 3, name='q')]
ys = [tf.strings.unsorted_segment_join([['a', 'b'], ['c', 'd']], [1, 1], tf.placeholder_with_default(2, []))]
ys = [tf.serialize_sparse(s), tf.serialize_many_sparse(s, name='m'), tf.serialize_sparse(W), tf.serialize_many_sparse(W)]
m = tf.serialize_many_sparse(s); ys = [tf.deserialize_many_sparse(m, tf.int32), tf.deserialize_many_sparse(m, tf.int32, rank=2, name='d')]
ys = [tf.deserialize_many_sparse(tf.serialize_many_sparse(W), tf.string)]
ys = [tf.sparse.eye(2), tf.sparse.eye(2, 3, tf.int32, name='e')]
ys = [tf.sparse_mask(tf.IndexedSlices(tf.constant([[1., 2.], [3., 4.], [5., 6.]]), tf.constant([4, 1, 2])), [1, 4])]
ys = [tf.sparse_placeholder(tf.int32, [2, 3]).dense_shape]
p = [tf.sparse_placeholder(tf.int32), tf.sparse_placeholder(tf.float32, [2, None], name='q'), tf.sparse.placeholder(tf.int32, tf.constant([2, 3], tf.int64))]; ys = []
ys = [tf.sparse_concat(0, [s, s], expand_nonconcat_dim=True), tf.sparse_concat(1, [s, s], expand_nonconcat_dim=True)]
ys = [tf.sparse_concat(0, [s, tf.SparseTensor([[0, 4]], [7], [1, 5])], expand_nonconcat_dim=True)]
ys = [tf.sparse_matmul([[1., 0.], [0., 2.]], [[1., 2.], [3., 4.]], a_is_sparse=True), tf.sparse_matmul([[1., 0.]], [[1., 2.]], transpose_b=True)]
""".strip().split("\n"):
    CASES[_body] = (WORDS_OF_ROWS if "W" in _body else "") + NUMBERS + _body
CASES["gradient of sparse_matmul"] = X + "ys = [tf.sparse_matmul(x, x, a_is_sparse=True), tf.sparse_matmul(x, x, transpose_a=True, b_is_sparse=True)]"

for _body in """
tf.sparse_add(1., 2.)
tf.sparse_reorder(1.)
tf.sparse_split(2, s, axis=1)
tf.sparse_split(sp_input=s, axis=1)
tf.sparse_split(sp_input=s, num_split=2)
tf.sparse_softmax(5)
tf.sparse_retain(s, [True])
tf.sparse_reduce_sum(s, 5).eval(session=tf.Session())
tf.Session().run(tf.sparse_slice(s, [0], [2]))
tf.Session().run(tf.sparse_split(sp_input=s, num_split=5, axis=1))
tf.Session().run(tf.sparse_split(sp_input=s, num_split=2, axis=3))
tf.Session().run(tf.sparse_concat(0, [s, tf.sparse_transpose(s)]))
tf.Session().run(tf.sparse_concat(3, [s, s]))
tf.Session().run(tf.sparse_add(s, tf.sparse_transpose(s)))
tf.Session().run(tf.sparse_maximum(s, tf.sparse_transpose(s)))
s * tf.ones([4, 3])
tf.Session().run(s * tf.ones([4, 3], tf.int32))
tf.Session().run(s * tf.ones([1, 1, 3], tf.int32))
s + s
2 * s
-s
tf.Session().run(s / tf.constant(0)).values[0].tolist() + [].q
tf.sparse_merge(5, s, [5])
tf.sparse_merge([s], s, ['a'])
tf.sparse_merge([s, s], s, [5])
tf.sparse_split(num_split=2, axis=1)
tf.sparse_add(s, tf.SparseTensor([[0, 0]], [1], [3, 2]))
tf.Session().run(tf.sparse_add(s, tf.ones([2, 2], tf.int32)))
tf.Session().run(tf.sparse_add(tf.SparseTensor([[5, 1]], [2], [2, 3]), tf.ones([2, 3], tf.int32)))
tf.Session().run(tf.sparse_reshape(s, tf.placeholder_with_default([-1, -1], [2])))
tf.Session().run(tf.sparse_reshape(s, tf.placeholder_with_default([-1, 4], [2])))
tf.Session().run(tf.sparse_concat(0, [s, tf.SparseTensor([[0]], [1], [2])]))
tf.Session().run(tf.sparse_segment_sum(tf.ones([2, 2]), [1, 0], [0, 1], num_segments=1))
tf.Session().run(tf.sparse_softmax(tf.SparseTensor([[0]], [1.], [2])))
tf.Session().run(tf.sparse_reset_shape(s, [1, 3]))
tf.sparse_reset_shape(s, [1, 3, 5])
tf.Session().run(tf.sparse_reset_shape(s, tf.placeholder_with_default(np.int64([2, 2]), [2])))
tf.sparse.expand_dims(s, 5)
tf.sparse_merge(s, s, [5])
tf.sparse_merge([s], s, 5)
tf.sparse_merge(s, s, 'a')
tf.sparse_mask(s, [1])
tf.Session().run(tf.sparse_tensor_dense_matmul(s, [[1], [2]]))
tf.sparse_tensor_to_dense(3)
tf.Session().run(tf.sparse_fill_empty_rows(tf.SparseTensor([[5, 0]], [1], [2, 3]), 0))
tf.sparse.concat(0, 5)
tf.sparse_concat(0, [1])
tf.SparseTensor([[0, 1]], [1, 2], [2, 3])
tf.SparseTensor([[0, 1]], [1], [2])
tf.sparse_to_indicator(3, 4)
tf.Session().run(tf.sparse_to_indicator(s, 2))
tf.sparse_transpose(s, [0])
tf.sparse.eye('a')
tf.serialize_sparse(5)
tf.deserialize_many_sparse([['a', 'b']], tf.int32)
tf.Session().run(tf.deserialize_many_sparse([['a', 'b', 'c']], tf.int32))
tf.Session().run(tf.deserialize_many_sparse(tf.serialize_many_sparse(s), tf.float32))
tf.Session().run(tf.serialize_many_sparse(tf.SparseTensor([[0]], [1], [2])))
tf.Session().run(tf.strings.unsorted_segment_join(['a', 'b'], [0, 5], 2))
tf.Session().run(tf.strings.unsorted_segment_join('a', 0, 1))
tf.strings.unsorted_segment_join(['a', 'b', 'c'], [0, 1], 2)
tf.strings.unsorted_segment_join(['a'], [0], -1)
tf.sparse.cross(s)
tf.sparse.cross([5])
tf.Session().run(tf.sparse.cross([s, tf.constant([[1]])]))
tf.Session().run(tf.sparse.cross([s, tf.SparseTensor([[0, 0]], [1], [3, 1])]))
tf.Session().run(tf.sparse_maximum(tf.SparseTensor([[0]], [1], [2]), s))
tf.Session().run(tf.sparse_add(tf.SparseTensor([[0]], [1], [2]), s))
tf.Session().run(tf.raw_ops.SparseFillEmptyRowsGrad(reverse_index_map=[9], grad_values=[1., 2.]))
tf.raw_ops.SparseFillEmptyRowsGrad(reverse_index_map=[[0]], grad_values=[1., 2.])
tf.Session().run(tf.sparse_transpose(s, [0, 5]))
tf.Session().run(tf.sparse_reshape(s, [7]))
tf.Session().run(tf.sparse_reshape(s, [-1, -1]))
tf.Session().run(tf.sparse_reshape(s, [-1, 4]))
tf.nn.embedding_lookup(None, [1])
tf.nn.embedding_lookup([tf.ones([2, 2])] * 2, [1], partition_strategy='x')
tf.nn.embedding_lookup_sparse(tf.ones([2, 2]), [1], None)
tf.nn.embedding_lookup_sparse(tf.ones([2, 2]), s, [1])
tf.nn.embedding_lookup_sparse(tf.ones([2, 2]), s, None, combiner='x')
tf.Session().run(tf.gather(tf.ones([2, 2]), [2]))
tf.Session().run(tf.segment_sum(tf.ones([2, 2]), [1, 0]))
tf.Session().run(tf.unsorted_segment_sum(tf.ones([2, 2]), [1, 3], 2))
tf.Session().run(tf.sparse_segment_sum(tf.ones([2, 2]), [1, 3], [0, 0]))
tf.Session().run(tf.sparse_segment_sum(tf.ones([2, 2]), [1, 0], [1, 0]))
tf.Session().run(tf.scatter_nd([[3]], [1.], [2]))
tf.clip_by_norm(tf.IndexedSlices(tf.constant([1]), tf.constant([0])), 1.)
tf.convert_to_tensor(tf.IndexedSlices(tf.constant([1.]), tf.constant([0])))
""".strip().split("\n"):
    CASES["error: " + _body] = NUMBERS + _body


def parts_of(tf, y):
    """The tensors that a result is made of."""
    if y is None:
        return []
    if isinstance(y, tf.SparseTensor):
        return [y.indices, y.values, y.dense_shape]
    if isinstance(y, tf.IndexedSlices):
        return [y.values, y.indices] + ([] if y.dense_shape is None else [y.dense_shape])
    return [y]


def outcome(tf, np, code, plain, nodes_of, error_of, orders=2):
    """What a case gives: its graph's nodes, the values of ``ys`` and of its gradients up to ``orders``, or an error."""
    result = {}
    with tf.Graph().as_default() as graph:
        space = {"tf": tf, "np": np, "xs": []}
        try:
            exec(code, space)
            ys, xs = list(space.get("ys", [])), list(space["xs"])
            groups = [ys]
            if xs:
                smooth = [y.values if isinstance(y, tf.SparseTensor) else y for y in ys]
                smooth = [y for y in smooth if y.dtype == tf.float32]
                weights = [y * y for y in smooth]
                try:
                    for name in ("first", "second")[:orders]:
                        groups.append(tf.gradients(smooth, xs, weights, name=name))
                        smooth = [g.values if isinstance(g, tf.IndexedSlices) else g for g in groups[-1] if g is not None]
                        weights = None
                except (LookupError, TypeError, NotImplementedError) as error:
                    result["no gradient"] = error_of(error)
            result["kinds"] = [[type(y).__name__ for y in group] for group in groups]
            result["nodes"] = nodes_of(graph)
            fetches = [part for group in groups for y in group for part in parts_of(tf, y)]
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                result["values"] = [plain(np, v) for v in session.run(fetches)]
        except Exception as error:
            result["error"] = error_of(error)
            result.setdefault("nodes", nodes_of(graph))
    return result
