"""The outermost names of TensorFlow 1.15.5, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
contrib = tf.contrib
import os, tempfile
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def f(*s): return tf.constant(np.float32(rng.randn(*s)))
def among_files(get):
    here, folder = os.getcwd(), tempfile.mkdtemp()
    os.chdir(folder)
    try:
        os.makedirs('x/y')
        for name in ('b.txt', 'x/a.txt', 'x/.h', 'x/y/q'): open(name, 'w').close()
        return tf.constant(sorted(get(), key=str))
    finally: os.chdir(here)
def asset_and_table():
    path = os.path.join(tempfile.mkdtemp(), 'words.txt')
    with open(path, 'w') as file: file.write('a\\nb\\n')
    asset = inner('python.training.tracking.tracking').TrackableAsset(path)
    return asset, inner('python.ops.lookup_ops').index_table_from_file(asset, num_oov_buckets=2)
learn, K = contrib.learn, tf.keras
class Told(learn.monitors.EveryN):
    log = ()
    def note(self, *what): self.log += (what,)
    def begin(self, max_steps=None): super(Told, self).begin(max_steps); self.note('begin', max_steps)
    def every_n_step_begin(self, step): self.note('from', step); return []
    def every_n_step_end(self, step, outputs): self.note('to', step, sorted(outputs)); return step == 11
    def every_n_post_step(self, step, session): self.note('behind', step)
    def end(self, session=None): super(Told, self).end(session); self.note('end', session is not None)
def debug(): return inner('contrib.learn.python.learn.estimators.debug')
def two(n): return lambda: (inputs()[0], tf.constant(np.float32(np.eye(4)[:, :n])))
def answers(e, feed, *gets):
    e.fit(input_fn=feed, steps=20); r = e.evaluate(input_fn=feed, steps=1)
    return [tf.constant(sorted(r)), tf.constant([r[k] for k in sorted(r)]), tf.constant(sorted(e.get_variable_names()))] + [tf.constant(np.array([p for _, p in zip(range(4), getattr(e, g)(input_fn=feed))])) for g in gets]
def spec(mode, alternatives=None, *key, **more):
    s = learn.ModelFnOps(mode, {'p': tf.constant([1.])}, tf.constant([2.]), tf.constant(1., name='t'), more, alternatives)
    t = s.estimator_spec(*key)
    return [tf.constant(str([s._fields, s.mode, t.mode, s.train_op.name, sorted(t.eval_metric_ops), t.training_hooks, sorted((n, type(o).__name__) for n, o in (t.export_outputs or {}).items())])), s.loss, s.predictions['p']]
def column(): return contrib.layers.real_valued_column('x', 2)
def inputs(): return {'x': tf.constant([[1., 2.], [3., 1.], [0., -1.], [2., 2.]])}, tf.constant([[1], [0], [1], [0]])
def numbers(): return inputs()[0], tf.constant([[1.], [0.], [1.], [0.]])
def serving(): return contrib.learn.build_parsing_serving_input_fn({'x': tf.FixedLenFeature([2], tf.float32)})()
def shown(folder, key='serving_default'):
    with tf.Graph().as_default(), tf.Session() as sess:
        loaded = tf.saved_model.loader.load(sess, ['serve'], folder)
        signatures = [(k, d.method_name, sorted((n, i.dtype) for n, i in d.inputs.items()), sorted((n, i.dtype) for n, i in d.outputs.items())) for k, d in sorted(loaded.signature_def.items())]
        example = tf.train.Example(features=tf.train.Features(feature={'x': tf.train.Feature(float_list=tf.train.FloatList(value=[1, 3]))}))
        found = loaded.signature_def[key]
        (given,) = found.inputs.values()
        values = [sess.run(i.name, {given.name: [example.SerializeToString()]}) for n, i in sorted(found.outputs.items())]
    return [tf.constant(str(signatures))] + [tf.constant(v) for v in values]
class OfClass(learn.BaseEstimator):
    def _get_train_ops(self, x, y):
        w = tf.get_variable('w', [2, 1], initializer=tf.ones_initializer()); p = tf.matmul(x['x'], w); loss = tf.reduce_mean((p - y) ** 2)
        return learn.ModelFnOps('train', p, loss, tf.train.GradientDescentOptimizer(.01).minimize(loss, tf.train.get_global_step()))
    def _get_eval_ops(self, x, y, metrics): return self._get_train_ops(x, y)
    def _get_predict_ops(self, x): return learn.ModelFnOps('infer', {'p': self._get_train_ops(x, 0.).predictions})
def kept(kind, **given):
    made = kind(model_dir=tempfile.mkdtemp(), config=learn.RunConfig(tf_random_seed=1), **given)
    return made
def experiment(n=3, model=None, **given):
    return learn.Experiment(model or kept(learn.LinearRegressor, feature_columns=[column()]), numbers, numbers, train_steps=n, eval_steps=1, **given)
def names_in(folder): return [n for _, ns, fs in sorted(os.walk(folder)) for n in sorted(ns) + sorted(fs) if not n.isdigit()]
def listed(*patterns): return [among_files(lambda: tf.gfile.Glob(p)) for p in patterns]
def told(*gets):
    import gzip
    here, found = os.getcwd(), []
    os.chdir(tempfile.mkdtemp())
    try:
        with open('t', 'wb') as file: file.write(b'hello\\nworld\\n\\xff\\n')
        with open('n', 'wb') as file: file.write(bytes(range(65, 90)))
        with open('z', 'wb') as file: file.write(gzip.compress(bytes(range(65, 90))))
        with tf.python_io.TFRecordWriter('r') as file: file.write(b'record')
        for get in gets:
            try: found.append(str(get()))
            except Exception as e: found.append(type(e).__name__ + ': ' + str(getattr(e, 'message', e)).split('\\n')[0])
    finally: os.chdir(here)
    return [tf.constant(found)]
def place(mode, n, whence=0):
    def get():
        file = tf.gfile.GFile('t', mode); file.seek(n, whence); return file.tell(), file.read(2)
    return get
def elements(made):
    def get():
        with tf.Graph().as_default(), tf.Session() as sess:
            found, it = [], made().make_initializable_iterator(); ahead = it.get_next(); sess.run(it.initializer)
            try:
                for _ in range(9): found.append(sess.run(ahead))
            except tf.errors.OpError as e: return found, type(e).__name__, e.message.split('\\n')[0].strip()
    return get
def fixed(name, *sizes): return elements(lambda: tf.data.FixedLengthRecordDataset(name, *sizes, compression_type='GZIP' if name == 'z' else None))
def state(kind, n):
    def get():
        with tf.Graph().as_default(), tf.Session() as sess:
            reader, queue = kind(), tf.FIFOQueue(9, tf.string, []); ahead = reader.read(queue); came = reader.num_records_produced()
            sess.run(queue.enqueue_many([['t'] * 5])); [sess.run(ahead) for _ in range(n)]; kept = sess.run(reader.serialize_state()); sess.run(ahead); sess.run(reader.restore_state(kept))
            return kept, int(sess.run(came)), sess.run(ahead)
    return get
"""

_FILES = """
ys = listed('b.txt', './b.txt', '*', '*/*', 'x', 'x/y', 'x/*', './x/*', 'x/**', '*/y/*', 'x/y/../*', 'x/*/q', 'x/./a.txt', 'x/[a-c].*')
ys = listed('x/?.txt', '*/nope/*', 'no*pe/z*', '/nope*', 'x/*.zip') and listed(['b.*', 'x/a*'], ['nope', 'x/*'])
ys = [tf.shape(y) for y in listed('', 'nope', '.', '..', 'x/', 'x/*/', 'x//a.txt', 'x/[!a].txt', 'x/[^a].txt', 'x/{a,b}.txt', [])]
listed('nope/*')
listed('nope/x/*.txt')
listed(['x/*', 'nope/*'])
listed('b.txt/*')
listed('b.txt/x/*')
among_files(lambda: tf.gfile.ListDirectory('nope'))
among_files(lambda: tf.gfile.ListDirectory('b.txt'))
among_files(lambda: tf.io.gfile.listdir(['x']))
ys = [among_files(lambda: tf.gfile.ListDirectory('x')), among_files(lambda: tf.Session().run(tf.io.matching_files(['b.txt', 'x/*'])))]
"""

_ASSETS = """
asset, table = asset_and_table(); ys = [table.lookup(tf.constant(['b', 'zz', 'a'])), tf.strings.substr(asset, -9, 9)]
asset, table = asset_and_table(); ys = [tf.constant([t.name for t in tf.get_collection('asset_filepaths')] + [tf.convert_to_tensor(asset).name])]
asset, table = asset_and_table(); tf.convert_to_tensor(asset, tf.float32)
"""
_BYTES = """
ys = told(*[place('rb', n) for n in (0, 3, 13, 14, 15, 100, -1)] + [place('r', -2, 2), place('r', -5, 2), place('rb', 1, 2), place('rb', -30, 2), place('rb', 4, 1)])
ys = told(lambda: tf.gfile.GFile('t').read(), lambda: tf.gfile.GFile('t').readlines(), lambda: list(tf.gfile.GFile('t')), lambda: tf.gfile.GFile('t').read(9))
ys = told(*[fixed(name, *sizes) for name in 'nz' for sizes in ((5,), (10,), (10, 5), (10, 0, 5), (10, 2, 4), (30,))] + [fixed('n', 5, 30), fixed('n', 10, 20, 10)])
ys = told(*[elements(lambda D=D, n=n, c=c: D(n, compression_type=c)) for D, n in ((tf.data.TextLineDataset, 'n'), (tf.data.TFRecordDataset, 'r')) for c in ('BZIP', 'NONE')] + [elements(lambda: tf.data.FixedLengthRecordDataset('n', 5, compression_type='BZIP'))])
ys = told(elements(lambda: tf.data.experimental.CsvDataset('n', [tf.string], 'BZIP')))
ys = told(*[state(R, n) for R in (tf.WholeFileReader, tf.IdentityReader, tf.TextLineReader) for n in (0, 2)])
r = tf.WholeFileReader(); s = r.restore_state(b'junk'); tf.Session().run(s)
ys = told(*[lambda s=s: tf.PaddingFIFOQueue(9, [tf.int32], s).shapes for s in ([None], [3], [], None, [[None]])] + [lambda: tf.PaddingFIFOQueue(9, [tf.int32] * 2, [[None], None])])
"""

_MAPPED = """
contrib.seq2seq.tile_batch([7, 3], 2)
s = np.arange(24, dtype='f').reshape([2, 3, 4]) / 7; t = s[0, :, :3]; l = np.int64([3, 1]); C = contrib.crf; ys = list(C.crf_decode(s[..., :3], t, l)) + [C.crf_log_norm(s[..., :3], l, t)]
a = np.arange(24, dtype='f').reshape([1, 2, 3, 4]) / 24; ys = [contrib.layers.spatial_softmax(a), contrib.layers.spatial_softmax(a, 2., 'named', ['mine'], data_format='NCHW'), contrib.layers.spatial_softmax(a, .5, trainable=False)] + tf.get_collection('mine') + tf.model_variables()
x = tf.constant(1.); g = tf.Graph(); n = tf.identity(x, 'n').op.node_def\\nwith g.as_default(): tf.import_graph_def(tf.GraphDef(node=[n]), {x.op.name: x})
x = tf.constant(1., name='x'); y = tf.identity(x, 'y'); z = tf.negative(y, 'z'); d = tf.get_default_graph().as_graph_def()\\nwith tf.control_dependencies([tf.no_op('first')]): ys = tf.import_graph_def(d, return_elements=['x:0', 'y:0', 'z:0']) + [tf.negative(tf.get_default_graph().get_tensor_by_name('import/z:0'))]
"""

_EXPORTS = """
e = kept(learn.LinearClassifier, feature_columns=[column()]).fit(input_fn=inputs, steps=3); ys = shown(e.export_savedmodel(tempfile.mkdtemp(), serving))
e = kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=3); ys = shown(e.export_savedmodel(tempfile.mkdtemp(), serving))
e = kept(learn.DNNClassifier, feature_columns=[column()], hidden_units=[3], n_classes=3).fit(input_fn=inputs, steps=1); ys = shown(e.export_savedmodel(tempfile.mkdtemp(), serving))[:1]
e = learn.LinearRegressor([column()], model_dir='/nowhere'); e.export_savedmodel(tempfile.mkdtemp(), serving)
e = kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=1); e.export_savedmodel(tempfile.mkdtemp(), serving, 'other')
e = kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=1); e.export_savedmodel(tempfile.mkdtemp(), None)
e = kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=1); e.export_savedmodel(tempfile.mkdtemp(), lambda: learn.InputFnOps(inputs()[0], None, {}))
x = experiment(export_strategies=learn.make_export_strategy(serving)); r, made = x.train_and_evaluate(); ys = [tf.constant(r['loss']), tf.constant(r['global_step'])] + shown(made[0]) + [tf.constant(os.path.basename(os.path.dirname(made[0]))), tf.constant(len(x.reset_export_strategies()))]
x = experiment(2, train_steps_per_iteration=2, export_strategies=[learn.utils.saved_model_export_utils.make_parsing_export_strategy([column()])]); r, made = x.continuous_train_and_eval(); ys = [tf.constant(r['loss']), tf.constant(r['global_step'])] + shown(made[0])
x = experiment(20, train_steps_per_iteration=7); r, made = x.continuous_train_and_eval(lambda result: not result or result['global_step'] < 10); ys = [tf.constant(r['global_step'])]
x = experiment(5); r = x.test(); ys = [tf.constant(sorted(r)), tf.constant(r['global_step'])]
b = learn.utils.saved_model_export_utils.make_best_model_export_strategy(serving); e = kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=3); d = tempfile.mkdtemp(); ys = [tf.constant(str([b.export(e, d, eval_result={'loss': l}) != '' for l in (3., 4., 1.)])), tf.constant(names_in(d)[:1])]
u = learn.utils.saved_model_export_utils; s = u.extend_export_strategy(learn.make_export_strategy(serving), lambda a, b: __import__('shutil').copytree(os.fsdecode(a), os.path.join(b, 'made')), 'post'); e = kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=3); d = tempfile.mkdtemp(); r = s.export(e, d); ys = [tf.constant([s.name, os.path.relpath(r, d)] + names_in(d))]
s = learn.utils.saved_model_export_utils.BestModelSelector(); ys = [tf.constant(str([s.update(*p) for p in (('a', {'loss': 3.}), ('b', {'loss': 4.}), ('c', {'loss': 1.}))]))]
learn.utils.saved_model_export_utils.BestModelSelector().update('', {})
s = learn.utils.saved_model_export_utils.BestModelSelector(); s.update('a', {'x': 1}); s.update('b', {'x': 1})
experiment(export_strategies=[3])
experiment(train_steps_per_iteration=1.5)
experiment(saving_listeners=[1])
learn.Experiment(3, numbers, numbers)
experiment().continuous_eval(continuous_eval_predicate_fn=3)
learn.ExportStrategy('n', lambda estimator, folder, eval_result: 0).export(None, 'a')
s = learn.ExportStrategy('n', lambda estimator, folder, checkpoint_path, eval_result, strip_default_attrs: str([folder, checkpoint_path, eval_result, strip_default_attrs]), True); ys = [tf.constant(s.export(None, 'a', 'b', 'c')), tf.constant(str(s)[:25])]
learn.BaseEstimator()
e = kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=3); p = contrib.predictor.from_contrib_estimator(e, serving); ys = [tf.constant(str(sorted(p.feed_tensors) + sorted(p.fetch_tensors)))] + [tf.constant(v) for _, v in sorted(p({'examples': [tf.train.Example(features=tf.train.Features(feature={'x': tf.train.Feature(float_list=tf.train.FloatList(value=[1, 3]))})).SerializeToString()]}).items())]
contrib.predictor.from_contrib_estimator(tf.estimator.LinearRegressor([]), serving)
d = tf.flags.tf_decorator; a = lambda: 1; b = d.make_decorator(a, lambda: a()); c = d.make_decorator(b, lambda: b()); ys = [tf.constant([d.rewrap(c, a, max) is c, d.unwrap(c)[1] is max, d.rewrap(a, a, min) is min, d.rewrap(c, b, abs) is c, d.unwrap(c)[1] is abs, c.__wrapped__ is abs])]
e = kept(OfClass).fit(input_fn=lambda: ({'x': inputs()[0]['x']}, numbers()[1]), steps=2); r = e.evaluate(input_fn=numbers, steps=1); ys = [tf.constant(r['global_step']), tf.constant(np.stack([p['p'] for p in e.predict(input_fn=inputs)]))]
e = learn.NotFittedError('a'); ys = [tf.constant(str(type(e).__mro__[1:3])), tf.constant(str(OfClass(tempfile.mkdtemp())).split('(')[0])]
e = kept(OfClass); e.a, e.b_, e._c = 1, learn.Experiment, 3; e.set_params(a=5); ys = [tf.constant(str(e.get_params())), tf.constant(repr(e))]
kept(OfClass).set_params(q=3)
class A(learn.Evaluable): pass\\nA()
"""

_TEXT = """
T = inner('contrib.text'); ys = list(T.skip_gram_sample(['a', 'b', 'c', 'd', 'e'], min_skips=2, max_skips=2, seed=3)) + list(T.skip_gram_sample(tf.range(9), 1, 3, emit_self_as_target=True, seed=5)) + list(T.skip_gram_sample(tf.range(30), 0, 6, start=2, limit=20)) + list(T.skip_gram_sample([1, 2, 3], start=2, limit=9, seed=1)) + list(T.skip_gram_sample(tf.constant([], tf.int64), 0, 0))
T = inner('contrib.text'); t = contrib.lookup.HashTable(contrib.lookup.KeyValueTensorInitializer(['a', 'b', 'c', 'd'], [100., 3., 20., 1.]), -1.); ys = [y for s in ({}, {'vocab_min_count': 2}, {'vocab_subsampling': .05, 'corpus_size': 124.}) for y in T.skip_gram_sample(tf.constant(['a', 'b', 'z', 'a', 'c', 'd', 'a', 'b', 'a', 'c']), seed=4, vocab_freq_table=t, **s)]
T = inner('contrib.text'); ys = T.skip_gram_sample([1, 2], min_skips=3, max_skips=2)
T = inner('contrib.text'); ys = T.skip_gram_sample([1, 2], min_skips=-1)
T = inner('contrib.text'); ys = T.skip_gram_sample([1, 2], vocab_min_count=3)
T = inner('contrib.text'); ys = T.skip_gram_sample([1, 2], vocab_freq_table=3, vocab_subsampling=3.)
"""

_ZEROS = """
v = tf.Variable([[1., 2.]]); ys = None; z = contrib.framework.zero_initializer(v); contrib.framework.zero_initializer(tf.Variable(1, name='n'), name='q')
v = tf.Variable([1., 2.]); s = tf.Session(); z = contrib.framework.zero_initializer(v); a = s.run(z); b = s.run(v); ys = [tf.constant(np.stack([a, b]))]
v = tf.Variable([1., 2.], use_resource=True); s = tf.Session(); z = contrib.framework.zero_initializer(v); s.run(z.op); ys = [tf.constant(s.run(v))]
v = tf.Variable([1., 2.]); ys = [contrib.framework.zero_initializer(v)]
contrib.framework.zero_initializer(tf.constant(1.))
contrib.framework.zero_initializer(tf.Variable('a'))
"""

_NUMBERS = """
m = contrib.bayesflow.monte_carlo; x = f(8, 3); ys = [m.expectation(lambda x: x ** 2, x), m.expectation(lambda x: x ** 2, x, axis=[0, 1], keep_dims=True)]; ys += tf.gradients(m.expectation(lambda x: x ** 2, x, lambda x: -x * x, use_reparametrization=False), [x])[0:0]
m = contrib.bayesflow.monte_carlo; w = f(1); q = tf.distributions.Normal(0., 2.); z = tf.constant([-1., .5, 2., 3.]); p = tf.distributions.Normal(1., 1.); ys = [m.expectation_importance_sampler(lambda z: z ** 3, p.log_prob, q, z=z), m.expectation_importance_sampler_logspace(lambda z: -z * z, p.log_prob, q, z=z), m.expectation_importance_sampler(tf.sin, p.log_prob, q, n=5, seed=3)]
m = contrib.bayesflow.monte_carlo; w = tf.constant([2., 3.]); d = tf.distributions.Normal(w, 1.); ys = tf.gradients(m.expectation(tf.square, tf.constant([[1., 2.], [3., 5.]]), d.log_prob, use_reparametrization=False), w)
contrib.bayesflow.monte_carlo.expectation(3, 4.)
contrib.bayesflow.monte_carlo.expectation(tf.sin, 4., use_reparametrization=False)
contrib.bayesflow.monte_carlo.expectation_importance_sampler(tf.sin, tf.sin, tf.distributions.Normal(0., 2.))
ys = None; p = tf.profiler.AdviceProto(); p.checkers['a'].reports.append('b'); ys = [tf.constant(p.SerializeToString())]
"""

_STEPS = """
D = contrib.distribute; D.Monitor(D.Step(D.OneDeviceStrategy('/cpu:0')))
D = contrib.distribute; D.Step(3)()
"""

_REPLICAS = """
K.utils.multi_gpu_model(K.Sequential([K.layers.Dense(2, input_shape=(3,))]), 1)
K.utils.multi_gpu_model(K.Sequential([K.layers.Dense(2, input_shape=(3,))]), [0])
"""

_TRAININGS = """
T = inner('contrib.text'); p = os.path.join(tempfile.mkdtemp(), 'f'); open(p, 'w').write('a,100%sb,3%sc,20' % ((os.linesep,) * 2)); ys = [tf.shape(y) * 0 for y in T.skip_gram_sample_with_text_vocab(tf.constant(['a', 'b', 'c', 'd', 'a']), p, vocab_subsampling=.1, seed=2)]
ones = dict(kernel_initializer='ones', bias_initializer='ones'); m = K.experimental.WideDeepModel(K.experimental.LinearModel(1, kernel_initializer='ones'), K.Sequential([K.layers.Dense(2, **ones), K.layers.Dense(1, **ones)]), 'tanh'); m.compile([K.optimizers.SGD(.1), K.optimizers.Adam(.05)], 'mse'); x = np.float32([[.1, -.2], [.3, .4], [-.5, .1]]); y = np.float32([[1], [0], [1]]); h = m.fit([x, x * 2], y, epochs=2, shuffle=False, verbose=0); ys = [tf.constant(h.history['loss']), tf.constant(m.predict([x, x * 2])), tf.constant(sorted(m.get_config()))]
m = K.experimental.WideDeepModel(K.experimental.LinearModel(1, kernel_initializer='ones'), K.Sequential([K.layers.Dense(1, kernel_initializer='ones')])); m.compile('sgd', 'mse'); x = np.float32([[.1, -.2], [.3, .4], [-.5, .1]]); h = m.fit(x, x[:, :1], epochs=2, shuffle=False, verbose=0); ys = [tf.constant(h.history['loss']), tf.constant(m.predict(x))]
"""


def _listed(text):
    return [line.replace("\\n", "\n") for line in text.strip().splitlines()]

_MODELS = """
ys = answers(debug().DebugClassifier(config=learn.RunConfig(tf_random_seed=1)), inputs, 'predict_proba', 'predict_classes')
ys = answers(debug().DebugClassifier(n_classes=3, config=learn.RunConfig(tf_random_seed=1)), inputs, 'predict_proba', 'predict_classes')
ys = answers(debug().DebugRegressor(config=learn.RunConfig(tf_random_seed=1)), numbers, 'predict_scores')
ys = answers(debug().DebugRegressor(label_dimension=2, config=learn.RunConfig(tf_random_seed=1)), two(2), 'predict_scores')
debug().DebugRegressor().fit(input_fn=lambda: ({}, tf.constant([1.])), steps=1)
debug().DebugClassifier(n_classes=1)
t, m = Told(5), learn.monitors; c, o = m.CaptureVariable('linear/bias_weight:0', 4), Told(3, 2); kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=30, monitors=[t, c, o]); ys = [tf.constant(str([t.log, o.log, sorted(c.values)]))]
m = kept(learn.LinearRegressor, feature_columns=[column()]); m.fit(input_fn=numbers, steps=9, monitors=[learn.monitors.StopAtStep(num_steps=3)]); t = Told(2); m.fit(input_fn=numbers, steps=9, monitors=t and [t, learn.monitors.StopAtStep(last_step=7)]); ys = [tf.constant(str(t.log))]
d = tempfile.mkdtemp(); e = learn.monitors.ExportMonitor(4, d, exports_to_keep=2); m = learn.LinearRegressor([column()], model_dir=tempfile.mkdtemp(), config=learn.RunConfig(tf_random_seed=1, save_checkpoints_steps=4)); m.fit(input_fn=numbers, steps=10, monitors=[e]); ys = [tf.constant(str([sorted(os.listdir(d)), os.path.basename(os.fsdecode(e.last_export_dir)), e.export_dir == d, e.exports_to_keep, e.signature_fn]))]
ys = [tf.constant(str([type(m).__name__ for m in learn.monitors.get_default_monitors(tf.constant(1.), tf.constant('a'), output_dir=tempfile.mkdtemp())])), tf.constant([learn.monitors.BaseMonitor().run_on_all_workers, learn.monitors.StopAtStep(1).run_on_all_workers])]
class A(learn.monitors.BaseMonitor):\\n  def step_begin(self, step): super(A, self).step_begin(step); return ['global_step', 'linear/bias_weight:0']\\n  def step_end(self, step, output): self.found = sorted(output); return super(A, self).step_end(step, output)\\na = A(); kept(learn.LinearRegressor, feature_columns=[column()]).fit(input_fn=numbers, steps=2, monitors=[a]); ys = [tf.constant(a.found)]
x = tf.split(tf.zeros([2]), 2, name='s'); tf.train.get_or_create_global_step(); a = learn.monitors.PrintTensor(['s']); h = learn.monitors.RunHookAdapterForMonitors([a]); h.begin(); h.before_run(type(str('C'), (), {'session': type(str('S'), (), {'run': lambda self, x: 0})()}))
x = tf.train.get_or_create_global_step(); a = learn.monitors.PrintTensor(['nope']); h = learn.monitors.RunHookAdapterForMonitors([a]); h.begin(); h.before_run(type(str('C'), (), {'session': type(str('S'), (), {'run': lambda self, x: 0})()}))
learn.monitors.StopAtStep()
learn.monitors.StopAtStep(1, 2)
learn.monitors.EveryN().set_estimator(None)
learn.monitors.EveryN().end()
learn.monitors.EveryN().step_begin(-1)
m = learn.monitors.BaseMonitor(); m.begin(); m.begin()
m = learn.monitors.BaseMonitor(); m.begin(3); m.step_begin(4)
learn.monitors.BaseMonitor().epoch_begin(-1)
learn.monitors.BaseMonitor().epoch_end(1)
learn.monitors.CheckpointSaver(tempfile.mkdtemp())
learn.monitors.CheckpointSaver(tempfile.mkdtemp(), 1, 1)
h, p = learn.ProblemType, tf.constant([[.5, .5]]); ys = spec('train', {'a': (h.CLASSIFICATION, {'probabilities': p, 'classes': tf.constant([1])})}, loss=1, b=(p, tf.no_op())) + spec('eval') + spec('infer', {'a': (h.LINEAR_REGRESSION, {'scores': p}), 'b': (h.UNSPECIFIED, {'x': p})}, 'b') + spec('infer', {'a': (h.LOGISTIC_REGRESSION, {'probabilities': p, 'classes': tf.constant(['u'])})})
spec('infer', {'a': (9, {})})
spec('infer', {'a': (0, {}), 'b': (0, {})})
learn.ModelFnOps('fly')
learn.ModelFnOps('train')
learn.ModelFnOps('train', train_op=tf.no_op())
learn.ModelFnOps('eval', loss=tf.constant(1.))
learn.ModelFnOps('infer')
learn.ModelFnOps('eval', 1., tf.constant([1., 2.]))
learn.ModelFnOps('eval', 1., 1., eval_metric_ops=[1])
learn.ModelFnOps('eval', 1., 1., training_hooks=[1])
"""

_TARGETS = """
T = contrib.layers.regression_target(); l, y = f(4, 1), f(4); ys = [T.training_loss(l, y, {}), T.loss(l, y, {}), T.logits_to_predictions(l), tf.constant([T.num_label_columns, T.problem_type])] + [T.get_eval_ops({}, l, y)['loss'][1]]
T = contrib.layers.regression_target(weight_column_name='w', label_dimension=2); l, y, w = f(4, 2), f(4, 2), {'w': tf.ones([8, 1]) * 2.}; ys = [T.training_loss(l, y, w), T.loss(l, y, w), T.logits_to_predictions(l), T.get_weight_tensor(w)]
T = contrib.layers.regression_target(); l, y = f(4, 1), tf.constant([[1.], [0.], [1.], [2.]]); m = T.get_eval_ops({}, l, y, {'mse': contrib.metrics.streaming_mean_squared_error}); ys = [m[k][1] for k in sorted(m)]
T = contrib.layers.multi_class_target(2); l, y = f(4, 1), tf.constant([1, 0, 1, 1]); ys = [T.training_loss(l, y, {}), T.loss(l, y, {}), T.logits_to_predictions(l), T.logits_to_predictions(l, proba=True)]
T = contrib.layers.multi_class_target(2); l, y = f(4, 1), tf.constant([[1], [0], [1], [1]]); m = T.get_eval_ops({}, l, y, {}); ys = [tf.constant(sorted(m))] + [m[k][1] for k in sorted(m)]
T = contrib.layers.multi_class_target(3, weight_column_name='w'); l, y, w = f(4, 3), tf.constant([[2], [0], [1], [1]]), {'w': tf.constant([1., 2., 0., 1.])}; ys = [T.training_loss(l, y, w), T.loss(l, y, w), T.logits_to_predictions(l), T.logits_to_predictions(l, proba=True)]
T = contrib.layers.multi_class_target(3); l, y = f(4, 3), tf.constant([2, 0, 1, 1]); m = T.get_eval_ops({}, l, y); ys = [tf.constant(sorted(m))] + [m[k][1] for k in sorted(m)]
T = contrib.slim.binary_svm_target(); l, y = f(4, 1), tf.constant([1, 0, 1, 1]); ys = [T.training_loss(l, y, {}), T.loss(l, y, {}), T.logits_to_predictions(l)]
m = contrib.slim.get_default_binary_metrics_for_eval([.25, .5]); p, y = tf.sigmoid(f(6, 1)), tf.constant([[1.], [0.], [0.], [1.], [1.], [0.]]); ys = [tf.constant(sorted(m))] + [m[k](p, y)[1] for k in sorted(m)]
contrib.layers.multi_class_target(1)
contrib.layers.multi_class_target(3).loss(f(4, 3), f(4), {})
contrib.slim.binary_svm_target().logits_to_predictions(f(4, 1), proba=True)
contrib.layers.multi_class_target(3).get_eval_ops({}, f(4, 3), tf.constant([1, 0, 0, 0]), {('a', 'b', 'c'): 0})
contrib.layers.multi_class_target(3).get_eval_ops({}, f(4, 3), tf.constant([1, 0, 0, 0]), {('a', 'b'): 0})
contrib.layers.multi_class_target(3).get_eval_ops({}, f(4, 3), tf.constant([1, 0, 0, 0]), {3: 0})
contrib.layers.regression_target().loss(f(4, 2), f(4), {})
e = contrib.tensor_forest.eval_metrics; p, y = tf.nn.softmax(f(6, 3)), tf.constant([[1], [0], [2], [1], [1], [0]]); ys = [e.get_metric(k)(p, y)[1] for k in ('sigmoid_entropy', 'softmax_entropy', 'classification_log_loss')] + [tf.constant([e.get_prediction_key(k) for k in ('auc', 'accuracy', 'r2', 'top_5')])]
e = contrib.tensor_forest.eval_metrics; p, y = tf.nn.softmax(f(6, 2)), tf.constant([[1], [0], [1], [1], [1], [0]]); ys = [e.get_metric(k)(p, y)[1] for k in ('auc', 'precision_at_thresholds', 'recall_at_thresholds')]
e = contrib.tensor_forest.eval_metrics; p, y = tf.constant([1, 0, 1, 0]), tf.constant([1, 1, 0, 0]); ys = [e.get_metric(k)(p, y)[1] for k in ('accuracy', 'precision', 'recall')] + [e.get_metric('predictions')(p, y), e.get_metric('r2')(f(4), y)[1]]
e = contrib.tensor_forest.eval_metrics; ys = [e.get_metric('top_5')(f(4, 8), tf.constant([[1], [2], [7], [0]]))[1]]
contrib.tensor_forest.eval_metrics.get_metric('top_6')
"""

CASES = {line: _PRELUDE + line for text in (_FILES, _ASSETS, _BYTES, _MAPPED, _EXPORTS, _TEXT, _ZEROS, _NUMBERS, _STEPS, _REPLICAS, _TRAININGS, _MODELS, _TARGETS) for line in _listed(text)}
TRAININGS = _listed(_ASSETS) + _listed(_TRAININGS) + _listed(_MODELS)  # whose nodes hold the order of a set, or a path
