"""Small programs over ``tf.contrib.losses``, ``.layers`` and ``slim.nets``; run by ``record_cases.py`` and
``test_contrib.py``."""

_PRELUDE = """
tf.set_random_seed(1)
slim, losses = tf.contrib.slim, tf.contrib.losses
import sys
if "tensorflow" in sys.modules: from tensorflow.contrib.slim.nets import resnet_v1
else: from retrograd.tf.contrib.slim.nets import resnet_v1
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, s).astype('f'), s)
def p(*s): return tf.placeholder_with_default(rng.uniform(.1, .9, s).astype('f'), s)
def i(n, *s): return tf.placeholder_with_default(rng.randint(0, n, s), s)
C, M, T, c = tf.contrib.layers, tf.contrib.metrics, tf.contrib.training, tf.constant_initializer(.3)
if "tensorflow" in sys.modules:
    from tensorflow.contrib.layers.python.layers import layers as layers_, optimizers
    from tensorflow.contrib.slim.nets import inception, resnet_v2
    from tensorflow.contrib.slim.python.slim import learning, summaries
    from tensorflow.contrib.slim.python.slim.data import parallel_reader, prefetch_queue, tfexample_decoder
else:
    from retrograd.tf.contrib.layers.python.layers import layers as layers_, optimizers
    from retrograd.tf.contrib.slim.nets import inception, resnet_v2
    from retrograd.tf.contrib.slim.python.slim import learning, summaries
    from retrograd.tf.contrib.slim.python.slim.data import parallel_reader, prefetch_queue, tfexample_decoder
"""

_LAYERS = """
ys = [losses.mean_squared_error(f(2, 3), f(2, 3)), losses.softmax_cross_entropy(f(2, 3), p(2, 3), label_smoothing=.1)]
ys = [losses.sigmoid_cross_entropy(f(2, 3), p(2, 3), weights=2., label_smoothing=.1), losses.absolute_difference(f(2, 3), f(2, 3))]
ys = [tf.contrib.layers.group_norm(f(2, 4, 4, 8), groups=4), tf.contrib.layers.instance_norm(f(2, 4, 4, 8))]
ys = [tf.contrib.layers.spatial_softmax(f(2, 4, 4, 8)), tf.contrib.layers.maxout(f(2, 8), 4)]
"""

_TRAINING = """
w = tf.get_variable('w', [3], initializer=c); g = tf.train.get_or_create_global_step(); ys = [C.optimize_loss(tf.reduce_sum(w ** 2), g, .1, 'SGD', clip_gradients=.5, gradient_multipliers={'w:0': 2.}, summaries=C.OPTIMIZER_SUMMARIES), w]
w = tf.get_variable('w', [3], initializer=c); g = tf.train.get_or_create_global_step(); ys = [C.optimize_loss(tf.reduce_sum(w ** 2), g, .1, 'Adam', clip_gradients=optimizers.adaptive_clipping_fn(global_step=g, report_summary=True, static_max_norm=3.), learning_rate_decay_fn=lambda lr, s: tf.train.exponential_decay(lr, s, 2, .5)), w]
w = tf.get_variable('w', [5, 2], initializer=c); g = tf.train.get_or_create_global_step(); ys = [C.optimize_loss(tf.reduce_sum(tf.gather(w, [1, 1, 3]) ** 2), g, None, lambda: tf.train.MomentumOptimizer(.1, .9), increment_global_step=False), w]
C.optimize_loss(tf.constant(1.), tf.train.get_or_create_global_step(), .1, 'Nope')
C.optimize_loss(tf.constant(1.), tf.train.get_or_create_global_step(), 1, 'SGD')
C.optimize_loss(tf.constant(1.), tf.train.get_or_create_global_step(), .1, 'SGD', summaries=['x'])
x = C.fully_connected(f(4, 3), 2, weights_initializer=c, normalizer_fn=C.batch_norm); op = learning.create_train_op(tf.reduce_sum(x), tf.train.GradientDescentOptimizer(.1), clip_gradient_norm=.5, gradient_multipliers={'fully_connected/weights': 2.}, summarize_gradients=True); ys = [op, tf.trainable_variables()[0]]
x = C.fully_connected(f(4, 3), 2, weights_initializer=c); ys = [T.create_train_op(tf.reduce_sum(x), tf.train.GradientDescentOptimizer(.1), transform_grads_fn=T.clip_gradient_norms_fn(.5), summarize_gradients=True, check_numerics=False)]
x = C.fully_connected(f(4, 3), 2, weights_initializer=c, outputs_collections='activations'); C.summarize_collection('trainable_variables'); C.summarize_activations(); C.summarize_tensor(tf.reduce_sum(x)); summaries.add_zero_fraction_summary(x); summaries.add_scalar_summary(tf.reduce_sum(x), 'a', 'b')
w = tf.Variable([1., 2.]); g = tf.train.get_or_create_global_step(); o = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(.1), 1); op = o.minimize(tf.reduce_sum(w ** 2), global_step=g); t = o.get_init_tokens_op(); o.chief_init_op, o.get_chief_queue_runner()
a = tf.ConditionalAccumulator(tf.float32, [2]); s = tf.SparseConditionalAccumulator(tf.float32, shape=[3, 2]); ops = [a.apply_grad([1., 2.]), a.take_grad(1), a.num_accumulated(), a.set_global_step(3), s.apply_grad([0, 2], [[1., 2.], [3., 4.]]), s.take_indexed_slices_grad(1), s.num_accumulated()]
T.bucket_by_sequence_length(tf.cast(i(9, 1)[0], tf.int32), [f(3), f(2, 4)], 2, [3, 5], capacity=7)
T.bucket([f(3)], tf.constant(1), [2, 3], 2, allow_smaller_final_batch=True, keep_input=i(2, 1)[0] > 0)
T.rejection_sample([f(3), f(2)], lambda x: tf.reduce_mean(x[0]), 4, runtime_checks=True)
T.stratified_sample([f(3), f(2)], tf.constant(1), [.2, .3, .5], 4, init_probs=[.3, .3, .4])
T.stratified_sample([f(4, 3)], i(2, 4), [.2, .8], 4, enqueue_many=True)
ys = [T.resample_at_rate([f(4, 3)], p(4))[0] * 0.0]; T.weighted_resample([f(4, 3)], p(4), .5)
parallel_reader.parallel_read(['a', 'b'], tf.TFRecordReader, num_readers=2); parallel_reader.single_pass_read(['a'], tf.TextLineReader); prefetch_queue.prefetch_queue({'x': f(2), 'y': f(3)}).dequeue()
e = tf.placeholder(tf.string, []); d = tfexample_decoder.TFExampleDecoder({'i': tf.VarLenFeature(tf.float32), 'k': tf.VarLenFeature(tf.int64), 'n': tf.FixedLenFeature([2], tf.int64)}, {'a': tfexample_decoder.Tensor('i', shape_keys='n'), 'b': tfexample_decoder.Tensor('i'), 'c': tfexample_decoder.ItemHandlerCallback('k', lambda t: t['k'].values * 2)}); d.decode(e, ['a', 'b', 'c'])
"""

_METRICS = """
ys = [*M.streaming_accuracy(i(3, 5), i(3, 5)), *M.streaming_auc(p(6), i(2, 6), num_thresholds=5), *M.streaming_mean_iou(i(3, 5), i(3, 5), 3), *M.streaming_recall_at_k(f(3, 4), i(4, 3), 2)]
ys = [*M.streaming_false_positive_rate(i(2, 5), i(2, 5)), *M.streaming_false_negative_rate(i(2, 5), i(2, 5), p(5)), *M.streaming_false_positive_rate_at_thresholds(p(6), i(2, 6), [.3, .6]), *M.streaming_false_negative_rate_at_thresholds(p(6), i(2, 6), [.3, .6], p(6))]
ys = [*M.streaming_true_positives_at_thresholds(p(6), i(2, 6), [.3, .6]), *M.recall_at_precision(i(2, 6), p(6), .5, num_thresholds=5), *M.recall_at_precision(i(2, 6), p(6), .5, num_thresholds=5, strict_mode=True), *M.precision_at_recall(i(2, 6), p(6), .5, num_thresholds=5), *M.f1_score(i(2, 6), p(6), num_thresholds=5)]
ys = [*M.streaming_covariance(f(6), f(6)), *M.streaming_covariance(f(6), f(6), p(6)), *M.streaming_pearson_correlation(f(6), f(6)), *M.streaming_mean_cosine_distance(f(2, 3), f(2, 3), 1)]
ys = [*M.streaming_concat(f(2, 3)), *M.streaming_concat(f(2, 3), axis=1, max_size=4, name='q'), *M.count(f(2, 3)), *M.count(f(2, 3), p(2, 1)), *M.cohen_kappa(i(3, 6), i(3, 6), 3), *M.cohen_kappa(i(3, 6, 1), i(3, 6), 3, weights=p(6))]
v, u = M.streaming_dynamic_auc(i(2, 8), p(8)); ys = [u.op if hasattr(u, 'op') else u][:0] + [v]; M.streaming_dynamic_auc(i(2, 8), p(8), 'PR', weights=p(8))
v, u = M.auc_with_confidence_intervals(i(2, 8), p(8)); ys = list(v)
v, u = M.precision_recall_at_equal_thresholds(i(2, 8) > 0, p(8), num_thresholds=5); ys = list(v)
v, u = M.auc_using_histogram(i(2, 8) > 0, p(8), [0., 1.], nbins=4); M.streaming_curve_points(i(2, 6), p(6), num_thresholds=5)
ys = [M.accuracy(i(3, 5), i(3, 5)), M.accuracy(i(3, 5), i(3, 5), p(5)), *M.streaming_sparse_precision_at_top_k(i(4, 3, 2), i(4, 3, 1)), *M.sparse_recall_at_top_k(i(4, 3, 1), i(4, 3, 2)), *M.streaming_sparse_average_precision_at_top_k(i(4, 3, 2), i(4, 3, 1))]
M.streaming_concat(tf.placeholder(tf.float32))
M.cohen_kappa(i(3, 5), i(3, 5), 1)
M.accuracy(f(3), f(3))
"""

_MORE = """
ys = [C.legacy_fully_connected(f(2, 3), 4, tf.nn.relu, weight_init=c), C.legacy_linear(f(2, 3, 4), 2, weight_init=c), C.dense_to_sparse(i(3, 2, 4)).values, C.images_to_sequence(f(2, 3, 4, 5)), C.sequence_to_images(f(4, 6, 5), 3)]
ys = [layers_.pool(f(2, 5, 6, 3), 2, 'MAX', stride=2), layers_.pool(f(2, 5, 3), 2, 'AVG', dilation_rate=2), C.gdn(f(2, 4, 4, 3)), C.gdn(f(2, 4, 3), inverse=True, name='q')]
x = f(2, 4, 4, 3); ys = tf.gradients(C.gdn(x), [x] + tf.trainable_variables())
s = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], tf.constant([1, -1, 3], tf.int64), [4, 2]); w = f(5, 3); ys = [C.safe_embedding_lookup_sparse([w], s), C.safe_embedding_lookup_sparse(w, s, combiner='sum', default_id=2)]
with tf.variable_scope('a', reuse=True): C.fully_connected(f(2, 3), 2)
with tf.variable_scope('a', reuse=True): C.conv2d(f(2, 4, 4, 3), 2, 3)
C.group_norm(f(2, 4, 4, 8), groups=9)
C.group_norm(f(2, 4, 4, 8), groups=4, reduction_axes=(-3, -1))
layers_.pool(f(2, 3), 2, 'MAX')
q = slim.arg_scope([slim.model_variable, slim.variable], device='/device:CPU:0'); q.__enter__(); d = tf.device('/job:localhost'); d.__enter__(); y = slim.fully_connected(slim.batch_norm(slim.conv2d(f(2, 4, 4, 3), 2, 3)), 2); slim.bias_add(slim.layer_norm(slim.separable_conv2d(f(2, 4, 4, 3), 2, 3, 1))); d.__exit__(None, None, None); q.__exit__(None, None, None)
q = slim.arg_scope([slim.variable], trainable=False, collections=['kept']); q.__enter__(); y = slim.conv2d(f(2, 4, 4, 3), 2, 3, normalizer_fn=slim.batch_norm, variables_collections={'beta': ['b']}); slim.embed_sequence(i(3, 2, 2), 3, 2); q.__exit__(None, None, None)
"""

_IMAGES = """
m = f(2, 5, 6, 3); I = tf.contrib.image; ys = [I.rotate(m, [.3, -1.2]), I.rotate(f(5, 6), .7, 'BILINEAR'), I.translate(m, [1.5, -2.], 'BILINEAR'), I.transform(m, [1.1, .2, -1, .1, .9, .4, .01, -.02], 'BILINEAR', output_shape=[3, 4]), I.compose_transforms([1.1, .2, -1, .1, .9, .4, .01, -.02], [1., 0, 2, 0, 1, 3, 0, 0])] + tf.gradients(I.rotate(m, [.3, -1.2], 'BILINEAR') ** 2, m)
m, w = f(2, 5, 6, 3), f(2, 5, 6, 2); y = tf.contrib.image.dense_image_warp(m, w * 2.); ys = [y] + tf.gradients(y ** 2, [m, w])
tf.contrib.image.rotate(f(2), 1.)
tf.contrib.image.transform(f(5, 6), [1., 0, 0, 0, 1, 0, 0, 0], output_shape=[1, 2, 3])
x = f(20, 4); q = tf.quantization; ys = [q.fake_quant_with_min_max_args(x, -.3, .5), q.fake_quant_with_min_max_args(x, num_bits=4, narrow_range=True), q.fake_quant_with_min_max_vars(x, -.3, .7), q.fake_quant_with_min_max_vars_per_channel(x, [-.1, -.3, 0., .5], [.2, .3, 0., .7]), q.quantize_and_dequantize(x, 0., 0.), q.quantize_and_dequantize(x, -.2, .5, num_bits=4, range_given=True, narrow_range=True), q.quantize_and_dequantize(x, 0., 0., signed_input=False, round_mode='HALF_UP')]
x, a, b = f(20, 4), tf.constant(-.2), tf.constant(.4); y = tf.quantization.fake_quant_with_min_max_vars(x, a, b); z = tf.quantization.fake_quant_with_min_max_args(x, -.2, .4); ys = tf.gradients(y ** 2, [x, a, b]) + tf.gradients(z ** 2, x)
x = f(20, 4); n = tf.contrib.nn; ys = [n.alpha_dropout(x, .7, seed=3), n.deprecated_flipped_softmax_cross_entropy_with_logits(f(3, 4), p(3, 4)), n.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(f(3, 4), i(4, 3)), n.deprecated_flipped_sigmoid_cross_entropy_with_logits(f(3, 4), p(3, 4))]
tf.contrib.nn.alpha_dropout(f(3), 1.5)
"""

_NETS = """
with slim.arg_scope(resnet_v1.resnet_arg_scope()): net, e = resnet_v1.resnet_v1(f(2, 32, 32, 3), [resnet_v1.resnet_v1_block('block1', 2, 2, 2)], 5); ys = [net]
with slim.arg_scope(resnet_v2.resnet_arg_scope()): net, e = resnet_v2.resnet_v2(f(2, 32, 32, 3), [resnet_v2.resnet_v2_block('block1', 2, 2, 2)], 5); names = tf.constant(sorted(e)); ys = [names]
with slim.arg_scope(inception.inception_v1_arg_scope()): net, e = inception.inception_v1_base(f(1, 32, 32, 3), 'Mixed_3b'); names = tf.constant(sorted(e)); ys = [names]
with slim.arg_scope(inception.inception_v2_arg_scope()): net, e = inception.inception_v2(f(1, 32, 32, 3), 5, depth_multiplier=.1, min_depth=2, is_training=False); names = tf.constant(sorted(e)); ys = [names]
with slim.arg_scope(inception.inception_v3_arg_scope()): net, e = inception.inception_v3(f(1, 139, 139, 3), 5, depth_multiplier=.1, min_depth=2, is_training=False); names = tf.constant(sorted(e)); ys = [names]
"""


def _cases(texts, kind):
    return {f"{kind}_{n}": f"{_PRELUDE}{line}\n" for n, line in enumerate(texts.strip().splitlines())}


CASES = {
    **_cases(_LAYERS, "layers"), **_cases(_NETS, "nets"), **_cases(_TRAINING, "training"),
    **_cases(_METRICS, "metrics"), **_cases(_MORE, "more"), **_cases(_IMAGES, "images"),
}  # fmt: skip
