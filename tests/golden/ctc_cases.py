"""Small programs over the labels of ``tf.nn.ctc_...``, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.randn(*[n or 4 for n in s]).astype('f'), s)
labels = tf.placeholder_with_default(np.array([[1, 1, 2, 2, 1], [1, 1, 1, 2, 0], [2, 2, 2, 3, 3]], np.int32), [None, 5])
sparse = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.array([0, 3, 1], np.int32), [2, 2])
"""

_PROGRAMS = """
d, p = tf.nn.ctc_beam_search_decoder(f(7, 3, 5), [7, 4, 5], 10, 3, False); ys = [[x.indices, x.values, x.dense_shape] for x in d] + [p]
d, p = tf.nn.ctc_beam_search_decoder(f(7, None, 5), [7, 4, 5, 2]); ys = [[x.indices, x.values, x.dense_shape] for x in d] + [p]
d, p = tf.nn.ctc_beam_search_decoder_v2(f(9, 2, 4), [9, 8], 4, 4); ys = [[x.indices, x.values, x.dense_shape] for x in d] + [p]
d, p = tf.nn.ctc_beam_search_decoder(f(9, 2, 3), [9, 8], 1, 1, True); ys = [[x.indices, x.values, x.dense_shape] for x in d] + [p]
d, p = tf.nn.ctc_beam_search_decoder(f(9, 2, 4), [9, 8], 4, 5); ys = [p]
d, p = tf.nn.ctc_beam_search_decoder(f(9, 2, 4), [9, 10]); ys = [p]
d, p = tf.nn.ctc_beam_search_decoder(6 * f(9, 1, 3), [9], 4, 1, False); ys = [d[0].values, p]
d, p = tf.nn.ctc_beam_search_decoder(6 * f(12, 20, 4), [9, 12] * 10, 5, 1, False); ys = [d[0].values, p]
d, p = tf.nn.ctc_beam_search_decoder(f(8, 20, 4) / tf.nn.relu(f(8, 20, 4) + 1.5), [8] * 20, 5, 1, False); ys = [d[0].values, p]
ys = tf.nn.collapse_repeated(labels, [4, 5, 5])
ys = tf.nn.collapse_repeated(tf.cast(labels, tf.int64)[:, :3], tf.constant([3, 0, 2], tf.int64), name='c')
ys = tf.nn.ctc_unique_labels(labels)
x = f(6, 2, 5); y = tf.nn.ctc_loss_v2(sparse, x, None, [6, 5], blank_index=2); ys = [y] + tf.gradients(y, x)
x = f(2, 6, 5); y = tf.nn.ctc_loss_v2(sparse, x, None, [6, 5], False, blank_index=-1); ys = [y] + tf.gradients(y, x)
tf.nn.ctc_loss_v2(sparse, f(6, 2, 5), None, [6, 5])
"""

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().split("\n")}
