"""Small programs over layers, losses, metrics and recurrent networks: each sets ``ys``, what is run twice.

They are run by ``record_layers.py`` under TensorFlow 1.15.5, and by ``tests/test_layers.py`` here.
"""

_PRELUDE = """
tf.set_random_seed(1)
L, R, M, N, losses = tf.layers, tf.nn.rnn_cell, tf.metrics, tf.nn, tf.losses
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, [n or 2 for n in s]).astype('f'), s)
def p(*s): return tf.placeholder_with_default(rng.uniform(0, 1, [n or 2 for n in s]).astype('f'), s)
def b(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, s) > 0, s)
def i(n, *s): return tf.placeholder_with_default(rng.randint(0, n, s), s)
def u(x): return tf.placeholder_with_default(x, None)
on = tf.placeholder_with_default(True, [])
c = tf.constant_initializer(0.5)
C, C_ = tf.contrib.layers, tf.contrib.slim
"""

_LAYERS = """
ys = [L.dense(f(None, 3), 2), L.dense(f(2, 3), 2, tf.nn.relu), L.dense(f(2, 3), 2, 'sigmoid', use_bias=False, name='q')]
ys = [L.dense(f(2, 4, 3), 2), L.dense(f(None, None, 3), 2, activation=tf.nn.tanh), L.dense(f(2, 2, 2, 3), 4, kernel_initializer=c)]
ys = [L.dense(tf.SparseTensor([[0, 1], [1, 0]], [1., 2.], [2, 3]), 2, bias_initializer=c), L.dense(tf.cast(f(2, 3), tf.float64), 2, trainable=False)]
k = tf.keras.regularizers.l2(.1); ys = [L.dense(f(2, 3), 2, kernel_regularizer=k, bias_regularizer=tf.nn.l2_loss, activity_regularizer=tf.nn.l2_loss, kernel_constraint=tf.nn.relu)] + tf.losses.get_regularization_losses()
ys = [L.dense(f(2, 3), 2, name='a'), L.dense(f(2, 3), 2, name='a', reuse=True), L.dense(f(2, 3), 2, name='e', reuse=tf.AUTO_REUSE)]
d = L.Dense(2, name='a'); ys = [d(f(2, 3)), d(f(5, 3)), d.kernel, d.bias, L.Dense(2)(f(2, 3))]
with tf.variable_scope('s', initializer=c, regularizer=tf.nn.l2_loss) as s: ys = [L.dense(f(2, 3), 2), L.dense(f(2, 3), 2, name='x')]
with tf.variable_scope('s', partitioner=tf.fixed_size_partitioner(2)): ys = [L.dense(f(2, 4), 4, kernel_regularizer=tf.nn.l2_loss)]
with tf.variable_scope('s', use_resource=True): ys = [L.dense(f(2, 4), 4, kernel_regularizer=tf.nn.l2_loss), L.batch_normalization(f(2, 3), training=on)]
ys = [L.dense(f(2, 3), 2, kernel_regularizer=k(.1)) for k in (tf.contrib.layers.l2_regularizer, tf.contrib.layers.l1_regularizer)]
x = f(2, 3); y = L.dense(L.dense(x, 4, tf.nn.relu), 1); ys = tf.gradients(y, [x] + tf.trainable_variables())
ys = [L.dropout(f(2, 3), .3, training=True, seed=3), L.dropout(f(2, 3)), L.dropout(f(2, 3), .4, noise_shape=[None, 1], training=on, seed=2)]
ys = [L.dropout(f(2, 3), .3, training=None, seed=3), L.Dropout(.4)(f(2, 3), training=None), L.batch_normalization(f(4, 3), training=None)] + tf.get_collection('update_ops')
ys = [L.batch_normalization(f(2, 3, 3, 2), training=None, fused=True), L.dropout(f(2, 3), training=None)] + tf.get_collection('update_ops')
ys = [L.flatten(f(None, 2, 3)), L.flatten(f(2, 3, 2, 2), data_format='channels_first'), L.flatten(f(None, None, 2)), L.flatten(f(None))]
class A(L.Layer):\\n  def build(self, s): self.w = self.add_weight('w', [int(s[1])], initializer=c)\\n  def call(self, x): return x * self.w\\nys = [A()(f(2, 3)), A(name='q')(f(2, 3))]
class A(tf.keras.layers.Layer):\\n  def build(self, s): self.w = self.add_weight('w', [int(s[1])], initializer='ones')\\n  def call(self, x): return x * self.w\\na = A(name='k'); ys = [a(f(2, 3)), a(f(2, 3))]
ys = [L.batch_normalization(f(None, 3)), L.batch_normalization(f(2, 3), training=True, momentum=.5)] + tf.get_collection('update_ops')
ys = [L.batch_normalization(f(4, 3), training=on, scale=False)] + tf.get_collection('update_ops')
ys = [L.batch_normalization(f(2, 3, 4), axis=1, training=True, epsilon=.1), L.batch_normalization(f(2, 3, 4), axis=[1, 2], training=True)]
ys = [L.batch_normalization(f(4, 3), training=True, renorm=True, renorm_clipping={'rmax': 2., 'rmin': .5, 'dmax': 1.})] + tf.get_collection('update_ops')
ys = [L.batch_normalization(f(4, 3), training=True, virtual_batch_size=2), L.batch_normalization(f(4, 3), training=True, adjustment=lambda s: (tf.fill([3], 2.), tf.zeros([3])))]
y = L.batch_normalization(f(4, 3), training=on); ys = tf.gradients(y ** 2, tf.trainable_variables())
L.dense(tf.constant([1, 2]), 3)
L.dense(tf.constant([[1, 2]]), 3)
L.dense(tf.placeholder(tf.float32, [2, None]), 3)
L.dense(tf.placeholder(tf.float32), 3)
d = L.Dense(2); d(f(2, 3)); d(f(2, 5))
L.Dense(2).scope_name
L.Dense(2).count_params()
L.Dense(2, foo=1)
L.Dense(2, activation='rlu')
L.Dense(2, activation=3)
L.Dense(2, kernel_initializer='rlu')
L.Dense(2, kernel_regularizer=3)
L.Dense(2, kernel_constraint='rlu')
L.Dense(2).add_weight('w', [1], dtype=tf.string)
L.Dense(2).compute_output_shape([None])
L.dense(f(2, 3), 2, name='nope', reuse=True)
L.Flatten(data_format='foo')
L.batch_normalization(f(2, 3), axis=5)
L.batch_normalization(f(2, 3), renorm=True, renorm_clipping={'a': 1})
L.Layer(foo=1)
"""

_CONVOLUTIONS = """
ys = [L.conv2d(f(None, 5, 6, 3), 4, 3), L.conv2d(f(2, 5, 6, 3), 4, (3, 2), strides=(2, 1), padding='same', activation=tf.nn.relu, name='c', use_bias=False)]
ys = [L.conv2d(f(2, 7, 8, 3), 4, 3, dilation_rate=2), L.conv1d(f(2, 9, 3), 4, 3, dilation_rate=2), L.conv1d(f(None, 5, 3), 4, 3, strides=2, padding='same')]
ys = [L.conv2d(f(None, None, None, 3), 4, 1, dilation_rate=(2, 1), padding='same')]
d = L.Conv2D(4, 3, kernel_regularizer=tf.nn.l2_loss, activity_regularizer=tf.nn.l2_loss); ys = [d(f(2, 5, 6, 3)), d(f(2, 5, 6, 3))] + losses.get_regularization_losses()
ys = [L.conv3d(f(2, 4, 3, 5, 2), 4, 3), L.separable_conv2d(f(2, 5, 6, 3), 4, 3, depth_multiplier=2), L.separable_conv1d(f(2, 5, 3), 4, 3, strides=2, padding='same', activation=tf.nn.relu)]
ys = [L.conv2d_transpose(f(None, 5, 6, 3), 4, 3), L.conv2d_transpose(f(2, 5, 6, 3), 4, 3, strides=2, padding='same', activation=tf.nn.relu)]
ys = [L.conv3d_transpose(f(2, 3, 2, 3, 3), 4, 3, strides=2), L.conv2d_transpose(f(None, None, None, 3), 4, 3, strides=(2, 3), padding='same', use_bias=False)]
ys = [L.max_pooling2d(f(None, 5, 6, 3), 2, 2), L.average_pooling2d(f(2, 5, 6, 3), (2, 3), (1, 2), 'same', name='z'), L.max_pooling1d(f(2, 5, 3), 2, 2), L.average_pooling3d(f(2, 3, 4, 3, 2), 2, 2)]
ys = [L.average_pooling1d(f(2, 3, 5), 2, 2, padding='same', data_format='channels_first'), L.max_pooling3d(f(2, 2, 3, 4, 3), 2, 2, data_format='channels_first')]
ys = [L.batch_normalization(f(2, 3, 4, 5), training=True)] + tf.get_collection('update_ops') + [L.batch_normalization(f(2, 3, 4, 5))]
ys = [L.batch_normalization(f(2, 3, 4, 5), training=on, scale=False)] + tf.get_collection('update_ops')
ys = [L.batch_normalization(f(2, 3, 4, 5), training=True, axis=1, fused=False), L.batch_normalization(f(2, 3, 4, 5), training=True, axis=2)]
x = f(2, 5, 6, 3); y = L.max_pooling2d(L.conv2d(x, 4, 3, activation=tf.nn.relu), 2, 2); ys = tf.gradients(y ** 2, [x] + tf.trainable_variables())
L.conv2d(tf.placeholder(tf.float32, [2, 5, 6, None]), 4, 3)
L.conv2d(f(2, 5, 6), 4, 3)
L.conv2d(f(2, 5, 6, 3), 4, (3, 3, 3))
L.conv2d(f(2, 5, 6, 3), 4, 3, padding='foo')
L.conv2d(f(2, 5, 6, 3), 4, 3, strides=2, dilation_rate=2)
L.conv3d_transpose(tf.placeholder(tf.float32, [2, 5, 6, 5, None]), 4, 3)
L.max_pooling2d(f(2, 5, 6, 3), 3, None)
L.max_pooling1d(f(2, 5, 6), (2, 2), 2)
"""

_LOSSES = """
ys = [losses.absolute_difference(f(2, 3), f(2, 3)), losses.absolute_difference(f(2, 3), f(2, 3), weights=p(2, 1)), losses.absolute_difference(f(2, 3), f(2, 3), weights=[[0.], [1.]])]
ys = [losses.absolute_difference(f(2, 3), f(2, 3), 2., reduction=r) for r in losses.Reduction.all()]
ys = [losses.mean_squared_error(f(2, 3), f(2, 3), weights=p(2, 3), scope='s'), losses.mean_squared_error([[1, 2]], [[3, 4]]), losses.huber_loss(f(2, 3), f(2, 3), delta=.2)]
ys = [losses.cosine_distance(f(2, 3), f(2, 3), axis=1), losses.hinge_loss(p(2, 3), f(2, 3)), losses.log_loss(p(2, 3), p(2, 3))]
ys = [losses.mean_pairwise_squared_error(f(2, 3), f(2, 3)), losses.mean_pairwise_squared_error(f(2, 3), f(2, 3), weights=[[0.], [2.]])]
ys = [losses.sigmoid_cross_entropy(p(2, 3), f(2, 3), label_smoothing=.1), losses.softmax_cross_entropy(p(2, 3), f(2, 3), label_smoothing=.1, weights=p(2))]
ys = [losses.sparse_softmax_cross_entropy(i(3, 2), f(2, 3)), losses.sparse_softmax_cross_entropy(i(3, 2, 1), f(2, 3), weights=p(2, 1))]
ys = [losses.absolute_difference(f(None, 3), f(None, 3), weights=f(None, 1))]
ys = [losses.sparse_softmax_cross_entropy(u(np.array([1, 2])), f(2, 3), weights=u(np.float32([1, 2])))]
losses.mean_squared_error(f(2), f(2)); tf.get_variable('w', [2], regularizer=tf.nn.l2_loss); ys = [losses.get_total_loss(), losses.get_regularization_loss(), losses.get_total_loss(False, 'foo')] + losses.get_losses()
ys = [losses.get_regularization_loss()]
x = f(2, 3); ys = tf.gradients(losses.huber_loss(f(2, 3), x, weights=p(2, 1)), x)
ys = [losses.mean_squared_error(u(np.ones([2, 3], 'f')), f(2, 3), weights=u(np.ones([3, 2], 'f')))]
losses.absolute_difference(f(2, 3), f(2, 3), weights=f(3, 2))
losses.absolute_difference(f(2, 3), f(2, 3), weights=f(3))
losses.absolute_difference(None, f(2, 3))
losses.absolute_difference(f(2, 3), f(2, 4))
losses.absolute_difference(f(2, 3), f(2, 3), reduction='foo')
losses.cosine_distance(f(2, 3), f(2, 3))
losses.get_total_loss()
"""

_METRICS = """
ys = M.accuracy(i(2, 5), i(2, 5)) + M.accuracy(i(2, 3), i(2, 3, 1), weights=p(3), name='w', metrics_collections=['m'], updates_collections='n')
ys = M.mean(f(2, 3)) + M.mean(f(2, 3), p(2, 1)) + M.mean_tensor(f(2, 3), p(2, 1))
ys = M.mean(f(None, 3), p(None, 1))
ys = M.mean_absolute_error(f(2, 3), f(2, 3)) + M.mean_squared_error(f(2, 3), f(2, 3)) + M.root_mean_squared_error(f(2, 3), f(2, 3)) + M.mean_relative_error(f(2, 3), f(2, 3), f(2, 3))
ys = M.mean_cosine_distance(f(2, 3), f(2, 3), 1) + M.percentage_below(f(2, 3), .5)
ys = M.mean_iou(i(3, 4), i(3, 4), 3, weights=p(4)) + M.mean_per_class_accuracy(i(3, 4), i(3, 4), 3)
ys = M.true_positives(b(4), b(4)) + M.false_positives(b(4), b(4), weights=p(4)) + M.precision(b(4), b(4)) + M.recall(b(4), b(4), weights=2.)
ys = M.auc(b(6), p(6), num_thresholds=5) + M.auc(b(6), p(6), num_thresholds=5, curve='PR', summation_method='careful_interpolation', weights=p(6))
ys = M.auc(b(6), p(6), thresholds=[.3, .6], summation_method='minoring') + M.auc(b(6), p(6), num_thresholds=4, curve='PR', summation_method='majoring')
ys = M.precision_at_thresholds(b(6), p(6), [.2, .5]) + M.recall_at_thresholds(b(6), p(6), [.2, .5], weights=p(6)) + M.false_negatives_at_thresholds(b(6), p(6), [.2, .5])
ys = M.sensitivity_at_specificity(b(6), p(6), .5, num_thresholds=5) + M.specificity_at_sensitivity(b(6), p(6), .5, num_thresholds=5)
ys = M.recall_at_k(i(3, 2, 1), f(2, 3), 2) + M.recall_at_k(i(3, 2, 2), f(2, 3), 2, class_id=1, weights=p(2)) + M.precision_at_k(i(3, 2, 1), f(2, 3), 2)
ys = M.average_precision_at_k(i(3, 2, 1), f(2, 3), 2) + M.sparse_average_precision_at_k(tf.SparseTensor([[0, 0], [1, 0]], np.int64([1, 2]), [2, 2]), f(2, 3), 2)
M.auc(b(3), p(3), curve='x')
M.auc(b(3), p(3), summation_method='x')
M.sensitivity_at_specificity(b(3), p(3), 1.8)
M.accuracy(f(3), f(4))
"""

_RNN = """
c1 = R.BasicRNNCell(4); ys = list(c1(f(2, 3), c1.zero_state(2, tf.float32))) + list(c1(f(2, 3), f(2, 4)))
c1 = R.GRUCell(4, kernel_initializer=c); ys = c1(f(2, 3), f(2, 4))
c1 = R.BasicLSTMCell(4, activation=tf.nn.relu); ys = c1(f(2, 3), R.LSTMStateTuple(f(2, 4), f(2, 4)))
c1 = R.BasicLSTMCell(4, state_is_tuple=False, forget_bias=0.); ys = c1(f(2, 3), f(2, 8), 'scope')
c1 = R.LSTMCell(4, use_peepholes=True, cell_clip=.2, num_proj=3, proj_clip=.1); ys = c1(f(2, 3), R.LSTMStateTuple(f(2, 4), f(2, 3)))
c1 = R.LSTMCell(4, num_unit_shards=2, num_proj=4, num_proj_shards=2, state_is_tuple=False); ys = c1(f(2, 3), f(2, 8))
c1 = R.MultiRNNCell([R.BasicLSTMCell(4), R.GRUCell(5)]); ys = c1(f(2, 3), c1.zero_state(2, tf.float32))
c1 = R.MultiRNNCell([R.BasicRNNCell(4), R.GRUCell(5)], state_is_tuple=False); ys = c1(f(2, 3), f(2, 9))
c1 = R.DropoutWrapper(R.BasicLSTMCell(4), .5, .6, .7, seed=3); ys = c1(f(2, 3), c1.zero_state(2, tf.float32))
c1 = R.DropoutWrapper(R.GRUCell(4), .5, .6, .7, True, 3, tf.float32, 3); ys = c1(f(2, 3), f(2, 4))
c1 = R.ResidualWrapper(R.GRUCell(3)); c2 = R.DeviceWrapper(R.GRUCell(3), '/cpu:0'); ys = list(c1(f(2, 3), f(2, 3))) + list(c2(f(2, 3), f(2, 3)))
class C(R.RNNCell):\\n  output_size = state_size = 4\\n  def call(self, x, s):\\n    o = tf.matmul(x, tf.get_variable('w', [3, 4])) + s; return o, o\\nc1 = C(); ys = c1(f(2, 3), f(2, 4)); c1.variables[0].name
ys = N.static_rnn(R.BasicLSTMCell(4), [f(2, 3), f(2, 3)], dtype=tf.float32)[0]
ys = N.static_rnn(R.GRUCell(4), [f(2, 3), f(2, 3)], f(2, 4), sequence_length=[1, 2])[0]
ys = N.static_bidirectional_rnn(R.GRUCell(4), R.GRUCell(5), [f(2, 3), f(2, 3)], dtype=tf.float32, sequence_length=[1, 2])[0]
ys = N.dynamic_rnn(R.BasicLSTMCell(4), f(2, 5, 3), dtype=tf.float32)
ys = N.dynamic_rnn(R.GRUCell(4), f(None, None, 3), sequence_length=[1, 2], dtype=tf.float32, scope='q')
ys = N.dynamic_rnn(R.MultiRNNCell([R.BasicRNNCell(4), R.LSTMCell(2)]), f(5, 2, 3), sequence_length=[2, 3], dtype=tf.float32, time_major=True, swap_memory=True)
ys = N.bidirectional_dynamic_rnn(R.GRUCell(4), R.GRUCell(5), f(2, None, 3), dtype=tf.float32, sequence_length=[1, 2])
R.GRUCell(3).get_initial_state()
R.GRUCell(3)(tf.placeholder(tf.float32, [2, None]), f(2, 3))
R.GRUCell(3)(tf.placeholder(tf.int32, [2, 3]), f(2, 3))
R.MultiRNNCell([])
R.MultiRNNCell([R.BasicLSTMCell(3)], state_is_tuple=False)
R.DropoutWrapper(3)
R.DropoutWrapper(R.GRUCell(3), 2.)
R.DropoutWrapper(R.GRUCell(3), .5, variational_recurrent=True)
N.static_rnn(R.GRUCell(4), f(2, 3), dtype=tf.float32)
N.static_rnn(R.GRUCell(4), [f(2, 3)])
N.dynamic_rnn(R.GRUCell(3), f(2, 3, 4))
N.dynamic_rnn(R.GRUCell(3), tf.placeholder(tf.float32, [2, 3, None]), dtype=tf.float32)
N.raw_rnn(R.GRUCell(3), 3)
"""

_SETS = """
s = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 9, 2], [2, 3]); d = tf.constant([[1, 2], [3, 4]]); t = [tf.sets.union(s, d), tf.sets.intersection(d, s), tf.sets.difference(s, d), tf.sets.difference(d, s, aminusb=False)]; ys = [v for x in t for v in (x.indices, x.values, x.dense_shape)] + [tf.sets.size(s)]
a, e = tf.constant([[1, 2, 2], [3, 3, 5]]), tf.constant([[2, 7, 0], [5, 3, 9]]); t = [tf.sets.set_union(a, e), tf.sets.set_intersection(a, e), tf.sets.set_difference(a, e)]; ys = [v for x in t for v in (x.indices, x.values, x.dense_shape)]
t = tf.sets.union([['a', 'b'], ['c', 'c']], [['b', 'z'], ['c', 'd']]); ys = [t.indices, t.values]
tf.sets.size(tf.constant([[1]]))
tf.sets.union([[1.]], [[2.]])
tf.sets.union([1], [2])
tf.sets.union([[1]], [[1], [2]])
ys = [tf.sets.union(u([[1, 2]]), u([[1, 2], [3, 4]])).values]
"""

_CONTRIB = """
ys = [C.fully_connected(f(None, 3), 4), C.fully_connected(f(2, 5, 3), 4, None, scope='q', weights_regularizer=C.l2_regularizer(.1), biases_initializer=None, outputs_collections='oc'), C.linear(f(2, 3), 2), C.relu6(f(2, 3), 2)]
ys = [C.fully_connected(f(4, 3), 4, normalizer_fn=C.batch_norm, normalizer_params={'is_training': on}, variables_collections=['vc']), C.conv2d(f(2, 5, 6, 3), 4, 3, normalizer_fn=C.batch_norm)]
ys = [C.conv2d(f(None, 5, 6, 3), 4, [3, 2], stride=2, padding='VALID'), C.conv2d(f(2, 9, 9, 3), 4, 3, rate=2, activation_fn=None), C.conv1d(f(2, 9, 3), 4, 3)]
ys = [C.conv2d_transpose(f(2, 5, 6, 3), 4, 3, stride=2), C.separable_conv2d(f(2, 5, 6, 3), 4, 3, 2, weights_regularizer=C.l2_regularizer(.1)), C.separable_conv2d(f(2, 5, 6, 3), None, 3, 2, stride=2)]
ys = [C.max_pool2d(f(2, 5, 6, 3), 2), C.avg_pool2d(f(2, 5, 6, 3), [2, 3], 1, 'SAME', scope='p', outputs_collections='o'), C.flatten(f(None, 2, 3)), C.dropout(f(2, 3), .4, is_training=on, seed=2)]
ys = [C.layer_norm(f(2, 3, 4)), C.layer_norm(f(None, 3), False, False, tf.nn.relu, scope='l'), C.unit_norm(f(2, 3), 1), C.bias_add(f(2, 3), initializer=c), C.one_hot_encoding(i(4, 3), 4)]
ys = [C.batch_norm(f(4, 3), decay=.5), C.batch_norm(f(2, 3, 2, 4), decay=.5, scale=True, param_initializers={'gamma': c})] + tf.get_collection('update_ops')
ys = [C.batch_norm(f(4, 3), decay=.5, updates_collections=None, is_training=on), C.batch_norm(f(2, 3, 2, 4), decay=.5, is_training=on, zero_debias_moving_mean=True, updates_collections='u')] + tf.get_collection('u')
ys = [C.batch_norm(f(4, 3), decay=.5, fused=False, updates_collections=None, is_training=on), C.batch_norm(f(2, 3, 4), batch_weights=[1., 2.], data_format='NCHW', scale=True)] + tf.get_collection('update_ops')
y = C.batch_norm(f(4, 3), updates_collections=None, scale=True); ys = tf.gradients(y ** 2, tf.trainable_variables())
ys = [C.embed_sequence(i(5, 2, 3), 5, 4, initializer=tf.random_uniform_initializer(seed=1)), C.embed_sequence(i(5, 2, 3), 5, 4, unique=True, scope='e', initializer=c)]
ys = [C.repeat(f(2, 5, 6, 3), 2, C.conv2d, 4, 3, scope='r'), C.stack(f(2, 3), C.fully_connected, [4, 5])]
with C_.arg_scope([C.conv2d, C.fully_connected], activation_fn=tf.nn.tanh, weights_initializer=c):\\n  with C_.arg_scope([C.conv2d], stride=2): y = C.conv2d(f(2, 5, 6, 3), 4, 3)\\n  ys = [C.fully_connected(C.flatten(y), 3)]
ys = [C.batch_norm(f(4, 3), data_format='X')]
ys = [C.batch_norm(f(4, 3), renorm=True, updates_collections=None)]
ys = [C.unit_norm(f(4, 3), 2)]
ys = [C.embed_sequence(i(5, 2, 3), 5)]
ys = [C.fully_connected(f(4, 3), 2.5)]
"""

CASES = {}
for _kind, _programs in (
    ("layers", _LAYERS), ("convolutions", _CONVOLUTIONS), ("losses", _LOSSES), ("metrics", _METRICS), ("rnn", _RNN), ("sets", _SETS), ("contrib", _CONTRIB),
):
    for _line in _programs.strip().split("\n"):
        CASES[_kind + ": " + _line] = _PRELUDE + _line.replace("\\n", "\n")


def outcome(tf, np, code, nodes_of, error_of, plain):
    """What a case gives: its nodes by name, its collections, the values of two runs of ``ys``, or an error.

    A case whose ``ys`` is None is built and not run.
    """
    result = {}
    with tf.Graph().as_default() as graph:
        space = {"tf": tf, "np": np}
        try:
            exec(code, space)
            ys = space.get("ys", [])
            result["nodes"] = sorted(nodes_of(graph), key=lambda n: n["name"])
            result["collections"] = {
                k: [v.name for v in graph.get_collection(k)]
                for k in graph.collections
                if isinstance(k, str) and not k.endswith("_context") and graph.get_collection(k)
            }
            if ys is None:
                return result
            with tf.Session() as session:
                session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
                flat = tf.contrib.framework.nest.flatten(list(ys))
                result["values"] = [plain(np, session.run(y)) for _ in range(2) for y in flat]
        except Exception as error:
            result["error"] = error_of(error)
    return result
