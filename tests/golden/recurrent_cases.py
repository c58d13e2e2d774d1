"""Small programs over cells, decoders, attention and linear-chain fields: each sets ``ys``, what is run twice.

They are run by ``record_recurrent.py`` under TensorFlow 1.15.5, and by ``tests/test_recurrent.py`` here.
"""

PRELUDE = """
tf.set_random_seed(1)
R, N, Q, G, K = tf.contrib.rnn, tf.nn, tf.contrib.seq2seq, tf.contrib.legacy_seq2seq, tf.contrib.crf
rng = np.random.RandomState(3)
def inner(m): return __import__('importlib').import_module('%s.contrib.%s' % (tf.__name__, m))
def f(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, [n or 2 for n in s]).astype('f'), s)
def i(n, *s): return tf.placeholder_with_default(rng.randint(0, n, [k or 2 for k in s]).astype('i'), s)
def zero(c, n=2): return c.zero_state(n, tf.float32)
def run(c, x=None):
  with tf.variable_scope(None, 'run'): return c(f(2, 3) if x is None else x, zero(c))
def grads(ys): return [tf.convert_to_tensor(g) for g in tf.gradients([y for y in tf.contrib.framework.nest.flatten(ys) if y.dtype == tf.float32], tf.trainable_variables())]
"""

CELLS = """
ys = run(R.OutputProjectionWrapper(R.GRUCell(4), 2)), run(R.OutputProjectionWrapper(R.GRUCell(4, name='b'), 2, activation=tf.nn.relu))
ys = run(R.InputProjectionWrapper(R.GRUCell(4), 2, activation=tf.tanh))
c = R.EmbeddingWrapper(R.GRUCell(4), 5, 3); ys = c(i(5, 2, 1), zero(c))
c = R.EmbeddingWrapper(R.GRUCell(4), 5, 3, initializer=tf.ones_initializer()); ys = c(i(5, 2), zero(c))
ys = run(R.AttentionCellWrapper(R.GRUCell(4), 3)), run(R.AttentionCellWrapper(R.BasicLSTMCell(4), 3, attn_size=2, attn_vec_size=5, input_size=2))
c = R.AttentionCellWrapper(R.GRUCell(4), 3, state_is_tuple=False); ys = c(f(2, 3), f(2, 20))
ys = run(R.HighwayWrapper(R.GRUCell(3)))
ys = run(R.HighwayWrapper(R.GRUCell(3), couple_carry_transform_gates=False, carry_bias_init=.5))
ys = run(R.LayerNormBasicLSTMCell(4)); ys += tuple(grads(ys))
ys = run(R.LayerNormBasicLSTMCell(4, layer_norm=False, dropout_keep_prob=.5, dropout_prob_seed=7, forget_bias=.5))
ys = run(R.CoupledInputForgetGateLSTMCell(4)), run(R.CoupledInputForgetGateLSTMCell(4, use_peepholes=True, num_proj=3, proj_clip=.2, layer_norm=True))
c = R.CoupledInputForgetGateLSTMCell(4, state_is_tuple=False, num_unit_shards=2); ys = c(f(2, 3), f(2, 8))
ys = run(R.UGRNNCell(4)), run(R.IntersectionRNNCell(3)), run(R.IntersectionRNNCell(4, num_in_proj=4))
ys = run(R.NASCell(4)), run(R.NASCell(4, num_proj=3, use_bias=True))
c = R.NASCell(4); y, s = run(c); ys = [c(f(2, 3), s)] + grads(y)
ys = run(R.SRUCell(4)), run(R.IndRNNCell(4)), run(R.IndyGRUCell(4)), run(R.IndyLSTMCell(4))
ys = run(R.PhasedLSTMCell(4), (tf.constant([[.5], [1.5]]), f(2, 3))), run(R.PhasedLSTMCell(4, use_peepholes=True, trainable_ratio_on=False), (tf.constant([[.5], [1.5]]), f(2, 3)))
ys = run(R.GLSTMCell(4)), run(R.GLSTMCell(4, num_proj=2, number_of_groups=2), f(2, 4))
ys = run(R.Conv1DLSTMCell(input_shape=[5, 2], output_channels=3, kernel_shape=[3]), f(2, 5, 2))
ys = run(R.Conv2DLSTMCell(input_shape=[4, 5, 2], output_channels=3, kernel_shape=[3, 2], skip_connection=True, use_bias=False), f(2, 4, 5, 2))
ys = run(R.Conv3DLSTMCell(input_shape=[3, 2, 2, 2], output_channels=2, kernel_shape=[2, 2, 2], forget_bias=0.), f(2, 3, 2, 2, 2))
c = R.TimeFreqLSTMCell(3, feature_size=2, frequency_skip=2, use_peepholes=True, cell_clip=.5); ys = c(f(2, 6), f(2, 24))
ys = run(R.GridLSTMCell(3, feature_size=2, frequency_skip=2, num_frequency_blocks=[3]), f(2, 6))
ys = run(R.GridLSTMCell(3, feature_size=2, frequency_skip=2, num_frequency_blocks=[2], use_peepholes=True, share_time_frequency_weights=True, couple_input_forget_gates=True, cell_clip=.4), f(2, 4))
c = R.BidirectionalGridLSTMCell(3, feature_size=2, frequency_skip=2, num_frequency_blocks=[2]); ys = c(f(2, 4), zero(c))
c = R.LSTMBlockCell(4); ys = [run(c)]; ys += grads(ys)
c = R.LSTMBlockCell(4, use_peephole=True, cell_clip=.25, forget_bias=.5); ys = [run(c)]; ys += grads(ys)
c = R.GRUBlockCell(4); ys = [run(c)]; ys += grads(ys)
ys = run(R.GRUBlockCellV2(4))
c = R.LSTMBlockFusedCell(4); ys = [c(f(5, 2, 3), dtype=tf.float32)]; ys += grads(ys)
c = R.LSTMBlockFusedCell(4, use_peephole=True, cell_clip=.25); ys = [c(f(5, 2, 3), initial_state=(f(2, 4), f(2, 4)), sequence_length=[3, 5])]; ys += grads(ys)
c = R.FusedRNNCellAdaptor(R.GRUCell(4)); ys = c(f(3, 2, 3), dtype=tf.float32), R.TimeReversedFusedRNN(c)(f(3, 2, 3), dtype=tf.float32, sequence_length=[1, 2])
c = R.FusedRNNCellAdaptor(R.GRUCell(4), use_dynamic_rnn=True); ys = c(f(3, 2, 3), dtype=tf.float32, sequence_length=[3, 2])
ys = R.stack_bidirectional_rnn([R.GRUCell(4), R.GRUCell(3)], [R.GRUCell(4), R.GRUCell(3)], [f(2, 3), f(2, 3)], dtype=tf.float32)
ys = R.stack_bidirectional_dynamic_rnn([R.GRUCell(4), R.GRUCell(3)], [R.GRUCell(4), R.GRUCell(3)], f(2, 4, 3), dtype=tf.float32, sequence_length=[2, 3])
ys = N.dynamic_rnn(R.LSTMBlockCell(4), f(2, 5, 3), dtype=tf.float32)
ys = N.dynamic_rnn(R.MultiRNNCell([R.AttentionCellWrapper(R.BasicLSTMCell(4), 2), R.LayerNormBasicLSTMCell(3)]), f(2, 4, 3), dtype=tf.float32, sequence_length=[4, 2])
ys = [R.transpose_batch_time(f(2, 3, 4)), R.best_effort_input_batch_size([f(3, 2)])][:1]
ys = N.raw_rnn(R.GRUCell(3), lambda t, o, s, l: (t >= tf.constant([2, 3]), tf.zeros([2, 2]), tf.ones([2, 3]) if s is None else s, o, None))[1:2]
I = inner('rnn.python.ops.rnn_cell'); ys = run(I.LayerNormLSTMCell(4)), run(I.LayerNormLSTMCell(4, use_peepholes=True, cell_clip=.1, num_proj=3, proj_clip=.2, layer_norm=True, norm_gain=.5, norm_shift=.1))
I = inner('rnn.python.ops.rnn_cell'); ys = run(I.WeightNormLSTMCell(4, norm=False)), run(I.WeightNormLSTMCell(4, use_peepholes=True, cell_clip=.1, num_proj=3, proj_clip=.2)); ys += tuple(grads(ys))
I = inner('rnn.python.ops.rnn_cell'); ys = N.dynamic_rnn(I.WeightNormLSTMCell(4), f(2, 5, 3), dtype=tf.float32), N.dynamic_rnn(I.LayerNormLSTMCell(4, layer_norm=True), f(2, 5, 3), dtype=tf.float32, scope='b')
I = inner('rnn.python.ops.rnn_cell'); ys = run(I.MinimalRNNCell(4)), run(I.CFNCell(4)), run(I.CFNCell(4, activation='relu', bias_initializer='zeros', name='c')); ys += tuple(grads(ys))
I = inner('rnn.python.ops.rnn_cell'); c = I.NTMCell(R.BasicLSTMCell(4), 5, 3, 2, 1); s = zero(c); y, t = c(f(2, 3), s); ys = [y, c(f(2, 3), t)]
I = inner('rnn.python.ops.lstm_ops'); w, b = tf.get_variable('w', [7, 16]), tf.get_variable('b', [16]); ys = I._block_lstm(tf.constant(2, tf.int64), [f(2, 3), f(2, 3)], w, b, cs_prev=f(2, 4), h_prev=f(2, 4), wci=f(4), wcf=f(4), wco=f(4), use_peephole=True)
I = inner('solvers.python.ops.lanczos'); u = inner('solvers.python.ops.util'); ys = [I.lanczos_bidiag(u.create_operator(f(4, 3)), 2, orthogonalize=o, starting_vector=tf.ones([4])) for o in (True, False)]; ys += [I.bidiag_matmul(ys[0].u, ys[0].alpha, ys[0].beta), I.bidiag_matmul(ys[0].v, ys[0].alpha, ys[0].beta, adjoint_b=True)]
R.OutputProjectionWrapper(R.GRUCell(4), 0)
R.OutputProjectionWrapper(3, 4)
R.EmbeddingWrapper(R.GRUCell(4), 0, 3)
R.AttentionCellWrapper(R.GRUCell(4), 0)
R.AttentionCellWrapper(R.BasicLSTMCell(4), 2, state_is_tuple=False)
R.GLSTMCell(4, number_of_groups=3)
R.IntersectionRNNCell(4)(f(2, 3), f(2, 4))
R.stack_bidirectional_rnn([], [], [f(2, 3)])
R.stack_bidirectional_dynamic_rnn([R.GRUCell(4)], [], f(2, 3, 4))
R.ConvLSTMCell(2, [4, 2], 3, [2, 2])
"""

SEQUENCES = """
h = Q.TrainingHelper(f(2, 4, 3), [3, 4]); c = R.GRUCell(5); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)))
h = Q.TrainingHelper(f(4, None, 3), i(4, None), time_major=True); c = R.BasicLSTMCell(5); d = Q.BasicDecoder(c, h, zero(c), output_layer=tf.layers.Dense(6)); ys = Q.dynamic_decode(d, impute_finished=True, output_time_major=True, maximum_iterations=3); ys = [ys, grads(ys[0].rnn_output)]
e = tf.get_variable('e', [5, 3]); h = Q.GreedyEmbeddingHelper(e, [1, 2], 3); c = R.GRUCell(5); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)), maximum_iterations=4, scope='s')
e = tf.get_variable('e', [5, 3]); h = Q.SampleEmbeddingHelper(e, [1, 2], 3, softmax_temperature=.5, seed=3); c = R.GRUCell(5); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)), parallel_iterations=1, maximum_iterations=4)
e = tf.get_variable('e', [5, 3]); h = Q.SampleEmbeddingHelper(lambda t: tf.nn.embedding_lookup(e, t), [1, 2], 3); c = R.GRUCell(5); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)), parallel_iterations=1, maximum_iterations=4, impute_finished=True)
e = tf.get_variable('e', [5, 3]); h = Q.ScheduledEmbeddingTrainingHelper(f(2, 4, 3), [3, 4], e, .5, seed=1, scheduling_seed=2); c = R.GRUCell(5); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)), parallel_iterations=1)
h = Q.ScheduledOutputTrainingHelper(f(2, 4, 3), [3, 4], .5, seed=1); c = R.GRUCell(3); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)), parallel_iterations=1)
h = Q.ScheduledOutputTrainingHelper(f(2, 4, 3), [3, 4], .5, seed=1, auxiliary_inputs=f(2, 4, 2), next_inputs_fn=lambda o: o[:, :3]); c = R.GRUCell(5); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)), parallel_iterations=1)
h = Q.CustomHelper(lambda: (tf.constant([False, False]), tf.ones([2, 3])), lambda time, outputs, state: tf.zeros([2], tf.int32), lambda time, outputs, state, sample_ids: (tf.tile([time > 1], [2]), outputs[:, :3], state)); c = R.GRUCell(5); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)))
h = Q.InferenceHelper(lambda o: o, [5], tf.float32, f(2, 5), lambda s: tf.tile([False], [2])); c = R.GRUCell(5); ys = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c)), maximum_iterations=3)
a = Q.BahdanauAttention(4, f(2, 5, 3)); c = Q.AttentionWrapper(R.GRUCell(5), a); ys = [run(c)[0]]
a = Q.BahdanauAttention(4, f(2, 5, 3), [2, 5], normalize=True); c = Q.AttentionWrapper(R.BasicLSTMCell(5), a, attention_layer_size=4, alignment_history=True); h = Q.TrainingHelper(f(2, 4, 3), [3, 4]); y, s, l = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c), tf.layers.Dense(3))); ys = [y, l, s.alignments, s.alignment_history.stack(), grads(y.rnn_output)]
a = Q.LuongAttention(5, f(2, 5, 3), i(5, 2) + 1, scale=True); c = Q.AttentionWrapper(R.GRUCell(5), a, output_attention=False, name='at'); h = Q.TrainingHelper(f(2, 4, 3), [3, 4]); y, s, l = Q.dynamic_decode(Q.BasicDecoder(c, h, zero(c))); ys = [y, l, s.alignments]
a = Q.LuongAttention(5, f(None, None, 3), probability_fn=tf.nn.softmax); c = Q.AttentionWrapper(R.GRUCell(5), a, cell_input_fn=lambda x, a: x, attention_layer_size=3); h = Q.TrainingHelper(f(None, 4, 3), [3, 4]); b = tf.shape(i(3, 2))[0]; y, s, l = Q.dynamic_decode(Q.BasicDecoder(c, h, c.zero_state(b, tf.float32))); ys = [y, l]
a = [Q.LuongAttention(5, f(2, 5, 3)), Q.BahdanauAttention(4, f(2, 6, 2))]; c = Q.AttentionWrapper(R.GRUCell(5), a, attention_layer_size=[3, 2], initial_cell_state=f(2, 5)); ys = [run(c)[0]]
a = Q.BahdanauMonotonicAttention(4, f(2, 5, 3), [4, 5], sigmoid_noise=1., sigmoid_noise_seed=2, normalize=True); c = Q.AttentionWrapper(R.GRUCell(5), a); ys = [run(c)[0]]
a = Q.LuongMonotonicAttention(5, f(2, 5, 3), mode='hard', scale=True, score_bias_init=.5); c = Q.AttentionWrapper(R.GRUCell(5), a); ys = [run(c)[0]]
a = Q.BahdanauMonotonicAttention(4, f(2, 5, 3), mode='recursive'); c = Q.AttentionWrapper(R.GRUCell(5), a); ys = [run(c)[0]]
m = f(None, 4, 3); c = Q.AttentionWrapper(R.MultiRNNCell([R.GRUCell(5)]), Q.LuongAttention(5, m)); z = c.zero_state(tf.shape(m)[0], tf.float32).clone(cell_state=(f(None, 5),)); ys = [z.cell_state, z.attention, z.alignments]
m = f(None, 4, 3); c = Q.AttentionWrapper(R.GRUCell(5), Q.LuongAttention(5, m)); ys = [c.zero_state(tf.shape(m)[0], tf.float32).clone(cell_state=f(3, 5)).cell_state]
c = Q.AttentionWrapper(R.GRUCell(5), Q.LuongAttention(5, f(2, 4, 3))); c.zero_state(2, tf.float32).clone(cell_state=f(2, 6))
ys = [Q.hardmax(f(2, 4)), Q.safe_cumprod(f(2, 3), axis=1, exclusive=True), Q.tile_batch(f(2, 3), 3), Q.tile_batch((f(None, 3), i(3, 2)), 2)]
ys = [Q.gather_tree(i(9, 3, 2, 3), i(3, 3, 2, 3), i(4, 2), 8)]
e = tf.get_variable('e', [5, 3]); c = R.GRUCell(4); d = Q.BeamSearchDecoder(c, e, [1, 2], 3, Q.tile_batch(f(2, 4), 3), 3, tf.layers.Dense(5)); y, s, l = Q.dynamic_decode(d, maximum_iterations=4); ys = [y, l, s.log_probs, s.lengths, s.finished]
e = tf.get_variable('e', [5, 3]); a = Q.LuongAttention(4, Q.tile_batch(f(2, 5, 3), 2), Q.tile_batch(tf.constant([3, 5]), 2)); c = Q.AttentionWrapper(R.BasicLSTMCell(4), a, alignment_history=True, attention_layer_size=4); z = c.zero_state(4, tf.float32).clone(cell_state=R.LSTMStateTuple(Q.tile_batch(f(2, 4), 2), Q.tile_batch(f(2, 4), 2))); d = Q.BeamSearchDecoder(c, e, [1, 2], 3, z, 2, tf.layers.Dense(5), length_penalty_weight=.6); y, s, l = Q.dynamic_decode(d, maximum_iterations=4); ys = [y, l]
e = tf.get_variable('e', [5, 3]); a = Q.BahdanauAttention(4, Q.tile_batch(f(2, 5, 3), 2)); c = Q.AttentionWrapper(R.GRUCell(4), a); d = Q.BeamSearchDecoder(c, lambda t: tf.nn.embedding_lookup(e, t), [1, 2], 3, c.zero_state(4, tf.float32), 2, tf.layers.Dense(5), coverage_penalty_weight=.4); y, s, l = Q.dynamic_decode(d, maximum_iterations=4); ys = [y, l]
e = tf.get_variable('e', [5, 3]); a = Q.LuongAttention(4, Q.tile_batch(f(None, 5, 3), 2)); c = Q.AttentionWrapper(R.GRUCell(4), a, alignment_history=True); t = i(3, None); n = tf.shape(t)[0]; d = Q.BeamSearchDecoder(c, e, t, 3, c.zero_state(2 * n, tf.float32), 2, tf.layers.Dense(5)); y, s, l = Q.dynamic_decode(d, maximum_iterations=4); ys = [y, l, s.cell_state.alignment_history]
ys = [Q.sequence_loss(f(2, 3, 4), i(4, 2, 3), f(2, 3)), Q.sequence_loss(f(2, 3, 4), i(4, 2, 3), f(2, 3), False, False), Q.sequence_loss(f(2, 3, 4), i(4, 2, 3), f(2, 3), average_across_batch=False, name='q'), Q.sequence_loss(f(2, 3, 4), i(4, 2, 3), f(2, 3), average_across_timesteps=False, softmax_loss_function=lambda labels, logits: N.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))]
ys = [Q.sequence_loss(f(2, 3, 4), i(4, 2, 3), f(2, 3), False, False, True, True), Q.sequence_loss(f(2, 3, 4), i(4, 2, 3), f(2, 3), False, False, True, False)]
Q.sequence_loss(f(2, 3), i(4, 2, 3), f(2, 3))
Q.sequence_loss(f(2, 3, 4), i(4, 2), f(2, 3))
Q.TrainingHelper(f(2, 4, 3), [[3, 4]])
Q.GreedyEmbeddingHelper(f(5, 3), 1, 3)
Q.GreedyEmbeddingHelper(f(5, 3), [1], [3])
Q.BasicDecoder(3, 4, 5)
Q.BasicDecoder(R.GRUCell(3), 4, 5)
Q.dynamic_decode(3)
Q.AttentionWrapper(R.GRUCell(3), 4)
Q.AttentionWrapper(R.GRUCell(3), Q.LuongAttention(3, f(2, 5, 3)), [3, 4])
Q.LuongAttention(3, f(2, 5, None))
c = Q.AttentionWrapper(R.GRUCell(3), Q.LuongAttention(4, f(2, 5, 3))); run(c)
c = Q.AttentionWrapper(R.GRUCell(3), Q.LuongAttention(3, f(2, 5, 3))); c(f(2, 3), 5)
Q.monotonic_attention(f(2, 3), f(2, 3), 'soft')
"""

LEGACY = """
ys = G.rnn_decoder([f(2, 3), f(2, 3)], f(2, 4), R.GRUCell(4)); ys = [ys, G.rnn_decoder([f(2, 4), f(2, 4)], f(2, 4), R.GRUCell(4, name='b'), loop_function=lambda y, t: y * .5, scope='x')]
ys = G.basic_rnn_seq2seq([f(2, 3)] * 2, [f(2, 3)] * 2, R.BasicLSTMCell(4))
ys = G.tied_rnn_seq2seq([f(2, 3)] * 2, [f(2, 3)] * 2, R.GRUCell(4))
ys = G.embedding_rnn_decoder([i(5, 2), i(5, 2)], f(2, 4), R.GRUCell(4), 5, 3, output_projection=(f(4, 5), f(5)), feed_previous=True)
ys = G.embedding_rnn_seq2seq([i(5, 2)] * 2, [i(6, 2)] * 3, R.GRUCell(4), 5, 6, 3)
ys = G.embedding_rnn_seq2seq([i(5, 2)] * 2, [i(6, 2)] * 2, R.GRUCell(4), 5, 6, 3, feed_previous=tf.placeholder_with_default(True, []))
ys = G.embedding_tied_rnn_seq2seq([i(5, 2)] * 2, [i(5, 2)] * 2, R.GRUCell(4), 5, 3, feed_previous=True)
ys = G.embedding_tied_rnn_seq2seq([i(5, 2)] * 2, [i(5, 2)] * 2, R.GRUCell(4), 5, 3, output_projection=(f(4, 5), f(5)), feed_previous=tf.placeholder_with_default(False, []))
ys = G.attention_decoder([f(2, 3)] * 2, f(2, 4), f(2, 5, 4), R.GRUCell(4), num_heads=2, initial_state_attention=True)
ys = G.attention_decoder([f(2, 3)] * 2, f(2, 4), f(2, 5, 4), R.GRUCell(4), output_size=3, loop_function=lambda y, t: y)
ys = G.embedding_attention_decoder([i(5, 2)] * 2, f(2, 4), f(2, 5, 4), R.GRUCell(4), 5, 3, feed_previous=True, update_embedding_for_previous=False)
ys = G.embedding_attention_seq2seq([i(5, 2)] * 2, [i(6, 2)] * 2, R.GRUCell(4), 5, 6, 3); ys = [ys, grads(ys[0])]
ys = G.embedding_attention_seq2seq([i(5, 2)] * 2, [i(6, 2)] * 2, R.BasicLSTMCell(4), 5, 6, 3, output_projection=(f(4, 6), f(6)), feed_previous=tf.placeholder_with_default(True, []))
ys = G.one2many_rnn_seq2seq([i(5, 2)] * 2, {'a': [i(4, 2)] * 2, 'b': [i(3, 2)]}, R.GRUCell(4), {'a': R.GRUCell(4), 'b': R.GRUCell(4)}, 5, {'a': 4, 'b': 3}, 3)[0]; ys = [ys['a'], ys['b']]
l, t, w = [f(2, 4)] * 2, [i(4, 2)] * 2, [f(2)] * 2; ys = [G.sequence_loss_by_example(l, t, w), G.sequence_loss(l, t, w), G.sequence_loss(l, t, w, False, False), G.sequence_loss_by_example(l, t, w, False, lambda labels, logits: N.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits), 'n')]
def m(x, y): return G.basic_rnn_seq2seq(x, y, R.GRUCell(4))\\nx, y, t, w = [f(2, 3)] * 3, [f(2, 3)] * 3, [i(4, 2)] * 3, [f(2)] * 3; ys = G.model_with_buckets(x, y, t, w, [(2, 2), (3, 3)], m)
def m(x, y): return G.basic_rnn_seq2seq(x, y, R.GRUCell(4))\\nx, y, t, w = [f(2, 3)] * 3, [f(2, 3)] * 3, [i(4, 2)] * 3, [f(2)] * 3; ys = G.model_with_buckets(x, y, t, w, [(2, 2), (3, 3)], m, per_example_loss=True)[1]
G.model_with_buckets([f(2, 3)], [f(2, 3)], [i(4, 2)], [f(2)], [(2, 2)], None)
G.sequence_loss_by_example([f(2, 3)], [i(4, 2)] * 2, [f(2)])
G.attention_decoder([], f(2, 4), f(2, 5, 4), R.GRUCell(4))
G.attention_decoder([f(2, 3)], f(2, 4), f(2, 5, None), R.GRUCell(4))
"""

FIELDS = """
ll, p = K.crf_log_likelihood(f(2, 4, 3), i(3, 2, 4), tf.constant([3, 4])); ys = [ll, p, tf.gradients(ll, p)]
ys = [K.crf_log_norm(f(2, 1, 3), tf.constant([1, 0]), f(3, 3)), K.crf_log_likelihood(f(None, 4, 3), i(3, None, 4), i(4, None) + 1, f(3, 3))[0]]
x, t, l, p = f(2, 4, 3), i(3, 2, 4), i(4, 2), f(3, 3); ys = [K.crf_sequence_score(x, t, l, p), K.crf_unary_score(t, l, x), K.crf_binary_score(t, l, p), K.crf_log_norm(x, l, p)]
x, t, p = f(2, 1, 3), i(3, 2, 1), f(3, 3); ys = [K.crf_sequence_score(x, t, tf.constant([1, 0]), p)]
ys = [K.crf_multitag_sequence_score(f(2, 4, 3), tf.constant(rng.rand(2, 4, 3) > .5), tf.constant([3, 4]), f(3, 3)), K.crf_multitag_sequence_score(f(2, 1, 3), tf.constant(rng.rand(2, 1, 3) > .5), tf.constant([1, 1]), f(3, 3))]
ys = K.crf_decode(f(2, 4, 3), f(3, 3), tf.constant([3, 4])), K.crf_decode(f(2, 1, 3), f(3, 3), tf.constant([1, 1]))
ys = K.crf_decode(f(None, None, 3), f(3, 3), i(2, None) + 1)
ys = [tf.constant(K.viterbi_decode(rng.rand(5, 3), rng.rand(3, 3))[0]), tf.constant(K.viterbi_decode(rng.rand(5, 3), rng.rand(3, 3))[1])]
"""

_GROUPS = [("cells", CELLS), ("sequences", SEQUENCES), ("legacy", LEGACY), ("fields", FIELDS)]
CASES = {
    f"{group}: {line}": PRELUDE + line.replace("\\n", "\n")
    for group, lines in _GROUPS
    for line in lines.strip().split("\n")
}
