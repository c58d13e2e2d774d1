"""Smaller packages of ``tf.contrib``, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
import importlib, sys
ROOT = "tensorflow" if "tensorflow" in sys.modules else "retrograd.tf"
def inner(path): return importlib.import_module(ROOT + ".contrib." + path)
def placed(workers, gpus, *shape):
    for w in range(workers):
        for g in range(gpus):
            with tf.device('/job:worker/task:%d/device:GPU:%d' % (w, g)): yield tf.constant(np.float32(rng.randn(*shape)))
def graph(build):
    with tf.Graph().as_default() as g: build(); found = [(n.name, n.type, n.device, [t.name for t in n.inputs], n.colocation_groups()) for n in g.get_operations()]
    return [tf.constant(str(found))]
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(np.float32(rng.randn(*[n or 2 for n in s])), s)
def g(*s): return tf.placeholder_with_default(rng.randn(*[n or 2 for n in s]), s)
def c(*s): return tf.constant(np.float32(rng.randn(*s)))
def p(*s): return tf.constant(rng.uniform(.1, 1, s).astype('f'))
def stepped(op, *variables):
    with tf.control_dependencies([op]): return [tf.identity(v.read_value()) for v in variables]
def measured(s):
    # the variables stand in collections in the order of a set
    for key in ('local_variables', 'metric_variables'): tf.get_default_graph().get_collection_ref(key).sort(key=lambda v: v.name)
    return [s.loss] + [s.eval_metric_ops[k][i] for i in (1, 0) for k in sorted(s.eval_metric_ops)]
I = tf.contrib.image
D = np.array([[.1, .5, .3], [.2, .05, .9]], 'f')
Z = np.random.RandomState(0).randint(0, 3, (2, 8, 9))
"""

_IMAGES = """
x, v, q = g(2, 5, 2), g(2, 5, 3), g(2, 4, 2); ys = [y for o in (1, 2, 3, 4, 6) for y in [I.interpolate_spline(x, v, q, o)]]
x, v, q = g(None, 5, 2), g(None, 5, 1), g(None, None, 2); y = I.interpolate_spline(x, v, q, 2, .1, 'n'); ys = [y] + tf.gradients(y, [x, v, q])
I.interpolate_spline(tf.placeholder(tf.float32, [1, 2, None]), c(1, 2, 1), c(1, 2, 2), 2)
d = g(2, 3, 2) * 2 + 2; x = g(2, 6, 7, 3); ys = list(I.sparse_image_warp(x, d + .25, d)); ys += tf.gradients(ys[0], x)
d = g(1, 2, 2) * .3 + 2; ys = list(I.sparse_image_warp(g(1, 6, 7, 1), d, d + .3, 3, .01, 2, 'w')) + list(I.sparse_image_warp(g(1, 4, 5, 1), d - .4, d, 1, .2, 1))
ys = [y for a in ((D, 2, -1), (D, 2, 1), (-D, 2, -1), (D, -1, 5), (D, 1, 0), (np.zeros([0, 3], 'f'), 0)) for y in I.bipartite_match(*a)]
ys = list(I.bipartite_match(D, 5.))
ys = list(I.bipartite_match(tf.placeholder_with_default(np.zeros(3, 'f'), None), 1.))
I.bipartite_match(tf.zeros([3]), 1.)
tf.gradients(tf.cast(I.bipartite_match(f(2, 3), 2.)[0], tf.float32), [tf.constant(1.)]); I.bipartite_match(tf.placeholder(tf.float32, [None, 4]), 2., name='m')
z = lambda x: tf.placeholder_with_default(x, np.shape(x)); ys = [I.connected_components(z(Z.astype(d))) for d in ('int32', 'int64', 'float32', 'bool', 'uint8')]
z = lambda x: tf.placeholder_with_default(x, np.shape(x)); ys = [I.connected_components(z(x)) for x in (Z[0], Z * 0 + 1, np.zeros([2, 0, 3]), np.array([['a', 'a', ''], ['b', '', 'a']], object))] + [I.connected_components(tf.placeholder_with_default(Z, [None, 8, None]))]
I.connected_components(tf.zeros([3]))
"""

_SMALL = """
tf.where(tf.zeros([3, 3], tf.bool), tf.zeros([3, 3, 5]), tf.zeros([3, 3, 5]))
tf.where(tf.zeros([3, 3], tf.bool), tf.zeros([3, 4]), tf.zeros([3, 4]))
tf.where(tf.zeros([2], tf.bool), tf.zeros([3, 4]), tf.zeros([3, 4]))
Q = tf.contrib.seq2seq; Q.dynamic_decode(Q.BeamSearchDecoder(tf.nn.rnn_cell.GRUCell(4), c(5, 3), [1, 2], 3, tf.zeros([4, 4]), 2, tf.layers.Dense(5), coverage_penalty_weight=.4))
v = tf.Variable([1., 2.], name='v'); S = importlib.import_module(ROOT + '.python.ops.state_ops'); ys = [S.init_variable(v, [3., 4.]), S.init_variable(v, lambda s, d: tf.ones(s, d), name='q')]
with tf.tpu.bfloat16_scope(): y = tf.layers.dense(tf.cast(tf.ones([2, 3]), tf.bfloat16), 2, kernel_initializer=tf.ones_initializer(), name='d'); ys = [tf.cast(y, tf.float32)]; tf.get_variable('u', [2])
U = importlib.import_module(ROOT + '.python.keras.utils.conv_utils'); k = np.arange(24.).reshape(2, 2, 2, 3); ys = [tf.constant(U.convert_kernel(k)), tf.constant(str([U.normalize_padding('SAME'), U.normalize_padding([1]), U.normalize_data_format(None), U.normalize_data_format('Channels_First')]))]
importlib.import_module(ROOT + '.python.keras.utils.conv_utils').normalize_padding('full')
importlib.import_module(ROOT + '.python.keras.utils.conv_utils').normalize_data_format('NHWC')
S = inner('sparsemax'); z = f(3, 4); p_ = S.sparsemax(z); y = S.sparsemax_loss(z, p_, tf.one_hot([0, 2, 1], 4)); ys = [p_, y] + tf.gradients(y, z) + tf.gradients(p_[:, 0], z)
S = inner('sparsemax'); z = tf.constant([[0., -np.inf, 1.], [np.nan, 1., 2.], [np.inf, 1., 2.], [-np.inf, -np.inf, -np.inf]]); p_ = S.sparsemax(z, 'n'); ys = [p_, S.sparsemax_loss(z, p_, tf.one_hot([0, 0, 0, 0], 3))]
K = inner('kernel_methods'); m = K.RandomFourierFeatureMapper(3, 5, 2., name='m'); ys = [m.map(c(2, 3)), m.map(c(4, 3)), tf.constant([m.input_dim, m.output_dim]), tf.constant(m.name)]
K = inner('kernel_methods'); l, z = tf.constant([[1], [0], [2]]), f(3, 3); y = K.sparse_multiclass_hinge_loss(l, z); ys = [y] + tf.gradients(y, z) + [K.sparse_multiclass_hinge_loss(l[:, 0], z, [[1.], [0.], [2.]], scope='s', reduction='none')]
K = inner('kernel_methods'); K.sparse_multiclass_hinge_loss(tf.constant([1.]), c(1, 2))
K = inner('kernel_methods'); K.sparse_multiclass_hinge_loss(tf.constant([1]), c(2))
K = inner('kernel_methods'); K.RandomFourierFeatureMapper(3, 5).map(c(2, 4))
M = inner('mixed_precision'); v = tf.get_variable('v', initializer=[1., 2.]); o = M.LossScaleOptimizer(tf.train.GradientDescentOptimizer(.1), M.FixedLossScaleManager(8.)); g = o.compute_gradients(tf.reduce_sum(v * v)); t = o.apply_gradients(g); ys = [tf.identity(x) for x, _ in g]
M = inner('mixed_precision'); v = tf.get_variable('v', initializer=[1., 2.]); m = M.ExponentialUpdateLossScaleManager(4., 2, 1, 3, .5); o = M.LossScaleOptimizer(tf.train.MomentumOptimizer(.1, .9), m); t = o.minimize(tf.reduce_sum(v * v)); u = m.update_loss_scale(tf.constant(False)); ys = [tf.constant(str([x.name for x in tf.global_variables()]))]
M = inner('mixed_precision'); M.FixedLossScaleManager(.5)
F = inner('feature_column'); E = tf.feature_column.embedding_column(F.sequence_categorical_column_with_identity('a', 5), 2, initializer=tf.ones_initializer()); N = F.sequence_numeric_column('b', default_value=-1.); x = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 3], tf.int64), [2, 2]); y, n = F.sequence_input_layer({'a': x, 'b': tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [.5, .6, .7], [2, 2])}, [E, N]); ys = [n]
"""

_PRUNING = """
P = inner('model_pruning'); w = tf.get_variable('w', [3, 4]); b = tf.get_variable('b', [5]); s = tf.train.create_global_step(); y = P.apply_mask(w, 'a'); z = P.apply_mask(b, 'c'); p_ = P.Pruning(P.get_pruning_hparams().parse('threshold_decay=.5,weight_sparsity_map=[w:.25]')); o = p_.conditional_mask_update_op(); p_.add_pruning_summaries(); ys = [tf.constant(str([len(f()) for f in (P.get_masks, P.get_weights, P.get_thresholds, P.get_masked_weights)]))]
P = inner('model_pruning'); w = tf.Variable([[1., 2., 3., 4.], [1., 5., 0., -6.], [-.5, .5, 2., 1.]], name='w'); y = P.apply_mask(w, 'a'); p_ = P.Pruning(P.get_pruning_hparams().parse('block_height=2,block_width=2'), tf.constant(100)); o = p_.mask_update_op(); s = P.get_weight_sparsity(); ys = [tf.constant(str(sorted(P.get_pruning_hparams().values().items())))]
P = inner('model_pruning'); P.Pruning(P.get_pruning_hparams().parse('begin_pruning_step=5,end_pruning_step=3'))
P = inner('model_pruning'); P.Pruning(P.get_pruning_hparams().parse('target_sparsity=1.'))
"""

_HEADS = """
E, H = tf.estimator, tf.estimator.BinaryClassHead(weight_column='w', thresholds=[.3], name='h'); x = {'w': p(4)}; z = f(None, 1); l = tf.constant([1, 0, 1, 0]); s = H.create_estimator_spec(x, 'eval', f(4, 1), l, regularization_losses=[tf.constant(2.)]); ys = measured(s)
E, H = tf.estimator, tf.estimator.BinaryClassHead(); s = tf.estimator.BinaryClassHead().create_estimator_spec({}, 'infer', f(4, 1)); ys = [s.predictions[k] for k in sorted(s.predictions)] + [tf.constant(str(sorted(s.export_outputs))), H.loss(tf.constant([0, 1, 1, 0]), f(4, 1), {})] + list(H.predictions(f(2, 1), ['logistic', 'logits']).values())
v = tf.Variable([[1.], [2.]], use_resource=True); tf.train.get_or_create_global_step(); H = tf.estimator.BinaryClassHead(loss_reduction='sum'); s = H.create_estimator_spec({}, 'train', c(3, 2) @ v, tf.constant([[1.], [0.], [1.]]), tf.keras.optimizers.SGD(.1), [v], update_ops=[tf.no_op()], regularization_losses=[tf.nn.l2_loss(v)]); ys = [s.loss]
H = tf.estimator.MultiClassHead(3, 'w', name='m'); x = {'w': p(2, 1)}; s = H.create_estimator_spec(x, 'eval', f(None, 3), tf.constant([[1], [2]])); ys = measured(s)
H = tf.estimator.MultiClassHead(3); s = H.create_estimator_spec({}, 'eval', f(2, 3), tf.constant([[1], [2]]), regularization_losses=[tf.constant(1.)]); ys = measured(s)
H = tf.estimator.MultiClassHead(3); s = tf.estimator.MultiClassHead(3).create_estimator_spec({}, 'infer', f(2, 3)); ys = [s.predictions[k] for k in sorted(s.predictions)] + [H.loss(tf.constant([2, 0]), f(2, 3), {}), tf.constant(str(sorted(s.export_outputs)))]
H = tf.estimator.MultiClassHead(3, loss_fn=lambda labels, logits: tf.cast(labels, tf.float32) + logits[:, :1]); s = H.create_estimator_spec({}, 'train', f(2, 3), tf.constant([[1], [2]]), train_op_fn=lambda l: tf.identity(l)); ys = [s.loss, s.train_op]
H = tf.estimator.MultiLabelHead(3, thresholds=[.5], classes_for_class_based_metrics=[0, 2], name='l'); s = H.create_estimator_spec({}, 'eval', f(2, 3), tf.constant([[1, 0, 1], [0, 0, 1]])); ys = measured(s)
H = tf.estimator.MultiLabelHead(3); y = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0, 2, 1], [2, 2]); s = H.create_estimator_spec({}, 'infer', f(2, 3)); ys = [H.loss(y, f(2, 3), {}), H.loss(tf.constant([[1, 0, 1], [0, 0, 1]]), f(2, 3), {}), s.predictions['probabilities']]
H = tf.estimator.MultiLabelHead(2, label_vocabulary=['a', 'b'], classes_for_class_based_metrics=['b']); y = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0, 1, 1], [2, 2]); s = H.create_estimator_spec({}, 'eval', f(2, 2), y); ys = measured(s)
H = tf.estimator.RegressionHead(2, 'w', name='r'); x = {'w': p(3, 2)}; s = H.create_estimator_spec(x, 'eval', f(3, 2), tf.constant([[1., 2.], [3., 4.], [5., 6.]]), regularization_losses=[tf.constant(1.)]); ys = measured(s)
H = tf.estimator.PoissonRegressionHead(compute_full_loss=False); s = H.create_estimator_spec({}, 'infer', f(3, 1)); ys = [s.predictions[k] for k in sorted(s.predictions)] + [H.loss(tf.constant([1., 2., 3.]), f(3, 1), {})]
H = tf.estimator.LogisticRegressionHead(name='q'); s = H.create_estimator_spec({}, 'train', f(3, 1), tf.constant([1, 0, 1]), train_op_fn=lambda l: tf.identity(l)); ys = [s.loss, s.predictions['predictions']]
E = tf.estimator; H = E.MultiHead([E.RegressionHead(name='a'), E.MultiClassHead(3, name='b')], [1., .5]); s = H.create_estimator_spec({}, 'eval', f(2, 4), {'a': tf.constant([1., 2.]), 'b': tf.constant([0, 1])}, regularization_losses=[tf.constant(1.)]); ys = measured(s) + [tf.constant(str((H.name, H.logits_dimension, H.loss_reduction)))]
E = tf.estimator; H = E.MultiHead([E.RegressionHead(name='a'), E.BinaryClassHead(name='b')]); s = H.create_estimator_spec({}, 'infer', {'a': f(2, 1), 'b': f(2, 1)}); t = H.create_estimator_spec({}, 'train', f(2, 2), {'a': tf.constant([1., 2.]), 'b': tf.constant([0, 1])}, train_op_fn=lambda l: tf.identity(l)); ys = [t.loss, t.train_op, tf.constant(str(sorted(s.export_outputs)))] + [s.predictions[k] for k in sorted(s.predictions)]
tf.estimator.BinaryClassHead(loss_reduction='mean')
tf.estimator.BinaryClassHead(thresholds=[1.5])
tf.estimator.MultiClassHead(2)
tf.estimator.MultiClassHead(3, label_vocabulary=['a'])
tf.estimator.MultiLabelHead(1)
tf.estimator.MultiLabelHead(2, loss_fn=lambda a, b: a)
tf.estimator.RegressionHead(0)
tf.estimator.BinaryClassHead().predictions(f(2, 1), ['x'])
tf.estimator.BinaryClassHead().loss(None, f(2, 1))
tf.estimator.BinaryClassHead().loss(tf.SparseTensor([[0, 0]], [1], [2, 1]), f(2, 1))
tf.estimator.BinaryClassHead().loss(f(2, 2), f(2, 1))
tf.estimator.BinaryClassHead().create_estimator_spec({}, 'train', f(2, 1), f(2, 1))
tf.estimator.BinaryClassHead().create_estimator_spec({}, 'train', f(2, 1), p(2, 1), 'adam')
tf.estimator.MultiHead([])
tf.estimator.MultiHead([tf.estimator.RegressionHead(name='a')]).loss({}, f(2, 1))
"""

_DEVICES = """
R = tf.contrib.cluster_resolver.TPUClusterResolver; ys = [tf.constant(str([(r.master(), r.get_master(), r.cluster_spec() and r.cluster_spec().as_dict(), r.get_job_name(), r.task_type, r.task_id, r.environment, r.rpc_layer) for r in (R('grpc://10.0.0.1:8470'), R(['grpc://a:1,b:2'], job_name='tpu', coordinator_name='c', coordinator_address='d:3'), R(''), R('local'), R(b'/bns/x:12'))]))]
tf.distribute.cluster_resolver.TPUClusterResolver()
tf.distribute.cluster_resolver.TPUClusterResolver([])
tf.distribute.cluster_resolver.TPUClusterResolver(['grpc://a:1', 'grpc://b:1'])
"""

_REDUCTIONS = """
A = inner('all_reduce.python.all_reduce'); x = [c(7) for _ in range(4)]; ys = A.build_ring_all_reduce(x, 2, 2, [0, 1], tf.add) + A.build_ring_all_reduce(x, 1, 3, [2, 0, 3, 1], tf.maximum, tf.sqrt) + A.build_ring_all_reduce([c(2, 3) for _ in range(2)], 1, 1, [0, 1], tf.multiply)
A = inner('all_reduce.python.all_reduce'); x = [c(2, 4) for _ in range(4)]; ys = A.build_recursive_hd_all_reduce(x, tf.add, lambda y: y / 4.) + A.build_shuffle_all_reduce(x, ['', '', ''], tf.add_n, tf.negative) + A.build_shuffle_all_reduce([c(2), c(2)], [''], tf.add_n)
A = inner('all_reduce.python.all_reduce'); ys = graph(lambda: A.build_ring_all_reduce(list(placed(2, 3, 11)), 2, 2, [1, 0, 2], tf.add, tf.negative))
A = inner('all_reduce.python.all_reduce'); ys = graph(lambda: A.build_ring_all_reduce(list(placed(1, 3, 4)), 1, 3, [0, 1, 2], tf.add))
A = inner('all_reduce.python.all_reduce'); ys = graph(lambda: A.build_recursive_hd_all_reduce(list(placed(4, 2, 4, 4)), tf.add, tf.negative))
A = inner('all_reduce.python.all_reduce'); ys = graph(lambda: A.build_shuffle_all_reduce(list(placed(2, 2, 3, 3)), ['/job:ps/task:%d' % i for i in range(4)], tf.add_n, tf.negative))
A = inner('all_reduce.python.all_reduce'); ys = graph(lambda: A.build_shuffle_then_ring(list(placed(2, 2, 6)), ['/job:worker/task:%d/cpu:0' % i for i in (0, 1)], 1, tf.add_n, tf.add, tf.negative))
A = inner('all_reduce.python.all_reduce'); ys = graph(lambda: A.build_shuffle_then_ring(list(placed(1, 3, 2, 3)), ['/job:worker/task:0/cpu:0'], 1, tf.add_n, tf.add, tf.negative))
A = inner('all_reduce.python.all_reduce'); ys = graph(lambda: A.build_shuffle_then_shuffle(list(placed(2, 2, 2, 3)), ['/job:worker/task:%d/cpu:0' % i for i in (0, 1)], ['/job:ps/task:0', '/job:ps/task:1'], tf.add_n))
inner('all_reduce.python.all_reduce').build_ring_all_reduce([c(2)], 1, 1, [0], tf.add)
inner('all_reduce.python.all_reduce').build_ring_all_reduce([c(4), c(4)], 1, 3, [0, 1], tf.add)
inner('all_reduce.python.all_reduce').build_ring_all_reduce([c(4), c(3)], 1, 1, [0, 1], tf.add)
inner('all_reduce.python.all_reduce').build_recursive_hd_all_reduce([c(4), c(4), c(4)], tf.add)
inner('all_reduce.python.all_reduce').build_shuffle_all_reduce([], [''], tf.add_n)
inner('all_reduce.python.all_reduce').build_shuffle_all_reduce([f(None), f(None)], [''], tf.add_n)
inner('all_reduce.python.all_reduce').build_shuffle_then_shuffle(list(placed(2, 1, 4)), [''], [''], tf.add_n)
inner('all_reduce.python.all_reduce').build_shuffle_then_shuffle([c(2), c(2)], [''], [''], tf.add_n)
inner('all_reduce.python.all_reduce').build_nccl_all_reduce([c(2), c(2)], tf.add)
inner('all_reduce.python.all_reduce').build_nccl_all_reduce(list(placed(1, 2, 4)), max)
"""

_INFERENCE = """
T = importlib.import_module(ROOT + '.python.tools.optimize_for_inference_lib'); x = tf.placeholder(tf.float32, [1, 6, 6, 3], name='x'); y = tf.nn.conv2d(tf.image.resize_bilinear(x, [8, 9], align_corners=True), c(3, 3, 3, 4), [1, 2, 1, 1], 'SAME', name='c'); y = tf.raw_ops.FusedBatchNorm(x=tf.identity(y), scale=p(4), offset=c(4), mean=c(4), variance=p(4), is_training=False)[0]; y = tf.nn.depthwise_conv2d(tf.nn.relu(y), c(2, 2, 4, 2), [1, 1, 1, 1], 'VALID', name='d'); y = tf.raw_ops.FusedBatchNorm(x=y, scale=p(8), offset=c(8), mean=c(8), variance=p(8), is_training=False, epsilon=.25)[0]; y = tf.nn.conv2d(tf.pad(y, [[0, 0], [1, 2], [2, 1], [0, 0]], 'SYMMETRIC'), c(2, 2, 8, 2), [1, 1, 1, 1], 'VALID'); y = tf.nn.conv2d(tf.pad(tf.image.resize_bilinear(y, [5, 5]), [[0, 0], [1, 1], [1, 1], [0, 0]], 'REFLECT'), c(3, 3, 2, 2), [1, 1, 1, 1], 'VALID', name='out'); d = T.optimize_for_inference(tf.get_default_graph().as_graph_def(), ['x'], ['out'], tf.float32.as_datatype_enum); ys = [tf.import_graph_def(d, {'x': c(1, 6, 6, 3)}, ['out:0'], name='i')[0][:, :2, :2] / 100.] + [tf.constant(str([(n.name, n.op, list(n.input)) for n in d.node]))]
T = importlib.import_module(ROOT + '.python.tools.optimize_for_inference_lib'); x = tf.placeholder(tf.float32, [2, 6, 6, 3], name='x'); y = tf.nn.conv2d(tf.image.resize_bilinear(x, [8, 9]), c(3, 3, 3, 4), [1, 2, 1, 1], 'SAME', name='c'); v = tf.placeholder(tf.float32, [4]); y = tf.raw_ops.FusedBatchNorm(x=y, scale=p(4), offset=v, mean=c(4), variance=p(4), is_training=False)[0]; y = tf.identity(y, 'out'); d = T.optimize_for_inference(tf.get_default_graph().as_graph_def(), ['c'], ['out'], [1], True); ys = [tf.constant(str([(n.name, n.op, list(n.input), sorted(n.attr)) for n in d.node]))]
T = importlib.import_module(ROOT + '.python.tools.optimize_for_inference_lib'); T.optimize_for_inference(tf.get_default_graph().as_graph_def(), ['x:0'], ['out'], 1)
T = importlib.import_module(ROOT + '.python.tools.optimize_for_inference_lib'); T.optimize_for_inference(tf.get_default_graph().as_graph_def(), ['x'], ['out'], 1)
"""

_QUANTIZE = """
S = tf.contrib.slim; o = tf.ones_initializer(); y = S.conv2d(f(2, 5, 5, 3), 4, 3, scope='a', weights_initializer=o); y = S.conv2d(y, 4, 1, activation_fn=tf.nn.relu6, scope='b/c', weights_initializer=o); y = S.fully_connected(S.flatten(y), 2, activation_fn=None, scope='d', weights_initializer=o); tf.contrib.quantize.create_training_graph(); l = tf.reduce_sum(y); ys = [l, y] + tf.gradients(l, tf.trainable_variables())
S = tf.contrib.slim; o = tf.ones_initializer(); y = S.conv2d(f(2, 5, 5, 3), 4, 3, normalizer_fn=S.batch_norm, scope='a', weights_initializer=o); y = S.separable_conv2d(y, None, 3, 1, normalizer_fn=S.batch_norm, normalizer_params={'is_training': True, 'scale': True}, scope='s', weights_initializer=o); y = S.conv2d(y, 2, 1, scope='p', weights_initializer=o, activation_fn=None); tf.contrib.quantize.create_training_graph(quant_delay=2); l = tf.reduce_mean(y); ys = [y[:, :2, :1]] + [tf.convert_to_tensor(g) for g in tf.gradients(l, tf.trainable_variables())]
S = tf.contrib.slim; o = tf.ones_initializer(); n = {'is_training': False}; x = f(2, 4, 4, 3); y = S.conv2d(x, 3, 3, normalizer_fn=S.batch_norm, normalizer_params=n, scope='q/a', weights_initializer=o, activation_fn=None); y = tf.nn.relu(y + x, name='q/r'); z = S.conv2d(y, 3, 1, normalizer_fn=S.batch_norm, normalizer_params=n, scope='q/b', weights_initializer=o); y = tf.add(z, y, name='q/add'); tf.contrib.quantize.create_eval_graph(); ys = [y, tf.identity(y) * 2.]
x = f(2, 4); w = tf.get_variable('w', [4, 3], initializer=tf.ones_initializer(), use_resource=True); y = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w), [1., 2., 3.])); y = tf.identity(y) + y; z = tf.identity(y); tf.contrib.quantize.experimental_create_training_graph(weight_bits=4, activation_bits=6, symmetric=True); ys = [z]
S = tf.contrib.slim; o = tf.ones_initializer(); y = S.conv2d(f(2, 5, 5, 3), 4, 3, normalizer_fn=S.batch_norm, scope='a/b', weights_initializer=o); y = S.conv2d(y, 4, 3, scope='c', weights_initializer=o); tf.contrib.quantize.experimental_create_training_graph(freeze_bn_delay=1, scope='a'); ys = [y[:, :2, :2, :1]]
v = tf.Variable(1.); t = tf.train.GradientDescentOptimizer(.1).minimize(v * v); tf.contrib.quantize.create_training_graph()
"""

_GRIDS = """
G = tf.contrib.grid_rnn; v_ = tf.variable_scope('root', initializer=tf.constant_initializer(.3)); v_.__enter__(); a = G.Grid2BasicLSTMCell(2, tied=True); b = G.Grid1LSTMCell(3, use_peepholes=True); d = G.Grid3LSTMCell(2); e = G.Grid2GRUCell(2, non_recurrent_fn=tf.tanh); ys = [a(f(2, 3), a.zero_state(2, tf.float32)), b(f(2, 3), b.zero_state(2, tf.float32)), d(f(2, 3), d.zero_state(2, tf.float32)), e(f(2, 4), e.zero_state(2, tf.float32))]; v_.__exit__(None, None, None)
G = tf.contrib.grid_rnn; v_ = tf.variable_scope('root', initializer=tf.constant_initializer(.3)); v_.__enter__(); a = G.Grid2BasicRNNCell(2, state_is_tuple=True, output_is_tuple=False); b = G.Grid1BasicRNNCell(3); d = G.Grid1BasicLSTMCell(2, 0.); e = G.Grid2LSTMCell(2, False, tf.nn.relu, True); ys = [a(f(2, 3), a.zero_state(2, tf.float32)), b(f(2, 3), b.zero_state(2, tf.float32)), d(f(2, 3), d.zero_state(2, tf.float32)), e(f(2, 4), e.zero_state(2, tf.float32))]; v_.__exit__(None, None, None)
G = tf.contrib.grid_rnn; v_ = tf.variable_scope('root', initializer=tf.constant_initializer(.3)); v_.__enter__(); a = G.GridRNNCell(2, 3, [0, 2], [1, 2], [1], 2, non_recurrent_fn=tf.sigmoid); x = [f(2, 4), f(2, 4)]; y, s = tf.nn.static_rnn(a, x, dtype=tf.float32); l = tf.reduce_sum(y[-1][0]); ys = [y, s] + tf.gradients(l, tf.trainable_variables()[:3]) + [tf.constant(str((a.output_size, a.state_size)))]; v_.__exit__(None, None, None)
tf.contrib.grid_rnn.GridRNNCell(2, 2, 3)
tf.contrib.grid_rnn.GridRNNCell(2, 0)
"""

_PROGRAMS = _GRIDS + _QUANTIZE + _INFERENCE + _HEADS + _DEVICES + _REDUCTIONS + _PRUNING + _IMAGES + _SMALL

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().split("\n") if line}
