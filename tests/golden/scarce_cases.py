"""Further names that hardly a program uses, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
contrib, N, O = tf.contrib, tf.nn, tf.contrib.opt
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def f(*s): return tf.placeholder_with_default(np.float32(rng.randn(*[n or 2 for n in s])), s)
def c(*s): return tf.constant(np.float32(rng.randn(*s)))
def variables(getter, **options):
    with tf.variable_scope('', custom_getter=getter):
        made = [tf.get_variable('v', initializer=[1., 2.], **options), tf.get_variable('w', [2], initializer=tf.ones_initializer(), **options), tf.get_variable('n', [], trainable=False, collections=['local_variables'])]
    return made, tf.train.get_or_create_global_step()
def trained(optimizer, made, step, by=1.):
    loss = tf.reduce_sum(made[0] * made[1] * by)
    return optimizer.apply_gradients(optimizer.compute_gradients(loss), global_step=step)
E = tf.contrib.estimator
def model(features, labels, mode, params=None, config=None):
    x = features['x'] if isinstance(features, dict) else features
    if isinstance(features, dict) and 's' in features: x += tf.sparse.reduce_sum(features['s'], 1, keepdims=True)
    p = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer(), name='d')
    if mode == 'infer':
        outs = {'serving_default': tf.estimator.export.PredictOutput({'p': p}), 'b': tf.estimator.export.RegressionOutput(p), 'c': tf.estimator.export.ClassificationOutput(scores=p)}
        return tf.estimator.EstimatorSpec(mode, predictions={'p': p, 'x': x}, export_outputs=outs)
    loss = tf.losses.mean_squared_error(labels, p)
    metrics = {'m': tf.metrics.mean(p)} if mode == 'eval' else None
    optimizer = E.TowerOptimizer((params or {}).get('o', lambda: tf.train.MomentumOptimizer(.1, .9)))
    train = optimizer.minimize(loss, tf.train.get_or_create_global_step()) if mode == 'train' else None
    return tf.estimator.EstimatorSpec(mode, predictions=p, loss=loss, train_op=train, eval_metric_ops=metrics)
def stepped(op, *variables):
    with tf.control_dependencies([op]): return [tf.identity(v.read_value()) for v in variables]
"""

_WORKERS = """
ys = None; g = O.ModelAverageCustomGetter('/job:worker/task:0'); made, step = variables(g); o = O.ModelAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 2, True, g, 3); trained(o, made, step); o.get_init_op(); o.make_session_run_hook().begin()
ys = None; g = O.ModelAverageCustomGetter('/job:worker/task:1'); made, step = variables(g); o = O.ModelAverageOptimizer(tf.train.AdamOptimizer(.1), 2, False, g); trained(o, made, step); o.make_session_run_hook().begin()
ys = None; g = O.ModelAverageCustomGetter(''); made, step = variables(g); O.ModelAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 2, True, g).apply_gradients([], step)
ys = None; g = O.ModelAverageCustomGetter(''); made, step = variables(g); trained(O.ModelAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 2, True, g), made, None)
ys = None; g = O.ElasticAverageCustomGetter('/job:worker/task:0'); made, step = variables(g); o = O.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 2, g, 3); trained(o, made, step); o.make_session_run_hook(True, 0).begin()
ys = None; g = O.ElasticAverageCustomGetter('/job:worker/task:1'); made, step = variables(g); o = O.ElasticAverageOptimizer(tf.train.MomentumOptimizer(.1, .9), 3, g, moving_rate=.2, rho=0., synchronous=True, name='e'); trained(o, made, None); o.make_session_run_hook(False, 1).begin(); o.swapping_saver()
ys = None; g = O.ElasticAverageCustomGetter(''); step = tf.train.get_or_create_global_step(); o = O.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 2, g); o.swapping_saver()
ys = None; g = O.ElasticAverageCustomGetter(''); step = tf.train.get_or_create_global_step(); o = O.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 2, g); o.get_init_op(0)
ys = None; g = O.ElasticAverageCustomGetter('/job:worker'); step = tf.train.get_or_create_global_step(); made = [tf.VariableScope(None, custom_getter=g).get_variable(tf.get_variable_scope() and inner('python.ops.variable_scope')._get_default_variable_store(), n, [4], tf.float32, partitioner=tf.fixed_size_partitioner(2)) for n in 'vw']; o = O.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 2, g, 3); trained(o, [tf.convert_to_tensor(m) for m in made], step)
ys = None; g = O.AGNCustomGetter('/job:worker/task:0'); made, step = variables(g); o = O.AGNOptimizer(tf.train.GradientDescentOptimizer(.1), 2, g, 3); trained(o, made, step); o.make_session_run_hook(True, 0).begin()
ys = None; g = O.AGNCustomGetter('/job:worker/task:1'); made, step = variables(g); o = O.AGNOptimizer(tf.train.AdamOptimizer(.1), 2, g); trained(o, made, None); o.make_session_run_hook(False, 1).begin()
ys = None; s = tf.train.get_or_create_global_step(); o = O.AGNOptimizer(tf.train.AdamOptimizer(.1), 2, O.AGNCustomGetter('')); o.get_init_op(0)
ys = None; s = tf.train.get_or_create_global_step(); v = tf.Variable([1., 2.]); o = O.DropStaleGradientOptimizer(tf.train.GradientDescentOptimizer(.1), 2); o.minimize(tf.reduce_sum(v * v), global_step=s, name='n'); o.get_slot_names()
ys = None; s = tf.train.get_or_create_global_step(); v = tf.Variable([[1., 2.]]); o = O.DropStaleGradientOptimizer(tf.train.MomentumOptimizer(.1, .9), 0); o.minimize(tf.reduce_sum(tf.gather(v, [0])), global_step=s); o.get_slot(v, 'momentum')
"""

_WORKING = """
g = O.ModelAverageCustomGetter(''); made, step = variables(g); o = O.ModelAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 1, True, g, 2); ys = stepped(trained(o, made, step), *(made[:2] + sorted(g._local_2_global.values(), key=lambda v: v.name) + [step]))
g = O.ElasticAverageCustomGetter(''); made, step = variables(g); o = O.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(.1), 1, g, 2, moving_rate=.3); ys = stepped(trained(o, made, step), *(made[:2] + [g._global_map[made[0]], g._local_map[made[1]], step]))
g = O.AGNCustomGetter(''); made, step = variables(g); o = O.AGNOptimizer(tf.train.MomentumOptimizer(.1, .9), 1, g, 3); ys = stepped(trained(o, made, step), *(made[:2] + [g._global_map[made[0]], g._grad_map[made[1]], step]))
s = tf.train.get_or_create_global_step(); v = tf.Variable([1., 2.]); o = O.DropStaleGradientOptimizer(tf.train.GradientDescentOptimizer(.1), 2); ys = [o.minimize(tf.reduce_sum(v * v), global_step=s), v.read_value()]
"""

_CUDNN = """
ys = None; a = contrib.cudnn_rnn.CudnnLSTM(2, 3, seed=2); y, s = a(f(4, 2, 5)); b = contrib.cudnn_rnn.CudnnLSTM(1, 3, direction='bidirectional', dropout=.25); b(f(None, None, 5), training=False)
ys = None\\nfor k in ('GRU', 'RNNTanh', 'RNNRelu'): l = getattr(contrib.cudnn_rnn, 'Cudnn' + k)(2, 3, direction='bidirectional', kernel_initializer=tf.constant_initializer(.1), name='n' + k); y, s = l(f(4, 2, 5), (f(4, 2, 3),)); tf.gradients(y, l.trainable_variables)
ys = None; l = contrib.cudnn_rnn.CudnnLSTM(1, 3); y, s = l(f(4, 2, 5), sequence_lengths=[1, 4], time_major=False); g = tf.gradients(y, l.trainable_variables)
ys = None; l = contrib.cudnn_rnn.CudnnGRU(1, 3); y, s = l(f(4, 2, 5), time_major=False, initial_state=(f(4, 1, 3),)); tf.train.Saver()
ys = None; l = contrib.cudnn_rnn.CudnnLSTM(2, 3, direction='bidirectional', dtype=tf.float64); l.build([None, None, 4]); tf.train.Saver(); l.canonical_weight_shapes, l.canonical_bias_shapes
ys = None; l = contrib.cudnn_rnn.CudnnLSTM(1, 3); y, s = l(f(4, 2, 5), training=False); tf.gradients(y, l.trainable_variables)
ys = None; contrib.cudnn_rnn.CudnnLSTM(1, 3, direction='up')
ys = None; contrib.cudnn_rnn.CudnnLSTM(1, 3, input_mode='up')
ys = None; contrib.cudnn_rnn.CudnnLSTM(1, 3, dtype=tf.int32)
ys = None; contrib.cudnn_rnn.CudnnLSTM(1, 3)(f(4, 2))
ys = None; contrib.cudnn_rnn.CudnnLSTM(1, 3)(f(4, 2, None))
ys = None; contrib.cudnn_rnn.CudnnLSTM(1, 3).input_size
ys = None; contrib.cudnn_rnn.CudnnLSTM(1, 3).canonical_weight_shapes
ys = None; R = inner('contrib.cudnn_rnn.python.ops.cudnn_rnn_ops'); R.cudnn_rnn_opaque_params_size('gru', 2, 3, 4); m = R.CudnnLSTM(2, 3, 4, direction='bidirectional', num_proj=2); m.params_size(); w, b = m.params_to_canonical(f(None)); m.canonical_to_params(w, b); m(f(5, 2, 4), f(4, 2, 2), f(4, 2, 3), f(None))
ys = None; R = inner('contrib.cudnn_rnn.python.ops.cudnn_rnn_ops'); m = R.CudnnRNNRelu(1, 3, 4, dropout=.25); m.params_size(); m(f(5, 2, 4), f(1, 2, 3), f(None), is_training=False); R.cudnn_gru(f(None, None, None), f(None, None, 3), f(None), True); R.cudnn_lstm(f(5, 2, 4), f(1, 2, 3), f(1, 2, 3), f(None), True, [1, 2])
ys = None; R = inner('contrib.cudnn_rnn.python.ops.cudnn_rnn_ops'); R.cudnn_rnn_opaque_params_size('lst', 2, 3, 4)
ys = None; K = contrib.cudnn_rnn; [K.CudnnParamsFormatConverterLSTM(2, 3, 4, num_proj=2).opaque_to_tf_canonical(f(None)), K.CudnnParamsFormatConverterGRU(1, 3, 4, direction='bidirectional').tf_canonical_to_opaque([f(7, 6), f(4, 3), f(3, 3)] * 2 + [f(6), f(3), f(3)] * 2)]
"""

_LISTS = """
L = inner('python.ops.list_ops'); ys = None; e = L.empty_tensor_list([None, 2], tf.float32); l = L.tensor_list_push_back(e, [[1., 2.]]); l, x = L.tensor_list_pop_back(l, tf.float32); L.tensor_list_stack(l, tf.float32), L.tensor_list_stack(l, tf.float32, 3, [2, None]), L.tensor_list_gather(l, [0, 1], tf.float32), L.tensor_list_get_item(l, 0, tf.float32), L.tensor_list_concat(l, tf.float32), L.tensor_list_element_shape(l, tf.int64), L.tensor_list_length(l)
L = inner('python.ops.list_ops'); ys = None; l = L.tensor_list_reserve(None, 3, tf.float32); L.tensor_list_get_item(l, 0, tf.float32, [2]), L.tensor_list_stack(l, tf.float32, element_shape=[2, None]), L.tensor_list_gather(l, [0], tf.float32, [3]), L.tensor_list_element_shape(l, tf.int32), L.tensor_list_concat(l, tf.float32, [None, 4])
L = inner('python.ops.list_ops'); ys = None; t = tf.placeholder(tf.float32, [None, 3]); l = L.tensor_list_from_tensor(t, [None]); L.tensor_list_stack(l, tf.float32); l = L.tensor_list_set_item(l, 0, tf.placeholder(tf.float32)); L.tensor_list_get_item(l, 1, tf.float32); l = L.tensor_list_resize(l, 7); L.tensor_list_stack(l, tf.float32); l = L.tensor_list_scatter(t, [1], [3]); L.tensor_list_stack(l, tf.float32); l = L.tensor_list_scatter(t, [1], input_handle=l); L.tensor_list_stack(l, tf.float32); l = L.tensor_list_split(t, [None, 3], [1, 2]); L.tensor_list_stack(l, tf.float32)
L = inner('python.ops.list_ops'); l = L.empty_tensor_list([], tf.float32); x = f(); l = L.tensor_list_push_back(L.tensor_list_push_back(l, x), 3.); y = L.tensor_list_stack(l, tf.float32); ys = [y] + tf.gradients(y * y, x)
L = inner('python.ops.list_ops'); t = f(3, 2); l = L.tensor_list_from_tensor(t, [2]); y = L.tensor_list_get_item(l, 1, tf.float32) * L.tensor_list_stack(l, tf.float32) * tf.reduce_sum(L.tensor_list_gather(l, [0, 2], tf.float32)); ys = [y] + tf.gradients(y, t)
L = inner('python.ops.list_ops'); t, v = f(3, 2), f(2); l = L.tensor_list_set_item(L.tensor_list_from_tensor(t, [2]), 1, v); l, x = L.tensor_list_pop_back(l, tf.float32); y = L.tensor_list_stack(l, tf.float32) * x; ys = [y] + tf.gradients(y, [t, v])
L = inner('python.ops.list_ops'); t, v = f(4, 2), f(2, 2); l = L.tensor_list_split(t, [None, 2], [1, 3]); y = L.tensor_list_concat(l, tf.float32); s = L.tensor_list_stack(L.tensor_list_scatter(v, [2, 0], [2], L.tensor_list_from_tensor(t, [2])), tf.float32); ys = [y, s] + tf.gradients([y * y, s * s], [t, v])
L = inner('python.ops.list_ops'); t = f(2, 2); s = L.tensor_list_stack(L.tensor_list_scatter(t, [2, 0], [2]), tf.float32); z = tf.zeros_like(L.tensor_list_from_tensor(t, [2])); a = tf.add_n([L.tensor_list_from_tensor(t, [2]), z, L.tensor_list_from_tensor(2. * t, [None])]); ys = [s, L.tensor_list_stack(z, tf.float32), L.tensor_list_stack(a, tf.float32)] + tf.gradients(s * s, t)
L = inner('python.ops.list_ops'); v = tf.constant([1., 2.]); _, l = tf.while_loop(lambda i, l: i < 4, lambda i, l: (i + 1, L.tensor_list_push_back(l, v * tf.cast(i, tf.float32))), [0, L.empty_tensor_list([2], tf.float32)]); ys = [L.tensor_list_stack(l, tf.float32, 4), L.tensor_list_length(l)]
L = inner('python.ops.list_ops'); e = L.empty_tensor_list([], tf.int32); l = tf.cond(c() > 9, lambda: L.tensor_list_push_back(e, 1), lambda: L.tensor_list_push_back(L.tensor_list_push_back(e, 2), 3)); ys = [L.tensor_list_stack(l, tf.int32)]
L = inner('python.ops.list_ops'); b = tf.stack([L.tensor_list_from_tensor([1., 2.], []), L.tensor_list_from_tensor([3.], [])]); b = L.tensor_list_push_back_batch(b, [5., 6.]); b = L.tensor_list_concat_lists(b, tf.identity(b), tf.float32); ys = [L.tensor_list_stack(l, tf.float32) for l in tf.unstack(b)]
L = inner('python.ops.list_ops'); L.tensor_list_push_back(L.empty_tensor_list([], tf.float32), 1)
L = inner('python.ops.list_ops'); L.tensor_list_stack(L.empty_tensor_list([], tf.float32), tf.int32)
L = inner('python.ops.list_ops'); L.tensor_list_get_item(L.empty_tensor_list([], tf.float32), 0, tf.int32)
L = inner('python.ops.list_ops'); L.tensor_list_pop_back(L.empty_tensor_list([3], tf.float32), tf.int32)
L = inner('python.ops.list_ops'); L.tensor_list_set_item(L.empty_tensor_list([3], tf.float32), 0, [1., 2.])
L = inner('python.ops.list_ops'); L.tensor_list_set_item(L.empty_tensor_list([], tf.float32), 0, 1)
L = inner('python.ops.list_ops'); L.tensor_list_gather(L.empty_tensor_list([], tf.float32), [0], tf.int32)
L = inner('python.ops.list_ops'); L.tensor_list_concat(L.empty_tensor_list([3], tf.float32), tf.int32)
L = inner('python.ops.list_ops'); L.tensor_list_scatter([1], [0], input_handle=L.empty_tensor_list([], tf.float32))
L = inner('python.ops.list_ops'); L.tensor_list_scatter([[1.]], [0], input_handle=L.empty_tensor_list([], tf.float32))
L = inner('python.ops.list_ops'); L.tensor_list_push_back_batch(tf.stack([L.empty_tensor_list([], tf.float32)] * 2), [1, 2])
L = inner('python.ops.list_ops'); L.tensor_list_push_back_batch(tf.stack([L.empty_tensor_list([], tf.float32)] * 2), [1.])
L = inner('python.ops.list_ops'); L.tensor_list_split(c(2, 3), [2], [2])
L = inner('python.ops.list_ops'); L.tensor_list_concat_lists(L.empty_tensor_list([], tf.float32), L.empty_tensor_list([], tf.int32), tf.float32)
L = inner('python.ops.list_ops'); ys = [L.tensor_list_pop_back(L.empty_tensor_list([], tf.float32), tf.float32)[1]]
L = inner('python.ops.list_ops'); ys = [L.tensor_list_get_item(L.tensor_list_reserve(None, 2, tf.float32), 0, tf.float32)]
L = inner('python.ops.list_ops'); ys = [L.tensor_list_get_item(L.tensor_list_reserve([2], 2, tf.float32), 5, tf.float32)]
L = inner('python.ops.list_ops'); ys = [L.tensor_list_stack(L.tensor_list_set_item(L.tensor_list_reserve([2], 2, tf.float32), 5, [1., 2.]), tf.float32)]
L = inner('python.ops.list_ops'); ys = [L.tensor_list_stack(L.tensor_list_from_tensor([1., 2.], []), tf.float32, 3)]
L = inner('python.ops.list_ops'); ys = [L.tensor_list_gather(L.tensor_list_from_tensor([1., 2.], []), [3], tf.float32)]
L = inner('python.ops.list_ops'); ys = [L.tensor_list_stack(L.tensor_list_resize(L.tensor_list_from_tensor([1., 2.], []), -3), tf.float32)]
L = inner('python.ops.list_ops'); ys = [L.tensor_list_stack(L.empty_tensor_list(None, tf.float32), tf.float32)]
L = inner('python.ops.list_ops'); e = L.empty_tensor_list([], tf.float32, 1); ys = [L.tensor_list_length(L.tensor_list_push_back(L.tensor_list_push_back(e, 1.), 2.))]
L = inner('python.ops.list_ops'); ys = [L.tensor_list_length(L.tensor_list_push_back(L.empty_tensor_list([2], tf.float32), tf.placeholder_with_default([1., 2., 3.], None)))]
L = inner('python.ops.list_ops'); a = L.tensor_list_from_tensor([1., 2.], []); ys = [L.tensor_list_length(tf.add_n([a, L.tensor_list_resize(a, 1)]))]
"""

_TEXT = """
ys = [tf.strings.unicode_script([[ord('a'), 0x3b1, 0x44f], [0x5d0, 0x4e2d, 0x3042]]), tf.strings.unicode_script([-1, 0, 0x10ffff, 0x110000, 2**31 - 1, 0x1f600, 0xac00], name='n'), tf.strings.unicode_script(tf.constant(list(range(0, 0x110000, 97))))]
tf.strings.unicode_script([1.])
tf.strings.unicode_script(tf.constant([1], tf.int64))
ys = [tf.user_ops.my_fact()]
"""

_TOWERS = """
r = E.replicate_model_fn(model, devices=['/CPU:0', '/CPU:1']); r({'x': c(4, 2)}, c(4, 1), 'train'); ys = None
r = E.replicate_model_fn(model, tf.losses.Reduction.SUM, devices=['/GPU:0', '/GPU:1', '/GPU:2']); r({'x': c(6, 2), 's': tf.SparseTensor([[0, 0], [5, 1]], [1., 2.], [6, 2])}, c(6, 1), 'train', {'o': tf.train.GradientDescentOptimizer(.1)}); ys = None
r = E.replicate_model_fn(model, devices=['/CPU:0', '/CPU:1']); r(c(4, 2), c(4, 1), 'eval'); ys = None
r = E.replicate_model_fn(model, devices=['/CPU:0', '/CPU:1']); r(c(4, 2), None, 'infer'); ys = None
r = E.replicate_model_fn(model); r(c(4, 2), c(4, 1), 'train'); ys = None
r = E.replicate_model_fn(model, devices=['/GPU:0']); r(c(4, 2), c(4, 1), 'train'); ys = None
r = E.replicate_model_fn(model, devices=['/CPU:0', '/cpu:0']); s = r({'x': c(4, 2)}, c(4, 1), 'train'); ys = [s.loss] + stepped(s.train_op, *tf.trainable_variables())
r = E.replicate_model_fn(model, devices=['/CPU:0', '/cpu:0']); s = r({'x': c(4, 2)}, c(4, 1), 'eval'); ys = [s.loss, s.eval_metric_ops['m'][1]][:1]
r = E.replicate_model_fn(model, devices=['/CPU:0', '/cpu:0']); s = r({'x': c(4, 2)}, None, 'infer'); ys = [s.predictions['p'], s.export_outputs['b'].value, s.export_outputs['c'].scores]
E.replicate_model_fn(model, devices=['/CPU:0', '/CPU:1'])({'x': c(3, 2)}, c(3, 1), 'train')
E.replicate_model_fn(model, tf.losses.Reduction.NONE)
E.replicate_model_fn(lambda features, labels, mode: tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(tf.layers.dense(features, 1)), train_op=tf.no_op()), devices=['/CPU:0', '/CPU:1'])(c(4, 2), c(4, 1), 'train')
v = tf.Variable([3., 4.]); o = E.clip_gradients_by_norm(tf.train.MomentumOptimizer(.1, .9), 2.); t = o.minimize(tf.reduce_sum(v * v)); ys = [tf.constant([o.get_name()] + o.get_slot_names())] + stepped(t, v)
f_ = E.build_supervised_input_receiver_fn_from_input_fn(lambda k: ({'x': c(4, 2)}, c(4, 1)), k=2); r = f_(); ys = None
"""

_STATES = """
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.GradientDescentOptimizer(.1); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.MomentumOptimizer(.1, .9); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.MomentumOptimizer(lambda: .1, .9, use_nesterov=True, name='n'); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.AdagradOptimizer(.1); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.AdadeltaOptimizer(); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.RMSPropOptimizer(.1); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.RMSPropOptimizer(.1, centered=True, momentum=.5); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.AdamOptimizer(); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(4):\\n    v = tf.Variable(np.ones((2, 2)), name='v', dtype=d, use_resource=k > 1); g = tf.constant([[1., 2.], [3., 5.]], d)\\n    if k % 2: g = tf.IndexedSlices(g, tf.constant([1, 1]), tf.constant([2, 2]))\\n    o = tf.contrib.optimizer_v2.AdamOptimizer(lambda: .1, epsilon=.1); o.apply_gradients([(g, v)], tf.train.get_or_create_global_step() if k else None)
V = tf.contrib.optimizer_v2; v, w = tf.Variable([1., 2.], name='v'), tf.Variable([3., 1.], name='w', use_resource=True); s = tf.train.get_or_create_global_step(); o = V.AdamOptimizer(.1); t = o.minimize(tf.reduce_sum(v * v * w), s); ys = [tf.constant(str(o.get_slot_names()) + str([x.name for x in o.variables()]))] + stepped(t, v, w, s)
V = tf.contrib.optimizer_v2; v = tf.Variable([[1.], [2.]]); o = V.RMSPropOptimizer(.1, momentum=.9); t = o.minimize(tf.reduce_sum(tf.gather(v, [1, 1, 0]) ** 2)); ys = stepped(t, v)
ys = None\\nfor d in ('float32', 'float64'):\\n  for k in range(2): v, w = [tf.Variable(np.ones(s), name=n, dtype=d, use_resource=bool(k)) for n, s in (('v', (2, 2)), ('w', (3,)))]; O.GGTOptimizer(.1).apply_gradients([(tf.ones([3], d), w), (tf.ones([2, 2], d), v)])
v, w = tf.Variable([[1., 2.], [3., 4.]], dtype='float64'), tf.Variable([3., 1.], dtype='float64'); o = O.GGTOptimizer(.1, window=3, svd_eps=.1); ys = stepped(o.minimize(tf.reduce_sum(v * v * w)), v, w)
tf.contrib.optimizer_v2.AdagradOptimizer(.1, 0.)
tf.contrib.optimizer_v2.AdamOptimizer().apply_gradients([])
tf.contrib.optimizer_v2.AdamOptimizer().apply_gradients([(None, tf.Variable(1., name='v'))])
"""


def _listed(text):
    return [line.replace("\\n", "\n") for line in text.strip().splitlines()]


CASES = {line: _PRELUDE + line for text in (_WORKERS, _WORKING, _CUDNN, _LISTS, _TEXT, _TOWERS, _STATES) for line in _listed(text)}
