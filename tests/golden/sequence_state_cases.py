"""Sequences in segments whose states are carried along: ``tf.contrib.training.batch_sequences_with_states``."""

_PRELUDE = """
T = tf.contrib.training
def sequences(width=2):
    i = tf.Variable(-1, trainable=False).assign_add(1) + 0
    return i, tf.reshape(tf.range(width * (i + 2)), [-1, width])
def run(fetches, update, taken=5, steps=3):
    prefetch = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[-1].enqueue_ops[0]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(taken): sess.run(prefetch)
        rows = [sess.run([fetches, update])[0] for _ in range(steps)]
    return [tf.constant(np.concatenate([np.ravel(r[k]) for r in rows])) for k in range(len(fetches))]
def parts(b):
    return [b.key, b.next_key, b.sequence, b.sequence_count, b.length, b.total_length, b.insertion_index + 2 ** 62]
"""

_WHOLE = """
i, x = sequences(); b = T.batch_sequences_with_states(tf.as_string(i), {'x': x}, {'c': tf.stack([i, i + 1])}, None, {'s': tf.zeros([2], tf.int32)}, 2, 2, num_threads=1); ys = run(parts(b) + [b.sequences['x'], b.context['c'], b.state('s'), b.batch_size], b.save_state('s', b.state('s') + b.sequences['x'][:, -1]))
i, x = sequences(); b = T.batch_sequences_with_states(tf.as_string(i), {'x': x}, {}, tf.shape(x)[0] - 1, {'s': tf.constant(1.)}, 3, 3, num_threads=1, capacity=9); ys = run(parts(b) + [b.sequences['x'], b.state('s')], b.save_state('s', b.state('s') * 2), 6, 2)
i, x = sequences(); p = tf.SparseTensor(tf.cast(tf.stack([tf.range(i + 2), tf.range(i + 2) % 2], 1), tf.int64), tf.range(i + 2), tf.cast(tf.stack([i + 2, 2]), tf.int64)); b = T.batch_sequences_with_states(tf.as_string(i), {'x': x, 'p': p}, {}, None, {'s': tf.constant(0)}, 2, 2, num_threads=1); ys = run([b.key, tf.sparse.to_dense(b.sequences['p']), b.sequences['p'].dense_shape, b.sequences['x']], b.save_state('s', b.state('s') + 1), 6, 2)
i, x = sequences(); p = tf.SparseTensor(tf.cast([[0], [2]], tf.int64), tf.stack([i, i + 1]), tf.constant([3], tf.int64)); b = T.batch_sequences_with_states(tf.as_string(i), {'x': x}, {'p': p}, None, {'s': tf.constant(0)}, 2, 2, num_threads=1); ys = run([b.key, tf.sparse.to_dense(b.context['p']), b.context['p'].dense_shape], b.save_state('s', b.state('s') + 1), 6, 2)
i, x = sequences(4); x = tf.cast(x, tf.float32); x = tf.concat([x, x], 0)[:4] / 9; b = T.batch_sequences_with_states(tf.as_string(i), {'x': x}, {}, tf.constant(4), {'c': tf.zeros([3]), 'h': tf.zeros([3])}, 2, 1, num_threads=1, pad=False); cell = tf.nn.rnn_cell.BasicLSTMCell(3); o, _ = tf.nn.static_state_saving_rnn(cell, [tf.squeeze(t, 1) for t in tf.split(tf.reshape(b.sequences['x'], [1, 2, 4]), 2, 1)], b, ('c', 'h'), scope=tf.variable_scope('r', initializer=tf.constant_initializer(.1)).__enter__()); ys = run([b.key] + o, b.state('c'))
"""

_REFUSED = """
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, {})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, [1])
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, {'a:b': tf.zeros([])})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x:y': tf.zeros([4, 5])}, {}, {'a': tf.zeros([])})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {}, {}, {'a': tf.zeros([])})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5])}, {1: tf.zeros([])}, {'a': tf.zeros([])})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5])}, {'c': tf.placeholder(tf.float32, [None])}, {'a': tf.zeros([])})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.placeholder(tf.float32, [None, None])}, {}, {'a': tf.zeros([])})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, {'a': tf.zeros([])}, capacity=1)
T.SequenceQueueingStateSaver(2, 2, tf.constant([3]), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, {'a': tf.zeros([])})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3.), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, {'a': tf.zeros([])})
T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant(1), {'x': tf.zeros([4, 5])}, {}, {'a': tf.zeros([])})
s = T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, {'a': tf.zeros([])}); s.next_batch.save_state('b', tf.zeros([2]))
s = T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, {'a': tf.zeros([])}); s.next_batch.save_state('a', tf.zeros([3]))
s = T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.placeholder_with_default(tf.zeros([3, 5]), [None, 5])}, {}, {'a': tf.zeros([])}); ys = [tf.constant(s.num_unroll)]; tf.Session().run(s.prefetch_op)
s = T.SequenceQueueingStateSaver(2, 2, tf.constant(5), tf.constant('k'), {'x': tf.zeros([4, 5])}, {}, {'a': tf.zeros([])}); tf.Session().run(s.prefetch_op)
s = T.SequenceQueueingStateSaver(2, 2, tf.constant(3), tf.constant('k'), {'x': tf.zeros([4, 5]), 'y': tf.placeholder_with_default(tf.zeros([6, 5]), [None, 5])}, {}, {'a': tf.zeros([])}); tf.Session().run(s.prefetch_op)
T.batch_sequences_with_states('k', {'x': tf.zeros([4, 5])}, {}, None, {'a': tf.zeros([])}, 2.5, 2)
T.batch_sequences_with_states('k', {3: tf.zeros([4, 5])}, {}, None, {'a': tf.zeros([])}, 2, 2)
T.batch_sequences_with_states('k', {'x': tf.zeros([4, 5])}, {}, None, {'a': tf.zeros([])}, 2, 2, pad=False)
"""


CASES = {line: _PRELUDE + line for text in (_WHOLE, _REFUSED) for line in text.strip().splitlines()}
