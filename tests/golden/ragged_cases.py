"""Small programs over ragged tensors and text, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
R, C, S = tf.RaggedTensor, tf.ragged.constant, tf.strings
a = C([[1, 2], [], [3, 4, 5], [6]])
b = C([[1., 2.], [], [3., 4., 5.], [6.]])
n = C([[[1, 2], [3]], [], [[4, 5, 6], []]])
u = C([[[1., 2.], [3., 4.]], [[5., 6.]]], ragged_rank=1)
p = tf.placeholder_with_default(np.arange(12.).reshape(4, 3).astype('f'), [None, 3])
words = tf.constant([b'a b  c', b'', b'd e'])
def parts(x): return [x] if isinstance(x, tf.Tensor) else list(x.nested_row_splits) + [x.flat_values]
def all_parts(*xs): return [t for x in xs for t in parts(x)]
"""

_PROGRAMS = r"""
ys = all_parts(a, n, u, C([[], [[]]]), C([1, 2]), C([[1, 2], [3]], dtype=tf.float32, name='k', row_splits_dtype=tf.int32))
ys = all_parts(R.from_row_splits([1, 2, 3], [0, 1, 3]), R.from_row_lengths(tf.range(4), [1, 0, 3]), R.from_row_starts([1, 2], [0, 0, 1]))
ys = all_parts(R.from_row_limits([1, 2, 3], [1, 3]), R.from_value_rowids([1, 2, 3], [0, 2, 2]), R.from_value_rowids([1, 2, 3], [0, 2, 2], 5, validate=False))
k = tf.placeholder_with_default(np.array([0, 2, 2]), [None]); ys = all_parts(R.from_value_rowids([1, 2, 3], k), R.from_nested_row_splits([1, 2, 3], [[0, 1], [0, 3]]), R.from_nested_row_lengths([1, 2], [[1, 1], [0, 2]]))
ys = all_parts(R.from_nested_value_rowids([1, 2], [[0, 0], [0, 1]]), R.from_tensor(p), R.from_tensor(p, lengths=[1, 0, 3, 2]), R.from_tensor([[1, 0], [0, 0]], padding=0))
ys = all_parts(R.from_tensor(tf.reshape(p, [2, 2, 3]), ragged_rank=2), R.from_sparse(tf.SparseTensor([[0, 0], [2, 0], [2, 1]], [1, 2, 3], [3, 3])))
ys = [a.to_tensor(), n.to_tensor(), a.to_tensor(default_value=-1), u.to_tensor(), u.to_tensor(default_value=[7., 8.])]
s = n.to_sparse(); t = u.to_sparse(); ys = [s.indices, s.values, s.dense_shape, t.indices, t.values] + tf.gradients(t.values ** 2, u.flat_values)
ys = [n.value_rowids(), n.nrows(), n.row_starts(), n.row_limits(), n.row_lengths(), n.bounding_shape(), n.bounding_shape(axis=1)] + list(n.nested_value_rowids()) + parts(n.row_lengths(axis=2))
ys = all_parts(a[0], a[1:3], a[-1], a[:, 1:], a[:, :-1], n[0], n[0, 1], n[:, :1], n[::2], a[::-1], a[None], a[:, None], n[..., :1])
ys = all_parts(a + 1, 2 - a, a * a, b / 2., -b, abs(b), b ** 2., a > 2, tf.add(a, [[1], [2], [3], [4]]), a // 2, a % 2)
ys = all_parts(tf.exp(b), tf.cast(a, tf.float32), tf.clip_by_value(b, 2., 4.), tf.add_n([b, b]), tf.maximum(b, 2.), tf.equal(a, 3), tf.ones_like(b), tf.as_string(a))
ys = all_parts(*[f(b, axis=i) for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod) for i in (0, 1)])
ys = all_parts(tf.reduce_sum(n), tf.reduce_sum(n, 2), tf.reduce_sum(n, [0, 2]), tf.reduce_any(a > 2, 1), tf.reduce_all(a > 2, 1)) + tf.gradients(tf.reduce_mean(b, 1) ** 2, b.flat_values)
ys = all_parts(tf.concat([a, a], 0), tf.concat([a, [[7], [8], [9], [10]]], 1), tf.stack([a, a]), tf.stack([a, a], 1), tf.concat([n, n], 2))
ys = all_parts(tf.gather(a, [2, 0]), tf.gather(a, C([[0], [2, 3]])), tf.gather(p, C([[0], [2, 3]])), tf.gather_nd(a, [[2, 1], [0, 0]]), tf.gather_nd(a, [[2], [0]]), tf.batch_gather(a, C([[1], [], [0, 2], []])))
y = tf.gather(b, [2, 0, 2]); ys = parts(y) + [tf.convert_to_tensor(tf.gradients(y.flat_values ** 2, b.flat_values)[0])]
ys = all_parts(tf.ragged.boolean_mask(a, [True, False, True, False]), tf.ragged.boolean_mask(a, a > 2), tf.ragged.boolean_mask(p, p > 4.), tf.ragged.boolean_mask(p, C([[True, False, True]] * 4)))
ys = all_parts(tf.where(a > 2), tf.where(a > 2, a, -a), tf.where([True, False, True, False], a, -a), tf.tile(a, [2, 1]), tf.tile(a, [1, 2]), tf.tile(n, [1, 2, 2]))
ys = all_parts(tf.expand_dims(a, 0), tf.expand_dims(a, 1), tf.expand_dims(a, 2), tf.squeeze(C([[[1]], [[2]]]), 1), tf.size(a), tf.rank(n), tf.one_hot(a, 7))
ys = all_parts(tf.ragged.stack([a, a]), tf.ragged.stack_dynamic_partitions(['a', 'b', 'c'], [1, 0, 1], 3), tf.ragged.map_flat_values(tf.multiply, b, 3.), *tf.dynamic_partition(a, [0, 1, 0, 1], 2))
ys = all_parts(tf.ragged.range([0, 3, 5], 7), tf.ragged.range([0, 5, 8], [3, 3, 12]), tf.ragged.range([2, 5]), tf.ragged.range(3., 1., -.5), tf.ragged.range([0, 5], [0, 3], [1, -1], row_splits_dtype=tf.int32))
ys = [tf.ragged.row_splits_to_segment_ids([0, 2, 2, 5]), tf.ragged.segment_ids_to_row_splits([0, 0, 2]), tf.ragged.segment_ids_to_row_splits([0, 0, 2], 5)]
ys = all_parts(tf.unsorted_segment_sum(b, [0, 1, 0, 2], 3), tf.unsorted_segment_mean(b, [0, 1, 0, 2], 3), tf.unsorted_segment_max(b, a, 7), tf.unsorted_segment_sqrt_n(b, [0, 1, 0, 0], 2))
x = tf.ragged.placeholder(tf.float32, 2, [3]); ys = [tf.constant(str((x.shape, x.dtype, x.ragged_rank))), tf.constant(str(u.shape)), tf.constant(str(n.shape))]
ys = all_parts(S.split(words, result_type='RaggedTensor'), S.split(words, ' ', result_type='RaggedTensor'), tf.string_split(words, result_type='RaggedTensor'), S.bytes_split(words), S.split(b'x y', result_type='RaggedTensor'))
s = S.split(words); t = tf.string_split(words); z = S.split([[b'a b'], [b'c']]); ys = [s.indices, s.values, t.indices, t.values, t.dense_shape, z.indices, z.values]
w = tf.constant([u'G\xf6\xf6d'.encode('utf8'), b'a\xffb', b'']); ys = all_parts(S.unicode_decode(w, 'UTF-8'), S.unicode_split(w, 'UTF-8'), *S.unicode_decode_with_offsets(w, 'UTF-8', 'ignore'))
w = tf.constant([u'G\xf6\xf6d'.encode('utf8'), b'a\xffb', b'']); ys = [S.unicode_transcode(w, 'UTF-8', 'UTF-16-BE'), S.unicode_transcode(w, 'latin1', 'UTF-8'), S.unicode_encode([[71, 246], [-1, 100]], 'UTF-8'), S.unicode_encode(C([[71], [246, 100, 8364]]), 'UTF-32-BE'), S.unicode_encode([72, 105], 'UTF-8')]
w = C([[b'a', b'b', b'c'], [b'd']]); ys = all_parts(S.ngrams(w, 2), S.ngrams(w, [1, 3], '|', ('L', 'R')), S.ngrams(w, 3, '|', 'P', 1), S.ngrams(w, 3, preserve_short_sequences=True), S.ngrams([b'a', b'b'], 2), S.ngrams([[b'a', b'b'], [b'c', b'd']], 2))
ys = all_parts(S.reduce_join(C([[b'a', b'b'], [b'c']]), axis=1), S.length(C([[b'a', b'bb'], []])), S.join([C([[b'a'], [b'b', b'c']]), C([[b'd'], [b'e', b'f']])], '-'), S.regex_replace(C([[b'a', b'bb'], []]), 'b', 'x'))
ys = parts(R.from_row_splits([1, 2, 3], [0, 1, 2]))
ys = parts(R.from_row_lengths([1, 2, 3], [1, -1, 3]))
ys = parts(a + C([[1], [2], [3], [4, 5]]))
ys = parts(tf.gather(a, [7]))
ys = [S.unicode_decode([b'a\xff'], 'UTF-8', 'strict').flat_values]
R([1], [0])
R.from_row_splits([1, 2], [])
R.from_row_splits([1, 2], [.5])
C([[1], 2])
C([[1], [2]], ragged_rank=3)
bool(a)
a.to_list()
tf.ragged.boolean_mask(a, True)
tf.ragged.stack([])
a[:, 1]
S.split(words, result_type='x')
S.unicode_encode([1], 'x')
C([1, 2, 3], inner_shape=(2, 2))
C([[[1]], []], inner_shape=(4,), ragged_rank=1)
C([[[1, 2]], [[3, 4]]], inner_shape=(1,), ragged_rank=1)
ys = parts(C([1], inner_shape=(2, 2))) + parts(C([[1, 2], [3, 4]], inner_shape=(4,), ragged_rank=0))
"""

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().split("\n")}
