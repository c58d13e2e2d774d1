"""Small programs over the array ops: each sets ``ys``, and ``xs`` where it is to be differentiated.

They are run by ``record_arrays.py`` under TensorFlow 1.15.5, and by ``tests/test_arrays.py`` here.
"""

X23 = "x = tf.constant([[1., -2., 3.], [4., 5., -6.]]); xs = [x]; "
D23 = "x = tf.placeholder_with_default(np.array([[1., -2., 3.], [4., 5., -6.]], np.float32), [None, 3]); xs = [x]; "
U23 = "x = tf.placeholder_with_default(np.array([[1., -2., 3.], [4., 5., -6.]], np.float32), None); xs = [x]; "
V4 = "v = tf.constant([1., 2., 3., 4.]); xs = [v]; "
X234 = "x = tf.constant(np.arange(24).reshape(2, 3, 4) / 4. - 2., tf.float32); xs = [x]; "
D234 = "x = tf.placeholder_with_default((np.arange(24).reshape(2, 3, 4) / 4. - 2.).astype('f'), [None, None, 4]); xs = [x]; "


def _each(prefixes, body):
    return {f"{body}  [{name}]": prefix + body for name, prefix in prefixes.items()}


CASES = {}
for _body in """
ys = [tf.identity(x), tf.identity(x, name='n')]
ys = tf.identity_n([x, x])
ys = [tf.stop_gradient(x) + x]
ys = [tf.shape(x), tf.shape(x, name='s', out_type=tf.int64), tf.size(x), tf.rank(x), tf.size(x, out_type=tf.int64)]
ys = tf.shape_n([x, x])
ys = [tf.reshape(x, [3, 2]), tf.reshape(x, [-1])]
ys = [tf.reshape(x, tf.reverse(tf.shape(x), [0]))]
ys = [tf.expand_dims(x, 0), tf.expand_dims(x, -1), tf.expand_dims(x, axis=1), tf.expand_dims(x, dim=1)]
ys = [tf.squeeze(tf.expand_dims(x, 1), [1]), tf.squeeze(tf.expand_dims(x, 0)), tf.squeeze(tf.expand_dims(x, 0), axis=0)]
ys = [tf.stack([x, x]), tf.stack([x, x], axis=1), tf.stack([x, x * 2.], -1, name='k')]
ys = [tf.concat([x, x], 0), tf.concat([x, x], 1), tf.concat([x, x], -1), tf.concat([x], 0)]
ys = [tf.concat([x] * 18, 0)]
ys = tf.split(x, 3, 1)
ys = tf.split(x, [1, 2], 1) + tf.split(x, [1, -1], axis=-1, name='s')
ys = [tf.slice(x, [0, 1], [2, 2]), tf.slice(x, [0, 1], [-1, 1])]
ys = [x[0], x[1:], x[:, 1], x[-1, ::-1], x[..., 0], x[tf.newaxis], x[:, None, 1:]]
ys = [x[:, ::2], x[::-1], x[0:1, -2:-1]]
ys = [x[tf.constant(1)], x[tf.constant(0):tf.constant(2)], x[:tf.shape(x)[0] - 1]]
ys = [x[tf.constant([True, False])]]
ys = [x[x > 0.]]
ys = [tf.strided_slice(x, [0, 0], [2, 2]), tf.strided_slice(x, [0, 0], [2, 2], [1, 2], end_mask=1)]
ys = [tf.gather(x, [1, 0, 1])]
ys = [tf.gather(x, tf.constant([[1, 0]], tf.int64))]
ys = [tf.gather(x, [2, 0, 2], axis=1)]
ys = [tf.gather(x, 1), tf.gather(x, 1, axis=1)]
ys = [tf.batch_gather(x, [[0, 1], [2, 2]])]
ys = [tf.gather_nd(x, [[0, 1], [1, 2]]), tf.gather_nd(x, [[1], [1]])]
ys = [tf.boolean_mask(x, [True, False]), tf.boolean_mask(x, [True, False, True], axis=1)]
ys = [tf.boolean_mask(x, [[True, False, True], [False, False, True]])]
ys = [tf.tile(x, [2, 1]), tf.tile(x, [1, 2], name='t')]
ys = [tf.pad(x, [[1, 0], [0, 2]]), tf.pad(x, [[1, 0], [0, 2]], constant_values=7.)]
ys = [tf.pad(x, [[1, 0], [1, 2]], 'REFLECT'), tf.pad(x, [[1, 2], [0, 2]], mode='symmetric')]
ys = [tf.transpose(x), tf.transpose(x, [1, 0]), tf.matrix_transpose(x)]
ys = [tf.reverse(x, [1]), tf.reverse(x, [0, -1])]
ys = [tf.reverse_sequence(x, [2, 3], seq_axis=1), tf.reverse_sequence(x, [2, 1, 1], seq_dim=0, batch_dim=1)]
ys = [tf.roll(x, 1, 0), tf.roll(x, [1, -1], [0, 1])]
ys = [tf.zeros_like(x), tf.ones_like(x), tf.zeros_like(x, tf.int32), tf.ones_like(x, dtype=tf.int64), tf.zeros_like(x, optimize=False)]
ys = [tf.broadcast_to(x, [2, 2, 3]), tf.broadcast_to(x[:1], [2, 3])]
ys = tf.dynamic_partition(x, [1, 0], 2)
ys = tf.dynamic_partition(x, [[1, 0, 0], [1, 1, 0]], 2)
ys = [tf.dynamic_stitch([[0, 2], [1, 1]], [x, x * 2.])]
ys = [tf.segment_sum(x, [0, 1]), tf.segment_mean(x, [1, 1])]
ys = [tf.segment_max(x, [0, 0]), tf.segment_min(x, [0, 0])]
ys = [tf.segment_prod(x, [0, 0])]; xs = []
ys = [tf.unsorted_segment_sum(x, [1, 1], 2)]
ys = [tf.unsorted_segment_sum(x, [1, -1], 3)]
ys = [tf.unsorted_segment_max(x, [1, 1], 3), tf.unsorted_segment_min(x, [0, 1], 2)]
ys = [tf.unsorted_segment_prod(x, [1, 1], 2)]
ys = [tf.unsorted_segment_mean(x, [1, 1], 2), tf.unsorted_segment_sqrt_n(x, [0, 1], 2)]
ys = [tf.sparse_segment_sum(x, [1, 0, 1], [0, 0, 1])]
ys = [tf.sparse_segment_mean(x, [1, 0, 1], [0, 0, 1]), tf.sparse_segment_sqrt_n(x, [1, 0, 1], [0, 0, 1])]; xs = []
ys = [tf.scatter_nd([[0, 1], [0, 1]], x, [2, 2, 3])]
ys = [tf.tensor_scatter_update(x, [[0, 1]], [9.]), tf.tensor_scatter_add(x, [[1]], [[9., 8., 7.]])]
ys = [tf.tensor_scatter_sub(x, [[0, 1]], [9.])]
ys = [tf.unstack(x, axis=1)[0]]
ys = tf.unstack(x, num=2)
ys = [tf.matrix_band_part(x, 0, 1), tf.matrix_band_part(x, 1, -1)]
ys = [tf.matrix_diag(x), tf.matrix_diag_part(x)]
ys = [tf.matrix_set_diag(x, [8., 9.])]
ys = [tf.repeat(x, 2, axis=0), tf.repeat(x, [1, 2], axis=0), tf.repeat(x, 2)]
ys = [tf.sort(x), tf.argsort(x, direction='DESCENDING'), tf.argsort(x, axis=0)]; xs = []
ys = [tf.sort(x, axis=0)]
ys = [tf.space_to_batch_nd(x[None], [1, 3], [[0, 0], [0, 0]])]
ys = [tf.guarantee_const(x)]; xs = []
ys = [tf.bitcast(x, tf.int32)]; xs = []
ys = [tf.histogram_fixed_width(x, [0., 5.], nbins=4)]; xs = []
ys = [tf.ensure_shape(x, [2, 3])]
ys = [tf.convert_to_tensor([x[0], x[1]]), tf.convert_to_tensor([[x[0, 0], 2.], [3., x[0, 1]]])]
""".strip().split("\n"):
    CASES |= _each({"known": X23, "rows unknown": D23}, _body)
for _body in """
ys = [tf.shape(x), tf.size(x), tf.rank(x)]
ys = [tf.reshape(x, [-1]), tf.expand_dims(x, 0)]
ys = [tf.concat([x, x], 0)]
ys = [x[0], x[..., 1]]
ys = [tf.transpose(x), tf.matrix_transpose(x)]
ys = [tf.transpose(x, [1, 0])]
ys = [tf.gather(x, [1])]
ys = [tf.gather(x, [1], axis=1)]
ys = [tf.tile(x, [2, 1])]
ys = [tf.pad(x, [[1, 1], [0, 0]])]
ys = [tf.zeros_like(x), tf.ones_like(x)]
ys = [tf.squeeze(x), tf.stack([x, x])]
ys = [tf.slice(x, [0, 0], [1, 2])]
ys = tf.split(x, 3, 1)
""".strip().split("\n"):
    CASES |= _each({"rank unknown": U23}, _body)
for _body in """
ys = [x[0, 1], x[:, 1, ::2], x[..., ::-1], x[1, ..., 2], x[:, tf.newaxis, 0], x[-1, -2:, 3]]
ys = [tf.concat([x, x[:, :1]], 1), tf.stack([x, x], 2), tf.stack([x, x], -2)]
ys = [tf.transpose(x), tf.transpose(x, [1, 2, 0]), tf.matrix_transpose(x)]
ys = [tf.gather(x, [[1, 0], [3, 3]], axis=2)]
ys = [tf.gather(x, [[2, 0], [1, 1]], axis=2, batch_dims=1)]
ys = [tf.batch_gather(x, tf.constant([[[0], [1], [2]], [[3], [3], [0]]]))]
ys = [tf.gather_nd(x, [[[0, 1], [1, 2]]]), tf.gather_nd(x, [[1, 2, 3]])]
ys = [tf.gather_nd(x, [[[0], [1]], [[2], [2]]], batch_dims=1)]
ys = [tf.boolean_mask(x, [[True, False, True], [False, True, False]]), tf.boolean_mask(x, [True, False, True], axis=1)]
ys = [tf.pad(x, [[0, 0], [1, 1], [2, 0]]), tf.pad(x, [[0, 0], [1, 1], [2, 3]], 'REFLECT')]
ys = [tf.reverse_sequence(x, [1, 3], seq_axis=1, batch_axis=0), tf.reverse_sequence(x, [1, 3], 2, 0)]
ys = [tf.unsorted_segment_sum(x, [[1, 0, 2], [0, 0, 1]], 3)]
ys = [tf.unsorted_segment_mean(x, [[1, 0, 2], [0, 0, 1]], 3)]
ys = tf.dynamic_partition(x, [[1, 0, 2], [0, 0, 1]], 3)
ys = [tf.matrix_diag(x), tf.matrix_diag_part(x), tf.matrix_set_diag(x, tf.ones([2, 3])), tf.matrix_band_part(x, 1, 1)]
ys = [tf.split(x, 2, axis=2)[0], tf.split(x, [1, 1, 2], 2)[1], tf.unstack(x, axis=2)[3]]
ys = [tf.space_to_batch_nd(x[..., None], [1, 2], [[0, 0], [0, 0]])]
ys = [tf.batch_to_space_nd(x[..., None], [2, 1], [[1, 0], [0, 0]])]
ys = [tf.batch_to_space(tf.concat([x[..., None]] * 2, 0), [[1, 0], [0, 1]], 2)]
ys = [tf.space_to_batch(x[..., None], [[1, 0], [0, 0]], block_size=2)]
ys = [tf.space_to_depth(tf.tile(x[..., None], [1, 2, 1, 1]), 2)]
ys = [tf.depth_to_space(x[:, :, None], 2)]
ys = [tf.squeeze(x[:1]), tf.tile(x, [1, 2, 1]), tf.reverse(x, [0, 2])]
ys = [tf.slice(x, [0, 1, 1], [1, 2, -1])]
ys = [tf.roll(x, [1, 2], [2, 2])]
ys = [tf.repeat(x, 3, axis=1), tf.repeat(x, [1, 2, 3], axis=1)]
""".strip().split("\n"):
    CASES |= _each({"3-d": X234, "3-d unknown": D234}, _body)
for _body in """
ys = [tf.gather(x, [[2, 0], [1, 1]], axis=1, batch_dims=1)]
ys = [tf.gather(x[0, :2], [[0, 1], [2, 2]], axis=1, batch_dims=1)]
""".strip().split("\n"):
    CASES |= _each({"3-d": X234}, _body)
for _body in """
ys = [tf.diag(v), tf.diag_part(tf.diag(v))]
ys = [tf.matrix_diag(v), tf.matrix_diag_part(tf.matrix_diag(v))]
ys = [tf.gather(v, [3, 3, 0]) * tf.gather(v, 2)]
ys = [tf.linspace(0., 1., 5), tf.lin_space(1., 2., 3, name='l')]; xs = []
ys = [tf.fill([2, 3], v[0])]
ys = [tf.meshgrid(v, v * 2.)[1]]
ys = tf.meshgrid(v, [1., 2.], indexing='ij')
ys = [tf.parallel_stack([v, v])]; xs = []
ys = [tf.concat([v, [5.]], 0), tf.stack([v[0], 2., v[1]])]
ys = [tf.gather(tf.concat([v, v], 0), [1, 5]), tf.gather(tf.reshape(v, [2, 2]), [1]), tf.gather(tf.expand_dims(v, 1), [2])]
ys = [tf.gather(tf.tile(v, [2]), [1, 6])]
ys = [tf.gather(tf.tile(v, tf.constant([2], tf.int64)), [1, 6])]
ys = [tf.gather(tf.dynamic_stitch([[0, 1, 2, 3]], [v]), [1])]
ys = [tf.gather(tf.concat([tf.reshape(v, [2, 2]), tf.reshape(v, [2, 2])], 1), [1, 0])]
ys = [tf.gather(tf.identity(v), [1, 2]), v[:2]]
ys = [tf.unsorted_segment_sum(tf.gather(v, [1, 1, 2]), [0, 1, 1], 2)]
ys = [tf.sequence_mask(tf.cast(v, tf.int32)), tf.sequence_mask([1, 2], 3, tf.float32), tf.sequence_mask([1, 2], name='m')]; xs = []
ys = [tf.setdiff1d(v, [1., 9.])[0], tf.unique(v)[1]]; xs = []
ys = [tf.roll(v, 2, 0), tf.reverse(v, [0])]
ys = [tf.scatter_nd([[4], [3], [1], [7]], v, [8])]
ys = [tf.searchsorted(v, [0., 2., 2.5]), tf.searchsorted(v, [2.], side='right', out_type=tf.int64)]; xs = []
ys = [tf.edit_distance(tf.SparseTensor([[0, 0]], [1], [1, 1]), tf.SparseTensor([[0, 0], [0, 1]], [1, 2], [1, 2]))]; xs = []
ys = [tf.sparse_to_dense([1, 3], [4], v[:2]), tf.sparse_tensor_to_dense(tf.SparseTensor([[0, 1], [1, 0]], v[1:3], [2, 2]))]
ys = [tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0, 1], [1, 0]], v[1:3], [2, 2]), tf.reshape(v, [2, 2]))]
ys = [tf.sparse_reduce_sum(tf.SparseTensor([[0, 1], [1, 0]], v[1:3], [2, 2]), 1)]
ys = [tf.sparse_reorder(tf.SparseTensor([[1, 1], [1, 0]], v[1:3], [2, 2])).values]
""".strip().split("\n"):
    CASES |= _each({"vector": V4}, _body)
for _body in """
ys = [tf.zeros([2, 3]), tf.zeros([], tf.int32), tf.zeros([1200]), tf.ones([1200], tf.int64), tf.ones([2], tf.bool), tf.zeros([2], tf.string)]
ys = [tf.zeros(tf.constant([2, 3])), tf.ones(tf.constant([2]), name='o'), tf.zeros((2, 2)), tf.zeros(3)]
ys = [tf.zeros([tf.constant(2), 3]), tf.ones(tf.TensorShape([2, 1])), tf.zeros(tf.constant([2], tf.int64))]
ys = [tf.fill([2, 2], 7), tf.fill([2], 'a'), tf.fill(tf.constant([2], tf.int64), 1.5)]
ys = [tf.constant(3), tf.constant([1.5], shape=[2, 2]), tf.constant('a'), tf.constant([1, 2], tf.int64, name='c'), tf.constant(True)]
ys = [tf.constant(0., shape=[3]), tf.constant([1, 2, 3, 4], shape=[2, 2]), tf.constant(1 << 40), tf.constant([[]])]
ys = [tf.range(5), tf.range(1, 7, 2), tf.range(3., 1., -.5), tf.range(0, 1, 0.25), tf.range(tf.constant(4)), tf.range(3, dtype=tf.float32), tf.range(3, name='r')]
ys = [tf.eye(3), tf.eye(2, 3), tf.eye(2, batch_shape=[2]), tf.eye(tf.constant(2), dtype=tf.float64), tf.eye(2, name='e')]
ys = [tf.one_hot([0, 2, -1], 3), tf.one_hot([1, 0], 2, 5, -1), tf.one_hot([[0], [1]], 2, axis=0), tf.one_hot([1], tf.constant(3), dtype=tf.int32)]
ys = [tf.one_hot([0, 1], 2, on_value=True, off_value=False), tf.one_hot([1], 2, on_value=3., name='h'), tf.one_hot([1], 2, 1, axis=1)]
ys = list(tf.unique([5, 3, 5, 1])) + list(tf.unique_with_counts([5, 3, 5, 1], out_idx=tf.int64)) + list(tf.unique(['b', 'a', 'b']))
ys = list(tf.setdiff1d([1, 2, 3, 4, 2], [1, 3]))
ys = [tf.invert_permutation([2, 0, 1]), tf.unravel_index([5, 3], [2, 3]), tf.unravel_index(4, [2, 3])]
ys = [tf.bincount([1, 1, 3]), tf.bincount([1, 1, 3], weights=[.5, 1., 2.], minlength=6), tf.bincount([1, 5, 2], maxlength=3)]
ys = [tf.broadcast_dynamic_shape([2, 1], [3]), tf.broadcast_dynamic_shape(tf.constant([2, 1]), tf.constant([3]))]
ys = list(tf.required_space_to_batch_paddings([5, 4], [2, 3])) + list(tf.required_space_to_batch_paddings(tf.constant([5, 4]), tf.constant([2, 3]), [[1, 0], [0, 1]]))
ys = [tf.bitcast(tf.constant([1, 2], tf.int64), tf.int32), tf.bitcast(tf.constant([1, 2], tf.uint8), tf.uint16)]
ys = [tf.histogram_fixed_width([-1, 3, 2, 9], [0, 5], nbins=3, dtype=tf.int64)]
ys = [tf.convert_to_tensor([tf.zeros([]), 2], tf.int32), tf.reshape(tf.placeholder_with_default([1., 2.], None), [-1, 2])]
ys = [tf.stack([1, 2]), tf.stack([[1., 2.], [3., 4.]]), tf.stack([tf.constant(1), 2]), tf.concat([['a'], ['b']], 0)]
ys = [tf.sequence_mask([[1, 0], [2, 3]], maxlen=tf.constant(3), dtype=tf.int32), tf.sequence_mask(2, 4)]
ys = [tf.reverse(['a', 'b'], [0]), tf.gather(['a', 'b'], [1]), tf.transpose([['a', 'b']]), tf.tile(['a'], [2]), tf.pad(['a'], [[1, 0]], constant_values=''), tf.reshape(['a', 'b'], [2, 1])]
ys = [tf.meshgrid([1, 2], [3])[0], tf.diag([1, 2]), tf.diag_part([[1, 2], [3, 4]]), tf.matrix_diag([1, 2]), tf.matrix_band_part([[1, 2], [3, 4]], 0, 0)]
ys = [tf.placeholder_with_default(1., []), tf.placeholder_with_default([1, 2], [None], name='p')]; tf.placeholder(tf.int32); tf.placeholder(tf.float32, [None, 2], name='q'); tf.placeholder('float', shape=2)
ys = [tf.scatter_nd([[1], [1], [0]], [1, 2, 3], [3]), tf.scatter_nd(tf.constant([[0]], tf.int64), ['a'], tf.constant([2], tf.int64))]
ys = [tf.sort([3, 1, 2], direction='DESCENDING'), tf.argsort([3, 1, 2]), tf.sort([[3., 1.], [2., 5.]], axis=0)]
x = tf.sparse_placeholder(tf.float32); y = tf.sparse_placeholder(tf.int32, [2, 3], name='sp'); ys = []
ys = [tf.sparse_to_dense([[0, 1]], [2, 2], 5), tf.sparse_to_dense([1], [3], ['a'], ''), tf.sparse_to_dense(2, [3], 1.)]
x = tf.SparseTensor([[0, 1], [1, 0]], [1., 2.], [2, 2]); y = tf.sparse_add(x, x); z = tf.sparse_add(x, tf.ones([2, 2])); ys = [y.values, y.indices, z, tf.shape(x), tf.size(x), tf.rank(x)]
x = tf.SparseTensor([[0, 1], [1, 0]], [1., 2.], [2, 2]); y = tf.sparse_concat(0, [x, x]); w = tf.sparse_reshape(x, [4]); ys = [y.values, y.indices, w.indices, w.dense_shape]
x = tf.SparseTensor([[0, 1], [1, 0]], [1., 2.], [2, 2]); y = tf.sparse_retain(x, [True, False]); z = tf.sparse_fill_empty_rows(tf.SparseTensor([[1, 0]], [3.], [2, 2]), 9.); ys = [y.values, z[0].values, z[1]]
x = tf.SparseTensor([[0, 1], [1, 0]], [1., 2.], [2, 2]); y = tf.sparse_slice(x, [0, 0], [1, 2]); z = tf.sparse_transpose(x); ys = [y.values, y.dense_shape, z.indices, z.values]
x = tf.IndexedSlices(tf.constant([[1., 2.], [3., 4.]]), tf.constant([1, 1]), tf.constant([3, 2])); ys = [tf.convert_to_tensor(x), tf.add_n([x, tf.ones([3, 2])])]
""".strip().split("\n"):
    CASES[_body] = _body
for _body in """
tf.concat(0, [tf.zeros([2]), tf.zeros([2])])
tf.concat(1, [tf.zeros([2, 1]), tf.zeros([2, 1])])
tf.concat([tf.zeros([2, 3]), tf.zeros([3, 3])], 1)
tf.concat([tf.zeros([2]), tf.zeros([2, 3])], 0)
tf.concat([tf.zeros([2]), tf.zeros([2])], 1)
tf.concat([tf.zeros([2]), tf.constant([1])], 0)
tf.stack([tf.zeros([2]), tf.zeros([3])])
tf.stack([tf.zeros([2]), tf.zeros([2])], axis=3)
tf.stack([tf.zeros([2]), tf.constant([1, 2])])
tf.unstack(tf.placeholder(tf.float32, [None, 2]))
tf.unstack(tf.zeros([2]), axis=1)
tf.unstack(tf.zeros([2]), num=3)
tf.split(tf.zeros([4]), 3)
tf.split(tf.zeros([4]), tf.constant(2))
tf.split(tf.zeros([4]), [1, 2])
tf.split(tf.zeros([4]), 2, 1)
tf.reshape(tf.zeros([2, 3]), [4])
tf.reshape(tf.zeros([2, 3]), [4, -1])
tf.expand_dims(tf.zeros([2]), 5)
tf.expand_dims(tf.zeros([2]))
tf.expand_dims(tf.zeros([2]), axis=0, dim=0)
tf.squeeze(tf.zeros([2, 3]), [0])
tf.squeeze(tf.zeros([2, 3]), [4])
tf.unique(tf.placeholder_with_default([[1]], None)).y.eval(session=tf.Session())
tf.unique_with_counts([[1]]).idx.eval(session=tf.Session())
tf.one_hot([0], -1)
tf.one_hot([0], tf.placeholder_with_default(-1, [])).eval(session=tf.Session())
tf.unsorted_segment_sum(tf.zeros([2]), [0, 1], -2)
tf.unsorted_segment_sum(tf.zeros([2]), [0, 1], tf.placeholder_with_default(-2, [])).eval(session=tf.Session())
tf.argmax(tf.zeros([2]), [0])
tf.argmax(tf.zeros([2]), tf.placeholder_with_default([0], None)).eval(session=tf.Session())
tf.matrix_band_part(tf.placeholder_with_default([1.], None), 0, 0).eval(session=tf.Session())
tf.dynamic_stitch([[0], [1]], [tf.zeros([1])])
tf.parallel_stack([tf.zeros([2, 3]), tf.zeros([1, 3])])
tf.parallel_stack([tf.zeros([2, 3]), tf.placeholder(tf.float32)])
tf.nn.embedding_lookup([], [0])
tf.split(tf.zeros([2]), 0)
tf.transpose(tf.placeholder(tf.float32), [0, 5])
tf.pad(tf.zeros([2, 2]), [[-1, 1], [0, 0]])
tf.sort(tf.zeros([2]), direction='UP')
tf.cond(tf.placeholder(tf.bool, []), lambda: tf.zeros([1]), lambda: tf.ones([1])), tf.add_check_numerics_ops()
tf.constant(type('Held', (), {'__array__': lambda self: np.array([1., 2.])})()).eval(session=tf.Session())
tf.reduce_mean(tf.placeholder_with_default([1., 2.], None), tf.placeholder_with_default([[0]], None)).eval(session=tf.Session())
tf.nn.top_k(tf.zeros([2]), tf.placeholder_with_default([1], None))[0].eval(session=tf.Session())
tf.matrix_determinant(tf.zeros([2, 3]))
tf.matrix_inverse(tf.placeholder_with_default([[1., 2.]], None)).eval(session=tf.Session())
tf.self_adjoint_eig(tf.placeholder_with_default([[1., 2.]], None))[0].eval(session=tf.Session())
tf.matrix_solve(tf.placeholder_with_default([[1., 2.]], None), [[1.]]).eval(session=tf.Session())
tf.slice(tf.zeros([2, 3]), [0], [1])
tf.slice(tf.zeros([2, 3]), [3, 0], [-1, 1])
tf.zeros([2])[3]
tf.zeros([2])[0, 0]
tf.zeros([2])['a']
tf.zeros([2])[1.5]
tf.zeros([2])[::0]
tf.zeros([2])[..., ...]
tf.zeros([2])[0:1].assign([1.])
tf.gather(tf.constant(1.), [0])
tf.gather(tf.zeros([2, 2]), [0], axis=2)
tf.gather(tf.zeros([2, 2]), [0.])
tf.gather_nd(tf.zeros([2]), [[0, 0]])
tf.boolean_mask(tf.zeros([2]), True)
tf.boolean_mask(tf.zeros([2]), [True, False, True])
tf.boolean_mask(tf.zeros([2]), tf.placeholder(tf.bool))
tf.one_hot([0], 2, on_value=1, off_value=1.)
tf.one_hot([0], 2, on_value=1, dtype=tf.float32)
tf.tile(tf.zeros([2]), [1, 1])
tf.pad(tf.zeros([2]), [[1, 1], [1, 1]])
tf.pad(tf.zeros([2]), [[1, 1, 1]])
tf.pad(tf.zeros([2]), [[1, 1]], 'WRAP')
tf.transpose(tf.zeros([2, 3]), [0])
tf.transpose(tf.zeros([2, 3]), [0, 2])
tf.matrix_transpose(tf.zeros([2]))
tf.reverse(tf.zeros([2, 3]), [2])
tf.reverse(tf.zeros([2, 3]), [1, 1])
tf.reverse_sequence(tf.zeros([2, 3]), [1, 2, 3], seq_axis=1)
tf.constant([1, 2, 3], shape=[2])
tf.constant([[1, 2], [3]])
tf.constant(1.5, tf.int32)
tf.constant(None)
tf.constant('a', tf.float32)
tf.constant([1, 2], shape=[3], verify_shape=True)
tf.range(0, 5, -1)
tf.range(0, 5, 0)
tf.fill([2, -1], 0)
tf.fill(3, 0)
tf.broadcast_static_shape(tf.TensorShape([2]), tf.TensorShape([3]))
tf.broadcast_to(tf.zeros([2]), [3])
tf.scatter_nd([[0]], [[1.]], [2])
tf.scatter_nd([[0], [1]], [1.], [2])
tf.segment_sum(tf.zeros([2]), [[0], [1]])
tf.unsorted_segment_sum(tf.zeros([2]), [0, 0, 0], 2)
tf.dynamic_partition(tf.zeros([2]), [0, 1, 1], 2)
tf.dynamic_stitch([[0, 1]], [tf.zeros([3])])
tf.meshgrid([1], indexing='ab')
tf.sequence_mask([1], maxlen=[2])
tf.diag(tf.zeros([]))
tf.diag_part(tf.zeros([2, 3]))
tf.matrix_diag_part(tf.zeros([2]))
tf.space_to_depth(tf.zeros([1, 3, 2, 1]), 2)
tf.depth_to_space(tf.zeros([1, 3, 2, 1]), 2)
tf.convert_to_tensor([tf.zeros([2]), tf.constant([1, 2])])
tf.convert_to_tensor(tf.IndexedSlices(tf.zeros([1]), tf.constant([0])))
x = tf.ones([2]); tf.gradients(tf.segment_prod(x, [0, 0]), x)
tf.invert_permutation([[0]])
tf.gather([1., 2.], tf.placeholder_with_default([0, 5], [None])).eval(session=tf.Session())
tf.gather([1., 2.], tf.placeholder_with_default(-1, [])).eval(session=tf.Session())
tf.gather_nd([1., 2.], tf.placeholder_with_default([[0], [7]], [None, 1])).eval(session=tf.Session())
tf.concat([tf.placeholder_with_default([[1.]], None), tf.placeholder_with_default([[1., 2.], [3., 4.]], None)], 1).eval(session=tf.Session())
tf.concat([tf.placeholder_with_default([1.], None), tf.placeholder_with_default([[1., 2.], [3., 4.]], None)], 0).eval(session=tf.Session())
tf.stack([tf.placeholder_with_default([1.], None), tf.placeholder_with_default([1., 2.], None)]).eval(session=tf.Session())
tf.reshape(tf.placeholder_with_default([1.], None), [2]).eval(session=tf.Session())
tf.reshape(tf.placeholder_with_default([1., 2., 3.], None), [2, -1]).eval(session=tf.Session())
tf.squeeze(tf.placeholder_with_default([1., 2.], None), [0]).eval(session=tf.Session())
tf.placeholder_with_default([1., 2.], None)[5].eval(session=tf.Session())
tf.placeholder_with_default([1., 2.], None)[0, 0].eval(session=tf.Session())
tf.slice(tf.placeholder_with_default([1., 2.], None), [1], [2]).eval(session=tf.Session())
tf.slice(tf.placeholder_with_default([1., 2.], None), [3], [0]).eval(session=tf.Session())
tf.split(tf.placeholder_with_default([1., 2.], None), 3).eval(session=tf.Session())
tf.Session().run(tf.split(tf.placeholder_with_default([1., 2.], None), 3))
tf.Session().run(tf.split(tf.placeholder_with_default([1., 2.], None), [1, 2]))
tf.Session().run(tf.unstack(tf.placeholder_with_default([1., 2.], None), 3))
tf.tile(tf.placeholder_with_default([1., 2.], None), [2, 2]).eval(session=tf.Session())
tf.tile(tf.placeholder_with_default([1., 2.], None), tf.placeholder_with_default([-1], None)).eval(session=tf.Session())
tf.pad(tf.placeholder_with_default([1., 2.], None), [[1, 1], [1, 1]]).eval(session=tf.Session())
tf.pad(tf.placeholder_with_default([1., 2.], None), [[3, 1]], 'REFLECT').eval(session=tf.Session())
tf.pad(tf.placeholder_with_default([1., 2.], None), [[3, 1]], 'SYMMETRIC').eval(session=tf.Session())
tf.transpose(tf.placeholder_with_default([[1., 2.]], None), [0]).eval(session=tf.Session())
tf.transpose(tf.placeholder_with_default([[1., 2.]], None), tf.placeholder_with_default([1, 1], None)).eval(session=tf.Session())
tf.reverse(tf.placeholder_with_default([1., 2.], None), [1]).eval(session=tf.Session())
tf.reverse_sequence(tf.placeholder_with_default([[1., 2.]], None), [3], 1).eval(session=tf.Session())
tf.segment_sum([1., 2.], tf.placeholder_with_default([1, 0], None)).eval(session=tf.Session())
tf.segment_sum([1., 2.], tf.placeholder_with_default([0], None)).eval(session=tf.Session())
tf.unsorted_segment_sum([1., 2.], tf.placeholder_with_default([0, 5], None), 2).eval(session=tf.Session())
tf.Session().run(tf.dynamic_partition([1., 2.], tf.placeholder_with_default([0, 5], None), 2))
tf.scatter_nd(tf.placeholder_with_default([[5]], None), [1.], [3]).eval(session=tf.Session())
tf.tensor_scatter_add([1., 2.], tf.placeholder_with_default([[5]], None), [1.]).eval(session=tf.Session())
tf.invert_permutation(tf.placeholder_with_default([1, 1], None)).eval(session=tf.Session())
tf.invert_permutation(tf.placeholder_with_default([1, 2], None)).eval(session=tf.Session())
tf.broadcast_to(tf.placeholder_with_default([1., 2.], None), [3]).eval(session=tf.Session())
tf.broadcast_dynamic_shape(tf.placeholder_with_default([2], None), tf.placeholder_with_default([3], None)).eval(session=tf.Session())
tf.fill(tf.placeholder_with_default([-2], None), 1.).eval(session=tf.Session())
tf.matrix_diag_part(tf.placeholder_with_default([2.], None)).eval(session=tf.Session())
tf.diag_part(tf.placeholder_with_default([[2., 3.]], None)).eval(session=tf.Session())
tf.sparse_to_dense(tf.placeholder_with_default([2, 1], None), [3], 1.).eval(session=tf.Session())
tf.sparse_to_dense(tf.placeholder_with_default([5], None), [3], 1.).eval(session=tf.Session())
tf.roll(tf.placeholder_with_default([5], None), 1, 3).eval(session=tf.Session())
tf.range(tf.placeholder_with_default(3, []), 1).eval(session=tf.Session())
tf.range(1, 3, tf.placeholder_with_default(0, [])).eval(session=tf.Session())
""".strip().split("\n"):
    CASES["error: " + _body] = _body
_body = """
ys = [tf.confusion_matrix([1, 2, 2], [1, 2, 0]), tf.confusion_matrix([0, 1], [0, 0], num_classes=3, weights=[1., 2.], dtype=tf.float32)]
""".strip()
CASES["values: " + _body] = _body  # its checks are conditional: other nodes


def outcome(tf, np, code, nodes_of, error_of):
    """What a case gives: its graph's nodes, the values of ``ys`` and of first and second gradients, or an error."""
    result = {}
    with tf.Graph().as_default() as graph:
        space = {"tf": tf, "np": np, "xs": []}
        try:
            exec(code, space)
            ys, xs = list(space.get("ys", [])), list(space["xs"])
            fetches = list(ys)
            if xs:
                smooth = [y for y in ys if y.dtype == tf.float32]
                weights = [tf.identity(y) for y in smooth]
                first = [g for g in tf.gradients(smooth, xs, weights, name="first") if g is not None]
                again = [g.values if isinstance(g, tf.IndexedSlices) else g for g in first]
                second = [g for g in tf.gradients(again, xs + weights, name="second") if g is not None] if first else []
                for g in first + second:
                    fetches += [g.values, g.indices] if isinstance(g, tf.IndexedSlices) else [g]
            result["nodes"] = nodes_of(graph)
            with tf.Session() as session:
                result["values"] = [plain(np, v) for v in session.run(fetches)]
        except Exception as error:
            result["error"] = error_of(error)
            result.setdefault("nodes", nodes_of(graph))
    return result


def plain(np, value):
    """A value as JSON: dtype, shape and rounded elements."""
    array = np.asarray(value)
    if array.dtype.kind in "SUO":
        items = [v.decode() if isinstance(v, bytes) else str(v) for v in array.ravel().tolist()]
    else:
        items = [float("%.5g" % v) if array.dtype.kind == "f" else v for v in array.ravel().tolist()]
        items = [v if v == v and abs(v) != float("inf") else str(v) for v in items]
    return ["object" if array.dtype.kind in "SUO" else array.dtype.name, list(array.shape), items]
