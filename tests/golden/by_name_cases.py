"""Layers, losses, metrics, functions and libraries that no other recording calls; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, [n or 2 for n in s]).astype('f'), s)
def p(*s): return tf.placeholder_with_default(rng.uniform(.1, .9, s).astype('f'), s)
def b(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, s) > 0, s)
def i(n, *s): return tf.placeholder_with_default(rng.randint(0, n, s), s)
def names(variables): return [tf.constant([v.name for v in variables] + [''])]
def twice(metric): return list(metric)[::-1]
def slopes(y, *xs): return [y] + [tf.convert_to_tensor(g) for g in tf.gradients(y, list(xs) + tf.trainable_variables())]
def kept(m, *calls):
    m(*calls[0][0])
    ops = [v.initializer for v in m.variables]
    for a, kw in calls:
        with tf.control_dependencies(ops): ops = [m.update_state(*a, **kw)]
    with tf.control_dependencies(ops): return [m.result()] + [v.read_value() for v in m.variables]
L, C, W, S = tf.layers, tf.contrib.layers, tf.losses, tf.contrib.losses
M, T, N = tf.metrics, tf.contrib.metrics, tf.nn
K, k, F, Q = tf.keras, tf.keras.layers, tf.keras.losses, tf.keras.metrics
"""

_CLASSES = """
x = f(2, 6, 3); ys = slopes(L.Conv1D(4, 3, 2, name='q')(x), x) + names(tf.global_variables())
x = f(2, 4, 5, 3); ys = slopes(L.Conv2DTranspose(2, 3, (2, 1), 'same', activation=N.relu)(x), x) + names(tf.global_variables())
x = f(1, 4, 5, 3, 2); ys = slopes(L.Conv3D(2, 2, padding='same', dilation_rate=2)(x), x) + names(tf.global_variables())
x = f(1, 3, 4, 3, 2); ys = slopes(L.Conv3DTranspose(3, 2, 2, use_bias=False)(x), x) + names(tf.global_variables())
x = f(2, 6, 3); ys = slopes(L.SeparableConv1D(4, 3, depth_multiplier=2)(x), x) + names(tf.global_variables())
x = f(2, 6, 5, 3); ys = slopes(L.SeparableConv2D(4, 3, padding='same', depth_multiplier=2)(x), x) + names(tf.global_variables())
x = f(2, 7, 3); ys = slopes(L.AveragePooling1D(3, 2)(x), x) + slopes(L.MaxPooling1D(2, 1, 'same', name='m')(x), x)
x = f(2, 7, 5, 3); ys = slopes(L.AveragePooling2D(3, 2)(x), x) + slopes(L.MaxPooling2D((2, 3), 1, 'same', name='m')(x), x)
x = f(1, 5, 5, 6, 2); ys = slopes(L.AveragePooling3D(3, 2)(x), x) + slopes(L.MaxPooling3D((2, 3, 2), 1, 'same', name='m')(x), x)
L.Dense(2).input_spec = L.InputSpec(ndim=3, axes={-1: 4}); d = L.Dense(2); d.input_spec = L.InputSpec(ndim=3, axes={-1: 4}); d(f(2, 3))
"""

_CONTRIB_LAYERS = """
x = p(2, 4, 5, 3); ys = [C.gdn(x)]; ys += slopes(C.GDN(inverse=True, name='q')(ys[0]), x) + names(tf.global_variables())
r = C.l1_l2_regularizer(.1, .2); v = tf.get_variable('v', [3], initializer=tf.constant_initializer(.5)); w = tf.get_variable('w', [2], initializer=tf.constant_initializer(-2.)); ys = [r(v), C.apply_regularization(r, [v, w]), C.sum_regularizer([r, C.l2_regularizer(.3)])(w)] + tf.losses.get_regularization_losses()
x = f(1, 5, 5, 6, 2); ys = slopes(C.avg_pool3d(x, 3), x) + slopes(C.max_pool3d(x, [2, 3, 2], 1, 'SAME', scope='m'), x)
ys = slopes(C.bow_encoder(i(7, 2, 4), 7, 3)) + [C.bow_encoder(i(7, 2, 4), 7, 3, sparse_lookup=False, scope='e')] + names(tf.global_variables())
x = f(2, 5, 6, 1); ys = slopes(C.conv2d_in_plane(x, 3, stride=2), x) + [C.convolution2d_in_plane(f(2, 5, 6, 1), [1, 3], padding='VALID', activation_fn=None, scope='q')] + names(tf.global_variables())
x = f(1, 4, 5, 3, 2); ys = slopes(C.conv3d(x, 3, 2, stride=2), x) + [C.convolution3d(x, 2, 3, padding='VALID', normalizer_fn=C.batch_norm, scope='q')] + names(tf.global_variables())
x = f(1, 3, 4, 3, 2); ys = slopes(C.conv3d_transpose(x, 3, 2, 2), x) + [C.convolution3d_transpose(x, 2, 3, padding='VALID', activation_fn=None, scope='q')] + names(tf.global_variables())
x = f(2, 6, 3); ys = slopes(C.convolution(x, 4, 3, rate=2), x) + [C.convolution(f(2, 5, 6, 3), 2, 3, stride=2, activation_fn=None, scope='q')] + names(tf.global_variables())
ys = [C.elu(f(2, 3), 4), C.relu(f(2, 3), 4, scope='s'), C.legacy_relu(f(2, 3), 4), C.relu6(f(2, 3), 2), C.linear(f(2, 3), 2)] + names(tf.global_variables())
x = f(2, 3, 4); ys = slopes(C.softmax(x) ** 2, x) + [C.softmax(f(3, 2))]
e = tf.get_variable('e', [6, 3]); ids = tf.constant([[1, 4], [4, 5]]); ys = slopes(C.embedding_lookup_unique(e, ids)) + [C.embedding_lookup_unique([e, 2. * e], ids)]
x = f(2, 3); ys = slopes(C.scale_gradient(x, .3) ** 2, x)
ys = [tf.get_variable(n, [4, 3, 2, 5], initializer=v) for n, v in [('a', C.xavier_initializer(seed=1)), ('b', C.xavier_initializer_conv2d(False, 2)), ('c', C.variance_scaling_initializer(seed=3)), ('d', C.variance_scaling_initializer(1., 'FAN_AVG', True, 4)), ('e', C.variance_scaling_initializer(1.5, 'FAN_OUT', False, 5))]]
C.variance_scaling_initializer(mode='FAN')
ys = [C.summarize_activation(N.relu(f(2, 3), name='a'))] + C.summarize_tensors([f(2, 3), tf.identity(f(), name='s')]); ys = [tf.strings.length(y) * 0 for y in ys]
x1, x2 = f(2, 4), f(2, 4); block = C.RevBlock(lambda x: L.dense(x, 4, tf.tanh), lambda x: L.dense(x, 4, N.relu), 2); ys = list(block.forward(x1, x2)); ys += list(block.backward(*ys)) + tf.gradients(ys, [x1, x2] + tf.trainable_variables()) + names(tf.global_variables())
E = lambda m: __import__('base64').urlsafe_b64encode(m.SerializeToString()).rstrip(b'=').decode(); a, c = C.parse_feature_columns_from_sequence_examples(tf.decode_base64(E(tf.train.SequenceExample(context=tf.train.Features(feature={'a': tf.train.Feature(float_list=tf.train.FloatList(value=[1., 2.]))}), feature_lists=tf.train.FeatureLists(feature_list={'m': tf.train.FeatureList(feature=[tf.train.Feature(float_list=tf.train.FloatList(value=[v])) for v in (1., 3.)])})))), [C.real_valued_column('a', 2)], [C.real_valued_column('m')]); ys = [a['a'], c['m']]
C.check_feature_columns([C.real_valued_column('a'), C.real_valued_column('a')])
C.check_feature_columns([3])
path = tf.test.get_temp_dir() + '/words'; open(path, 'w').write('a b c'.replace(' ', chr(10))); q = C.sparse_column_with_vocabulary_file('w', path, num_oov_buckets=1, vocab_size=2); y = C.transform_features({'w': tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ['b', 'a', 'z'], [2, 2])}, [q])[q]; ys = [y.indices, y.values]
"""

_LOSSES = """
x = f(2, 3); y = W.compute_weighted_loss(x, [[1.], [0.]]); ys = slopes(y, x) + [W.compute_weighted_loss(x, 2., reduction=r) for r in W.Reduction.all()]; W.add_loss(tf.reduce_sum(x)); W.add_loss(tf.reduce_max(x), 'mine'); ys += W.get_losses() + W.get_losses(loss_collection='mine')
x = f(2, 3); ys = slopes(S.compute_weighted_loss(x, tf.constant([1., 0.])), x); S.add_loss(tf.reduce_sum(x)); S.add_loss(tf.reduce_max(x), 'mine'); tf.add_to_collection('regularization_losses', tf.reduce_min(x)); ys += S.get_losses() + S.get_losses(loss_collection='mine') + S.get_regularization_losses() + [S.get_total_loss(), S.get_total_loss(False, 'n')]
x = f(4, 3); ys = slopes(S.cosine_distance(x, f(4, 3), 1), x) + slopes(S.cosine_distance(x, f(4, 3), dim=1, weights=tf.constant([1., 0., 2., 1.]), scope='q'), x)
x = f(4, 1); ys = slopes(S.hinge_loss(x, tf.constant([[1.], [0.], [1.], [1.]])), x)
x = p(4, 3); ys = slopes(S.log_loss(x, p(4, 3)), x) + slopes(S.log_loss(x, p(4, 3), weights=tf.constant([1., 0., 2., 1.]), epsilon=.1), x)
x = f(4, 3); ys = slopes(S.sparse_softmax_cross_entropy(x, i(3, 4)), x) + slopes(S.sparse_softmax_cross_entropy(x, i(3, 4), weights=tf.constant([1., 0., 2., 1.])), x)
S.cosine_distance(f(4, 3), f(4, 3), None)
S.hinge_loss(f(4, 3), f(4, 1))
S.compute_weighted_loss(f(4, 3), None)
"""

_METRICS = """
l, q = b(5), b(5); ys = twice(M.false_negatives(l, q)) + twice(M.true_negatives(l, q, weights=p(5))) + names(tf.local_variables())
l, q = b(5), p(5); ys = [y for m in (M.false_positives_at_thresholds, M.true_negatives_at_thresholds, M.true_positives_at_thresholds) for y in twice(m(l, q, [.2, .5])) + twice(m(l, q, [.3], weights=p(5), name='n'))] + names(tf.local_variables())
l, q = i(5, 3, 2), tf.constant([[3, 1], [0, 2], [4, 1]], tf.int64); ys = [y for m in (M.precision_at_top_k, M.recall_at_top_k) for y in twice(m(l, q, 2)) + twice(m(l, q, 2, class_id=1, weights=p(3), name='n'))] + names(tf.local_variables())
l, q = b(5), b(5); ys = [y for m in (T.streaming_false_negatives, T.streaming_false_positives, T.streaming_true_negatives, T.streaming_true_positives, T.streaming_precision, T.streaming_recall) for y in twice(m(l, q)) + twice(m(l, q, weights=p(5), name='n'))] + names(tf.local_variables())
l, q = b(5), p(5); ys = [y for m in (T.streaming_false_negatives_at_thresholds, T.streaming_false_positives_at_thresholds, T.streaming_true_negatives_at_thresholds, T.streaming_precision_at_thresholds, T.streaming_recall_at_thresholds) for y in twice(m(q, l, [.2, .5])) + twice(m(q, l, [.3], weights=p(5)))] + names(tf.local_variables())
x = f(3, 2); ys = twice(T.streaming_mean(x)) + twice(T.streaming_mean(x, p(3, 2), name='n')) + twice(T.streaming_mean_tensor(x)) + twice(T.streaming_mean_tensor(x, p(3, 2), name='n')) + twice(T.streaming_percentage_less(x, .1)) + twice(T.streaming_percentage_less(x, .1, p(3, 2), name='n')) + names(tf.local_variables())
x, y = f(3, 2), f(3, 2); ys = [z for m in (T.streaming_mean_absolute_error, T.streaming_root_mean_squared_error) for z in twice(m(x, y)) + twice(m(x, y, p(3, 2), name='n'))] + twice(T.streaming_mean_relative_error(x, y, p(3, 2))) + names(tf.local_variables())
l, q = b(5), p(5); ys = twice(T.streaming_sensitivity_at_specificity(q, l, .6, num_thresholds=9)) + twice(T.streaming_specificity_at_sensitivity(q, l, .6, p(5), num_thresholds=7, name='n')) + names(tf.local_variables())
l, q = i(4, 3, 2), f(3, 4); ys = [y for m in (T.streaming_sparse_precision_at_k, T.streaming_sparse_recall_at_k) for y in twice(m(q, l, 2)) + twice(m(q, l, 2, class_id=1, weights=p(3), name='n'))] + twice(T.streaming_sparse_average_precision_at_k(q, l, 3)) + names(tf.local_variables())
x = f(3, 2); a, c = T.aggregate_metrics(T.streaming_mean(x), T.streaming_mean(x, name='n')); d, e = T.aggregate_metric_map({'a': T.streaming_mean(x), 'b': T.streaming_percentage_less(x, .3)}); ys = c + [e['a'], e['b']]
T.aggregate_metrics()
"""

_KERAS_LAYERS = """
y = k.ActivityRegularization(.1, .2); ys = [y(f(2, 3))] + y.losses
q, v, h = f(2, 3, 4), f(2, 5, 4), f(2, 5, 4); a = k.Attention(use_scale=True, name='s'); ys = [k.Attention()([q, v]), a([q, v, h]), k.Attention()([q, v], mask=[b(2, 3), b(2, 5)]), k.Attention(causal=True)([v, v]), k.AdditiveAttention()([q, v]), k.AdditiveAttention(use_scale=False, causal=True)([v, v])] + names(tf.global_variables())
x = f(2, 7, 3); ys = [k.AveragePooling1D(3, 2)(x), k.AvgPool1D(2, 1, 'same')(x)] + slopes(k.AveragePooling1D(3, 2)(x), x)
x = f(1, 3, 4, 3, 2); ys = slopes(k.Conv3DTranspose(3, 2, 2)(x), x) + [k.Convolution3DTranspose(2, 3, padding='same', activation='relu')(x)] + names(tf.global_variables())
x = f(1, 5, 5, 6, 2); ys = [k.Cropping3D(1)(x), k.Cropping3D(((0, 1), (1, 1), (2, 0)))(x), k.GlobalAveragePooling3D()(x), k.GlobalMaxPool3D()(x), k.MaxPool3D((2, 3, 2), 1, 'same')(x), k.UpSampling3D((1, 2, 2))(x)]
x = f(2, 6, 3); ys = slopes(k.LocallyConnected1D(4, 3, 2)(x), x) + names(tf.global_variables())
x = f(2, 5, 6, 3); ys = slopes(k.LocallyConnected2D(4, (3, 2), activation='tanh')(x), x) + [k.LocallyConnected2D(2, 2, implementation=2)(x)] + names(tf.global_variables())
ys = [k.SpatialDropout2D(.5)(f(2, 3, 4, 5)), tf.shape(k.SpatialDropout2D(.5, seed=3)(f(2, 3, 4, 5), training=True)), k.SpatialDropout3D(.5)(f(2, 3, 2, 2, 5)), tf.shape(k.SpatialDropout3D(.4)(f(2, 3, 2, 2, 5), training=True))]
c = k.StackedRNNCells([k.LSTMCell(3), k.GRUCell(2), k.SimpleRNNCell(4)]); x = f(2, 5, 3); ys = slopes(k.RNN(c)(x), x) + list(c.get_initial_state(batch_size=3, dtype='float32')[0]) + names(tf.global_variables())
class A(k.AbstractRNNCell):\\n  state_size = output_size = 3\\n  def build(self, s): self.w = self.add_weight('w', [int(s[1]), 3], initializer='ones')\\n  def call(self, x, s): return (x @ self.w + s[0], [x @ self.w + s[0]])\\nys = [k.RNN(A())(f(2, 4, 2)), A(name='q').get_initial_state(batch_size=2, dtype='float32')]
class A(k.Wrapper):\\n  def call(self, x): return 2. * self.layer(x)\\na = A(k.Dense(2)); ys = [a(f(2, 3))] + names(a.weights); a.get_config()
a, c = f(2, 3), f(2, 3); ys = [k.average([a, c]), k.maximum([a, c]), k.minimum([a, c]), k.subtract([a, c]), k.dot([a, c], 1), k.dot([f(2, 3, 4), f(2, 5, 4)], (2, 2), normalize=True)]
m = K.Sequential([k.InputLayer([3], name='in'), k.deserialize(k.serialize(k.Dense(2, 'relu', name='d')))]); ys = [m(f(2, 3))] + names(m.weights)
k.Dense(2)(f(3)); d = k.Dense(2); d.input_spec = k.InputSpec(shape=[None, 4]); d(f(2, 3))
"""

_KERAS_LOSSES = """
y, z = p(3, 4), p(3, 4); ys = [v for c in (F.CategoricalHinge, F.Hinge, F.KLDivergence, F.LogCosh, F.MeanAbsolutePercentageError, F.MeanSquaredLogarithmicError, F.Poisson, F.SquaredHinge) for v in slopes(c()(y, z), z) + [c()(y, z, sample_weight=tf.constant([1., 0., 2.])), c('none')(y, z), c('sum')(y, z)]]
y, z = i(4, 3), p(3, 4); ys = slopes(F.SparseCategoricalCrossentropy()(y, z), z) + [F.SparseCategoricalCrossentropy(True)(y, z), F.SparseCategoricalCrossentropy(reduction='none')(y, z)]
class A(F.Loss):\\n  def call(self, y, z): return tf.reduce_max(tf.abs(y - z), -1)\\ny, z = p(3, 4), p(3, 4); ys = [A()(y, z), A('sum')(y, z, [1., 2., 0.])]
y, z = p(3, 4), p(3, 4); ys = [F.get('mse')(y, z), F.deserialize('Poisson')(y, z), F.deserialize({'class_name': 'Huber', 'config': {'delta': .3}})(y, z), tf.constant(F.serialize(F.mean_squared_error))]
F.get(3)
F.deserialize('nope')
"""

_KERAS_METRICS = """
y, z = p(3, 4), p(3, 4); ys = [v for c in (Q.CategoricalHinge, Q.CosineSimilarity, Q.Hinge, Q.KLDivergence, Q.LogCoshError, Q.MeanAbsoluteError, Q.MeanAbsolutePercentageError, Q.MeanSquaredLogarithmicError, Q.Poisson, Q.SquaredHinge, Q.BinaryCrossentropy, Q.CategoricalCrossentropy) for m in [c()] for v in kept(m, ((y, z), {}), ((z, y), {'sample_weight': tf.constant([1., 0., 2.])})) + names(m.variables)]
y, z = i(4, 3), p(3, 4); ys = [v for m in (Q.SparseCategoricalCrossentropy(), Q.SparseCategoricalAccuracy(), Q.SparseTopKCategoricalAccuracy(2)) for v in kept(m, ((y, z), {}), ((y, z), {'sample_weight': tf.constant([1., 0., 2.])})) + names(m.variables)]
y, z = tf.one_hot(i(4, 3), 4), p(3, 4); ys = [v for m in (Q.TopKCategoricalAccuracy(2), Q.BinaryAccuracy(threshold=.3), Q.CategoricalAccuracy()) for v in kept(m, ((y, z), {}), ((y, z), {'sample_weight': tf.constant([1., 0., 2.])})) + names(m.variables)]
y, z = b(5), p(5); ys = [v for m in (Q.FalsePositives(), Q.TrueNegatives([.2, .6]), Q.SensitivityAtSpecificity(.5, 7), Q.SpecificityAtSensitivity(.4, 7)) for v in kept(m, ((y, z), {}), ((y, z), {'sample_weight': p(5)})) + names(m.variables)]
ys = [v for m in (Q.Accuracy(), Q.MeanRelativeError([1., 3., 2., 3.])) for v in kept(m, (([[1.], [2.], [3.], [4.]], [[0.], [2.], [3.], [4.]]) if isinstance(m, Q.Accuracy) else ([1., 3., 2., 3.], [2., 4., 6., 8.]), {})) + names(m.variables)]
ys = [v for m in (Q.Sum(), Q.MeanTensor()) for v in kept(m, ((f(3, 2),), {}), ((f(3, 2),), {'sample_weight': [[1.], [0.], [2.]]})) + names(m.variables)]
class A(Q.Metric):\\n  def __init__(self): super(A, self).__init__('mine'); self.n = self.add_weight('n', initializer='zeros')\\n  def update_state(self, x): return self.n.assign_add(tf.reduce_sum(x))\\n  def result(self): return self.n / 2\\nm = A(); ys = kept(m, ((f(3),), {}), ((f(2),), {})) + names(m.variables)
y, z = i(4, 3), p(3, 4); h = tf.one_hot(y, 4); ys = [Q.binary_accuracy(h, z), Q.binary_accuracy(h, z, .3), Q.categorical_accuracy(h, z), Q.sparse_categorical_accuracy(y, z), Q.sparse_top_k_categorical_accuracy(y, z, 2), Q.top_k_categorical_accuracy(h, z, 2)]
y, z = p(3, 4), p(3, 4); ys = [Q.get('mse')(y, z), tf.constant(Q.serialize(Q.binary_accuracy))] + kept(Q.deserialize({'class_name': 'MeanAbsoluteError', 'config': {'name': 'q'}}), ((y, z), {}))
Q.MeanRelativeError([1., 2.])([1., 2., 3.], [1., 2., 4.])
Q.SensitivityAtSpecificity(1.5)
Q.get(3)
"""

_SEQUENCES = """
C, R = tf.contrib.crf, tf.nn.rnn_cell; t = f(3, 3); x = f(2, 4, 3); ys = [y for c, d in ((C.CrfForwardRnnCell(t), tf.float32), (C.CrfDecodeForwardRnnCell(t), tf.int32)) for y in tf.nn.dynamic_rnn(c, x, initial_state=f(2, 3), dtype=d)]
t = i(3, 2, 4, 3); ys = list(tf.nn.dynamic_rnn(tf.contrib.crf.CrfDecodeBackwardRnnCell(3), tf.cast(t, tf.int32), initial_state=tf.constant([[1], [2]])))
tf.nn.rnn_cell.assert_like_rnncell('cell', 3) if hasattr(tf.nn.rnn_cell, 'assert_like_rnncell') else tf.contrib.rnn.static_rnn(3, [f(2, 3)])
class A(tf.nn.rnn_cell.BasicRNNCell): pass\\nx = f(2, 4, 3); ys = list(tf.nn.dynamic_rnn(A(3), x, dtype=tf.float32)) + names(tf.global_variables())
with tf.variable_scope('s'): c = tf.contrib.rnn.CompiledWrapper(tf.contrib.rnn.BasicLSTMCell(3)); x = f(2, 4, 3); ys = list(tf.nn.dynamic_rnn(c, x, dtype=tf.float32)[0:1]) + names(tf.global_variables())
class H(tf.contrib.seq2seq.Helper):\\n  batch_size, sample_ids_shape, sample_ids_dtype = 2, tf.TensorShape([]), tf.int32\\n  def initialize(self, name=None): return tf.constant([False, False]), tf.ones([2, 3])\\n  def sample(self, time, outputs, state, name=None): return tf.argmax(outputs, -1, output_type=tf.int32)\\n  def next_inputs(self, time, outputs, state, sample_ids, name=None): return tf.fill([2], time > 2), tf.one_hot(sample_ids, 3), state\\nc = tf.nn.rnn_cell.GRUCell(3); o, s, n = tf.contrib.seq2seq.dynamic_decode(tf.contrib.seq2seq.BasicDecoder(c, H(), c.zero_state(2, tf.float32))); ys = list(o) + [s, n] + names(tf.global_variables())
"""

_FUNCTIONS = """
x = f(2, 7, 3); ys = slopes(N.avg_pool1d(x, 3, 2, 'VALID'), x) + slopes(N.max_pool1d(x, 2, 1, 'SAME'), x)
x = f(2, 6, 5, 3); ys = slopes(N.max_pool2d(x, [2, 3], 2, 'SAME'), x) + slopes(N.avg_pool_v2(x, 3, 2, 'VALID'), x) + slopes(N.max_pool_v2(x, 2, 1, 'VALID'), x)
x = f(1, 5, 5, 6, 2); ys = slopes(N.avg_pool3d(x, 3, 2, 'SAME'), x) + slopes(N.max_pool3d(x, [1, 2, 2, 3, 1], [1, 1, 2, 2, 1], 'VALID'), x) + slopes(N.max_pool_v2(x, 2, 2, 'SAME'), x)
x, w = f(2, 5, 6, 3), f(3, 2, 3, 4); y = f(2, 3, 3, 4); ys = slopes(N.conv2d_backprop_filter(x, [3, 2, 3, 4], y, [1, 2, 2, 1], 'SAME'), x, y) + slopes(N.conv2d_backprop_input([2, 5, 6, 3], w, y, [1, 2, 2, 1], 'SAME'), w, y)
x, y = f(1, 4, 5, 3, 2), f(1, 2, 3, 2, 3); ys = slopes(N.conv3d_backprop_filter(x, [2, 2, 2, 2, 3], y, [1, 2, 2, 2, 1], 'SAME'), x, y) + [N.conv3d_backprop_filter_v2(x, [2, 2, 2, 2, 3], y, [1, 2, 2, 2, 1], 'SAME')]
x, w, y = f(2, 5, 6, 3), f(3, 2, 3, 2), f(2, 3, 3, 6); ys = slopes(N.depthwise_conv2d_backprop_filter(x, [3, 2, 3, 2], y, [1, 2, 2, 1], 'SAME'), x, y) + slopes(N.depthwise_conv2d_backprop_input([2, 5, 6, 3], w, y, [1, 2, 2, 1], 'SAME'), w, y) + slopes(N.depthwise_conv2d_native(x, w, [1, 1, 1, 1], 'VALID'), x, w)
x, w, y = f(2, 5, 6, 3), f(3, 2, 3, 2), f(2, 3, 3, 6); ys = [N.depthwise_conv2d_native_backprop_filter(x, [3, 2, 3, 2], y, [1, 2, 2, 1], 'SAME'), N.depthwise_conv2d_native_backprop_input([2, 5, 6, 3], w, y, [1, 2, 2, 1], 'SAME')]
x = f(2, 3); y = N.swish(x); g = tf.gradients(y, x)[0]; ys = [y, g]
x, w = f(2, 7, 6, 3), f(2, 2, 3, 4); ys = slopes(N.with_space_to_batch(x, [2, 3], 'VALID', lambda x, _, __: N.conv2d(x, w, [1, 1, 1, 1], 'VALID'), [2, 2]), x, w) + [N.with_space_to_batch(x, [2, 1], 'SAME', lambda x, _, __: N.conv2d(x, w, [1, 1, 1, 1], 'VALID'), [2, 2])]
x, a = f(2, 3), p(3); ys = slopes(tf.contrib.nn.scaled_softplus(x, a), x, a) + slopes(tf.contrib.nn.scaled_softplus(x, .5, clip=1.), x)
x = f(3, 4); ys = slopes(tf.contrib.nn.nth_element(x, 1), x) + [tf.contrib.nn.nth_element(x, 1, reverse=True, name='n')]
x = f(3, 4); ys = slopes(tf.math.reduce_std(x, 0), x) + slopes(tf.math.reduce_variance(x, 1, True), x) + [tf.math.reduce_std(x), tf.math.reduce_variance(f(2, 3, 2), [0, 2])]
x = f(3, 4); ys = slopes(tf.linalg.pinv(x), x) + [tf.linalg.matrix_rank(x), tf.linalg.matrix_rank([[1., 2.], [2., 4.]], tol=.1)] + [y for o in ('euclidean', 1, np.inf) for y in tf.linalg.normalize(x, o, 0)]
"""

_KERAS_PARTS = """
I = K.initializers; ys = [i_([3, 2]) for i_ in (I.RandomNormal(seed=1), I.RandomUniform(seed=1), I.TruncatedNormal(seed=1), I.get('ones'), I.deserialize({'class_name': 'Constant', 'config': {'value': 2}}))] + [tf.constant(str(sorted(I.serialize(I.RandomNormal(seed=1))['config'].items())))]
R = K.regularizers; x = f(3, 2); ys = slopes(R.l1_l2(.1, .2)(x), x) + [R.L1L2(.1)(x), R.get('l2')(x), R.deserialize({'class_name': 'L1L2', 'config': {'l1': .1, 'l2': 0.}})(x), tf.constant(str(sorted(R.serialize(R.l2(.5))['config'].items())))]
R = K.constraints; x = f(3, 2); ys = [c(x) for c in (R.MaxNorm(.5), R.MinMaxNorm(.2, .6, .5, 1), R.NonNeg(), R.UnitNorm(1), R.get('max_norm'), R.deserialize({'class_name': 'NonNeg', 'config': {}}))] + [tf.constant(str(sorted(R.serialize(R.MaxNorm(3))['config'].items())))]
R = K.activations; x = f(3, 2); ys = [y for a in (R.elu, R.exponential, R.hard_sigmoid, R.linear, R.relu, R.selu, R.sigmoid, R.softmax, R.softplus, R.softsign, R.get('tanh'), R.deserialize('relu')) for y in slopes(a(x), x)] + [R.relu(x, .1, .5, .2), tf.constant(R.serialize(R.elu))]
"""

_LIBRARIES = """
tf.load_op_library('./nothere.so')
tf.load_op_library('nothere.so')
tf.load_op_library('/dev/null')
tf.load_op_library('/')
tf.load_op_library(3)
tf.load_library('/nothere')
tf.load_library('/dev/null')
tf.load_library(3)
tf.load_file_system_library('/nothere.so')
s = tf.sysconfig; ys = [tf.constant([s.CXX11_ABI_FLAG, s.MONOLITHIC_BUILD]), tf.constant([x.split(y)[0] for x, y in zip(s.get_compile_flags() + s.get_link_flags(), (s.get_include(), '\t', s.get_lib(), '\t'))])]
"""

_PROGRAMS = (
    _CLASSES + _CONTRIB_LAYERS + _LOSSES + _METRICS + _KERAS_LAYERS + _KERAS_LOSSES + _KERAS_METRICS + _SEQUENCES
    + _FUNCTIONS + _KERAS_PARTS + _LIBRARIES
)  # fmt: skip

CASES = {line: _PRELUDE + line.replace("\\n", "\n") for line in _PROGRAMS.strip().split("\n") if line}
