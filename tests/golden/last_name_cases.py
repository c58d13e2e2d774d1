"""Names of TensorFlow 1.15.5 that one program in thousands imports, in the form of ``layer_cases``; run by
``record_cases.py`` and ``test_last_names.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def told(*values): return [tf.constant(str(v)) for v in values]
"""

_LOGS = """
from google.protobuf import descriptor_pb2, text_format
log, described = inner('core.util.test_log_pb2'), descriptor_pb2.FileDescriptorProto()
log.DESCRIPTOR.CopyToProto(described)
described.ClearField('options')
ys = told(text_format.MessageToString(described))

from google.protobuf import json_format, text_format, wrappers_pb2
log = inner('core.util.test_log_pb2')
results = log.TestResults(target='//a:b', start_time=7, run_time=1.5, benchmark_type=log.TestResults.PYTHON_BENCHMARK)
results.commit_id.hash = 'abc'
results.commit_id.changelist = 3
entry = results.entries.entry.add(name='e', iters=3, wall_time=.25)
entry.extras['x'].double_value = 2
entry.extras['y'].string_value = 's'
entry.metrics.add(name='m', value=1, min_value=wrappers_pb2.DoubleValue(value=.5)).max_value.value = 2
machine = results.machine_configuration
machine.device_info.add().Pack(log.GPUInfo(model='g', bus_id='0'))
machine.cpu_info.cache_size['l1'] = 64
machine.memory_info.total = 2 ** 40
gpu = log.GPUInfo()
again = log.TestResults.FromString(results.SerializeToString())
again.machine_configuration.device_info[0].Unpack(gpu)
ys = told(sorted(results.SerializeToString()), again == results, gpu.model, results.commit_id.WhichOneof('kind'),
          json_format.MessageToJson(results, sort_keys=True), text_format.MessageToString(results.commit_id))
"""

_STEPS = """
def add(device, name, label, start, time, memory=()):
    node = device.node_stats.add(node_name=name, timeline_label=label, all_start_micros=start, op_end_rel_micros=1,
                                 all_end_rel_micros=time)
    for n in memory: node.memory.add(total_bytes=n, peak_bytes=n // 2)
def steps(*devices):
    stats = inner('core.framework.step_stats_pb2').StepStats()
    for name, nodes in devices:
        device = stats.dev_stats.add(device=name)
        for node in nodes: add(device, *node)
    return stats.SerializeToString()
S, CPU = tf.contrib.stat_summarizer, '/job:localhost/replica:0/task:0/device:CPU:0'
first = steps(('/host:CPU', [('h:H', '', 5, 9)]), (CPU, [
    ('a', 'a = Const()', 100, 20, [100, 7]), ('b', 'b = MatMul(a, a)', 150, 41, [8]), ('c', 'nothing', 160, 300, [3]),
    ('n:x', '[gpu 3MB] n:x = Odd(a)', 130, 1, [2])]),
    ('/device:GPU:0', [('g', 'g = Conv(a)', 120, 9, [1])]),
    ('/device:GPU:0/stream:all', [('s:Conv', '', 122, 505, [6]), ('t', 't = G()', 122, 3, [5])]),
    ('/device:GPU:0/stream:1', [('u:Conv', 'u = Z()', 122, 50)]), ('/device:GPU:0/memcpy', [('m:q', 'm = Y()', 122, 51, [4])]))
later = steps((CPU, [('a', 'a = Const()', 1000, 25, [150]), ('b', 'b = MatMul(a, a)', 900, 35, [8]),
                     ('b', 'b = MatMul(a, a)', 950, 1000, [9])]))
many = steps((CPU, [('n%d' % i, 'n%d = T%d()' % (i, i % 13), 3 * i, i + 1, [10 * i]) for i in range(24)]))
"""
_SUMMARIES = """
ys = []
for runs in ([], [first], [first, later], [many], [first, first, first], [first, later, first]):
    summarizer = S.NewStatSummarizer(b'unused')
    for run in runs: summarizer.ProcessStepStatsStr(run)
    ys += told(summarizer.GetOutputString())
ys += told(S.DeleteStatSummarizer(summarizer))

S.NewStatSummarizer('text')

S.NewStatSummarizer(b'').ProcessStepStatsStr(3)

S.NewStatSummarizer(b'').ProcessStepStats(inner('core.framework.step_stats_pb2').StepStats())
"""

_DEVICES = """
C, D = inner('python.ops.collective_ops'), ['/cpu:%d' % i for i in range(12)]
def on(devices, made):
    ys = []
    for i, name in enumerate(devices):
        with tf.device(name): ys.append(made(i))
    return ys
def ran(build):
    config = tf.ConfigProto(device_count={'CPU': 12})
    with tf.Graph().as_default() as graph, tf.Session(graph=graph, config=config) as session:
        ys = build()
        session.run(tf.global_variables_initializer())
        found = [y.tolist() for y in session.run(ys)]
    return told(found)
def f(*values): return tf.constant(values, tf.float32)
"""
_COLLECTIVES = """
ys = []
for n, (merge, final) in enumerate([('Add', 'Id'), ('Add', 'Div'), ('Mul', 'Id'), ('Mul', 'Div')]):
    ys += ran(lambda: on(D[:3], lambda i: C.all_reduce(f(i + 1., 5 - i), 3, 1, n, merge, final)))
for n, dtype in enumerate([tf.int32, tf.int64]):
    ys += ran(lambda: on(D[:2], lambda i: C.all_reduce(tf.constant([i - 4, 5 - i, i], dtype), 2, 2, 9 + n, 'Add', 'Div')))

ys = ran(lambda: on(D[:12], lambda i: C.all_gather(f(i, -i), 12, 1, 1)))
ys += ran(lambda: on(D[:3][::-1], lambda i: C.all_gather(tf.constant([[i, 2 * i]], tf.float64), 3, 2, 2)))

ys = ran(lambda: on(D[:3], lambda i: C.broadcast_send(f(1, 2), [2], tf.float32, 3, 1, 1) if i == 1 else C.broadcast_recv([2], tf.float32, 3, 1, 1)))

def build():
    x, y = [y * 3. for y in on(D[:2], lambda i: C.all_reduce(f(i + 1.), 2, 1, 1, 'Add', 'Id') + 1.)]
    return on(D[:2], lambda i: C.all_reduce([tf.identity(x), y + 1.][i], 2, 1, 2, 'Mul', 'Id')) + [x]
ys = ran(build)

def body(a, b, i):
    return on(D[:2], lambda k: C.all_reduce(tf.identity([a, b][k]), 2, 1, 30, 'Add', 'Id')) + [i + 1]
ys = ran(lambda: tf.while_loop(lambda a, b, i: i < 4, body, on(D[:2], lambda i: tf.Variable(1. + i)) + [tf.constant(0)]))

def body(a, b, i):
    return on(D[:2], lambda k: C.all_reduce(tf.identity([a, b][k]), 2, 1, 31, 'Add', 'Id')) + [i + 1]
def build():
    a, b, _ = tf.while_loop(lambda a, b, i: i < 3, body, [tf.constant(1.), tf.constant(2.), tf.constant(0)])
    return on(D[:2], lambda k: C.all_reduce(tf.identity([a, b][k]), 2, 1, 31, 'Add', 'Id'))
ys = ran(build)

def build():
    v = on(D[:2], lambda i: tf.Variable(f(1 + i)))
    with tf.control_dependencies(on(D[:2], lambda i: v[i].assign_add(C.all_reduce(v[i] * 2., 2, 1, 40, 'Add', 'Id')))):
        return on(D[:2], lambda i: C.all_reduce(v[i].read_value(), 2, 1, 41, 'Mul', 'Id'))
ys = ran(build)

def mismatch(build):  # which of the two devices says it first is chance
    try: ran(build)
    except tf.errors.InvalidArgumentError as error: return sorted(str(error).split('. This is likely')[0].replace('CPU:1', 'CPU:0').replace('another member in the group', '').split())
ys = told(mismatch(lambda: on(D[:2], lambda i: C.all_reduce(tf.zeros([i + 2]), 2, 1, 1, 'Add', 'Id'))))
ys += told(mismatch(lambda: on(D[:2], lambda i: C.all_gather(tf.zeros([1, i + 1]), 2, 1, 1))))

ran(lambda: on(D[:2], lambda i: C.all_reduce(f(1), 2, 1, 1, 'Max', 'Id')))

ran(lambda: on(D[:2], lambda i: C.broadcast_recv([3], tf.float32, 2, 1, 1)))

C.all_reduce(f(1), 2, 1, 1, 'Add', 'Id')

C.all_gather(f(1), 2, 1, 1)

on(D[:1], lambda i: C.all_reduce(f(1), 1, 1, 1, 'Add', 'Id'))

on(D[:1], lambda i: C.all_gather(f(1), 1, 1, 1))

on(D[:1], lambda i: C.all_gather(tf.constant(1.), 2, 1, 1))

C.broadcast_recv([2], tf.float32, 1, 1, 1)

on(D[:1], lambda i: C.broadcast_send(f(1), [2], tf.float32, 2, 1, 1))

on(D[:1], lambda i: C.broadcast_send(f(1), [1], tf.int32, 2, 1, 1))

on(D[:1], lambda i: C.all_reduce(f(1), 2, 1, 1, 'Sum', 'Id'))

on(D[:1], lambda i: C.all_reduce(tf.constant('a'), 2, 1, 1, 'Add', 'Id'))

x = f(1); tf.gradients(on(D[:1], lambda i: C.all_reduce(x, 2, 1, 1, 'Add', 'Id'))[0], x)

x = tf.placeholder(tf.float32, [None, 3])
on(D[:1], lambda i: (C.all_gather(x, 2, 1, 1), C.all_reduce(x, 2, 1, 2, 'Add', 'Div', (0,), 'NCCL'), C.broadcast_send(f(1), [1], tf.float32, 2, 1, 3), C.broadcast_recv([None], tf.int64, 2, 1, 4)))
ys = None

N, nccl = inner('python.ops.gen_nccl_ops'), inner('python.ops.nccl_ops')
def both(i):
    x = f(i + 1., 2)
    y = N.nccl_all_reduce(x, 'sum', 2, 'shared')
    return tf.gradients(y * y, x)
on(['/gpu:0', '/gpu:1'], both)
with tf.device('/gpu:0'):
    a, b = f(1), f(2)
    tf.gradients(tf.square(N.nccl_reduce([a, b], 'sum')), [a, b])
    y = N.nccl_broadcast(a, [1])
    tf.gradients([y * 2., y * 3.], a)
ys = None

N = inner('python.ops.gen_nccl_ops')
x = f(1); tf.gradients(N.nccl_all_reduce(x, 'max', 2, 's'), x)

N = inner('python.ops.gen_nccl_ops')
N.nccl_reduce([f(1)], 'mean')
"""

_INNER = """
w = inner('python.pywrap_tensorflow')
s = w.TF_NewStatus()
ys = told(w.TF_GetCode(s), w.TF_Message(s), w.TF_SetStatus(s, w.TF_NOT_FOUND, 'gone'), w.TF_GetCode(s), w.TF_Message(s), w.TF_DeleteStatus(s))

w = inner('python.pywrap_tensorflow')
w.TF_SetStatus(w.TF_NewStatus(), 3, b'gone')

w = inner('python.pywrap_tensorflow')
w.TF_Run(tf.Session(), None, {}, [b'x:0'], [], w.TF_NewStatus(), None)

w = inner('python.pywrap_tensorflow')
ys = told([getattr(w, 'TF_' + n) for n in 'OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED'.split()])

c = inner('python.eager.core')
e = c._NotOkStatusException('bad', 3)
ys = told(e, e.message, e.code, e.args, [k.__name__ for k in type(e).__mro__], repr(c._FallbackException('a')), type(c._status_to_exception(5, 'm')).__name__, c._status_to_exception(5, 'm').message)

to_list = inner('python.framework.tensor_util').TensorShapeProtoToList
ys = told(to_list(tf.TensorShape([1, None]).as_proto()), to_list(tf.TensorShape(None).as_proto()))

inner('python.framework.tensor_util').TensorShapeProtoToList([1])

import os, tempfile
R, folder = inner('contrib.saved_model.python.saved_model.reader'), os.path.join(tempfile.mkdtemp(), 'm')
x = tf.placeholder(tf.float32, [None], 'x') * 2.
with tf.Session() as session:
    builder = tf.saved_model.builder.SavedModelBuilder(folder)
    builder.add_meta_graph_and_variables(session, ['serve', 'b'])
    builder.add_meta_graph(['z', 'a'])
    builder.save()
ys = told([list(g.meta_info_def.tags) for g in R.read_saved_model(folder).meta_graphs], R.get_saved_model_tag_sets(folder))

inner('contrib.saved_model.python.saved_model.reader').read_saved_model('/no/such/folder')

h = tf.contrib.training.HParams(a=1, b=[.5, 2.], c='t').to_proto()
ys = told(type(h).__name__, inner('contrib.training.python.training.hparam_pb2').HParamDef.FromString(h.SerializeToString()) == h)

E = inner('python.eager.execute')
ys = told(E.make_float(3, 'a'), E.make_int(3.5, 'a'), E.make_str('3', 'a'), E.make_bool(True, 'a'), E.make_type('float32', 'a'), E.make_type(tf.int32_ref if hasattr(tf, 'int32_ref') else tf.int32, 'a'), E.make_shape([1, None], 'a'), E.make_shape(None, 'b'), E.make_tensor(tf.make_tensor_proto(1), 'a'), E.make_tensor('dtype: 1', 'a'))

inner('python.eager.execute').make_float('q', 'a')

inner('python.eager.execute').make_int('q', 'a')

inner('python.eager.execute').make_str(3, 'a')

inner('python.eager.execute').make_bool(1, 'a')

inner('python.eager.execute').make_type('qq', 'a')

inner('python.eager.execute').make_shape('qq', 'a')

inner('python.eager.execute').make_tensor(3, 'a')
"""
_AT_ONCE = """
E, ctx = inner('python.eager.execute'), inner('python.eager.context')
def at_once(run):
    with ctx.eager_mode(): return run(ctx.context())
def shown(run):
    def all_of(c):
        found = run(c)
        return [t.numpy().tolist() if hasattr(t, 'numpy') else t for t in tf.contrib.framework.nest.flatten(found)]
    return told(at_once(all_of))
def x(): return tf.constant([[1., 2.]])
T = ('T', 1)
"""
_EXECUTED = """
ys = shown(lambda c: E.execute(b'MatMul', 1, [x(), x()], ('transpose_a', True, 'transpose_b', False, 'T', 1), c))
ys += shown(lambda c: E.quick_execute('Split', 2, [tf.constant(1), x()], ('num_split', 2) + T, c))
ys += shown(lambda c: E.execute(b'Unique', 2, [tf.constant([1, 1, 2])], ('T', 3, 'out_idx', 9), c))
ys += shown(lambda c: E.execute(b'NoOp', 0, [], None, c)) + shown(lambda c: E.execute(b'Add', 1, [x(), x()], None, c))
ys += shown(lambda c: E.execute(b'ConcatV2', 1, [x(), x(), tf.constant(0)], ('N', 2, 'T', 1, 'Tidx', 3), c))
ys += shown(lambda c: E.execute(b'Cast', 1, [x()], ('SrcT', 1, 'DstT', 3, 'Truncate', False), c)) + shown(lambda c: tf.raw_ops.Cast(x=x(), DstT=3))

at_once(lambda c: E.execute(b'MatMul', 1, [x(), x()], ('transpose_a', False, 'transpose_b', False, 'T', 1), c, name='q'))

at_once(lambda c: E.execute(b'Unique', 1, [tf.constant([1, 1, 2])], ('T', 3, 'out_idx', 3), c))

at_once(lambda c: E.execute(b'Add', 1, [x(), tf.constant(1)], T, c))

at_once(lambda c: E.execute(b'Add', 1, [x(), 1.], T, c))

at_once(lambda c: E.execute(b'Add', 1, [x()], T, c))

at_once(lambda c: E.execute(b'Add', 1, [x(), x()], ('U', 1), c))

def taped(c):
    t = x()
    with tf.GradientTape() as tape:
        tape.watch(t)
        y, = E.execute(b'Mul', 1, [t, t], T, c)
        E.record_gradient('Mul', [t, t], T, [y], 'n')
    return tape.gradient(y, t)
ys = shown(taped)

ys = shown(lambda c: E.args_to_matching_eager([x(), 1], c)) + shown(lambda c: E.args_to_matching_eager([1, 2], c, tf.float32))
ys += shown(lambda c: E.args_to_matching_eager([1, x()], c)) + shown(lambda c: E.convert_to_mixed_eager_tensors([1, 2.], c))

at_once(lambda c: E.args_to_matching_eager([], c))

at_once(lambda c: E.args_to_mixed_eager_tensors([[1, 2.], [3.]], c))
"""

_ESTIMATORS = """
import tempfile
tf.compat.v1.logging.set_verbosity('ERROR')
E, fc = tf.compat.v2.estimator, tf.feature_column
x, k = np.arange(12.).reshape(6, 2).astype('f') / 10, np.array(list('abcaba'))
classes, three, numbers = np.array([0, 1, 1, 0, 1, 0]), np.array([0, 1, 2, 0, 1, 0]), np.arange(6.).astype('f')[:, None]
num = fc.numeric_column('x', shape=(2,))
cat = fc.categorical_column_with_vocabulary_list('k', ['a', 'b', 'c'])
ind, emb = fc.indicator_column(cat), fc.embedding_column(cat, 2)
def made(kind, *args, **kw): return getattr(E, kind)(*args, config=E.RunConfig(tf_random_seed=1, model_dir=tempfile.mkdtemp(), save_summary_steps=1), **kw)
def given(y): return lambda: ({'x': tf.constant(x), 'k': tf.constant(k)}, tf.constant(y))
def trained(kind, y, *args, **kw):
    import glob
    e = made(kind, *args, **kw)
    e.train(given(y), steps=3)
    tags = {v.tag for p in glob.glob(e.model_dir + '/events*') for ev in tf.compat.v1.train.summary_iterator(p) for v in ev.summary.value}
    names, found = sorted(e.get_variable_names()), e.evaluate(given(y), steps=1)
    foreseen = next(iter(e.predict(given(y))))
    return told(type(e).__name__, names, sorted(tags), sorted(found), sorted(foreseen)) + [tf.constant(e.get_variable_value(n)) for n in names] + [tf.constant(float(found[n])) for n in sorted(found)] + [tf.constant(foreseen[n]) for n in sorted(foreseen)]
"""
_SECOND = """
ys = trained('DNNClassifier', classes, [3, 2], [num, emb])

ys = trained('DNNClassifier', three, [3], [num, ind], n_classes=3, batch_norm=True, optimizer='Adam')

ys = trained('DNNRegressor', numbers, [3], [num], optimizer=lambda: tf.compat.v2.keras.optimizers.SGD(.1), loss_reduction='sum')

ys = trained('DNNEstimator', numbers, E.RegressionHead(), [3], [num], optimizer='RMSProp', activation_fn=tf.tanh)

ys = trained('LinearClassifier', classes, [num, cat], label_vocabulary=None, sparse_combiner='mean')

ys = trained('LinearRegressor', numbers, [num, cat], optimizer='SGD')

ys = trained('LinearEstimator', numbers, E.PoissonRegressionHead(), [num])

ys = trained('BaselineClassifier', three, n_classes=3)

ys = trained('BaselineRegressor', numbers, optimizer='Adagrad')

ys = trained('BaselineEstimator', numbers, E.RegressionHead())

ys = trained('DNNLinearCombinedClassifier', three, linear_feature_columns=[num, cat], dnn_feature_columns=[emb], dnn_hidden_units=[3], n_classes=3)

ys = trained('DNNLinearCombinedRegressor', numbers, linear_feature_columns=[num, cat])

ys = trained('DNNLinearCombinedEstimator', numbers, E.RegressionHead(), dnn_feature_columns=[num], dnn_hidden_units=[2], dnn_optimizer='SGD')

made('DNNLinearCombinedRegressor')

made('DNNLinearCombinedRegressor', dnn_feature_columns=[num]).train(given(numbers))

made('DNNRegressor', [3], [num], optimizer=3).train(given(numbers))

made('LinearRegressor', [num], optimizer='Nope').train(given(numbers))

made('LinearRegressor', [num]).train(lambda: ([tf.constant(x)], tf.constant(numbers)))

made('DNNRegressor', [3], []).train(given(numbers))

made('DNNClassifier', [3], [num]).export_savedmodel

made('DNNClassifier', [3], [num], loss_reduction='mean')
"""

_LAYERS = """
M = inner('python.keras.layers.preprocessing.normalization_v1')
N, K, x = M.Normalization, tf.keras.backend, np.array([[1., 2], [3, 4], [5, 9.]], 'f')
def told_values(layer): return [tf.constant(w) for w in layer.get_weights()]
"""
_ADAPTED = """
ys = []
for data in (x, tf.data.Dataset.from_tensor_slices(x).batch(2)):
    layer = N()
    layer.adapt(data)
    inputs = tf.keras.Input(shape=(None,))
    model = tf.keras.Model(inputs, layer(inputs))
    ys += told([(w.name.split('_')[0], w.dtype, w.trainable) for w in layer.weights]) + told_values(layer) + [tf.constant(model.predict(x))]
    layer.adapt(x * 2 if data is x else data, reset_state=False)
    ys += told_values(layer)
    layer.adapt(x * 3)
    ys += told_values(layer)

layer = N(axis=(1, 2), name='n')
layer.adapt(np.arange(24.).reshape(2, 3, 4) ** 2)
again = N.from_config(layer.get_config())
again.adapt(np.arange(24.).reshape(4, 2, 3))
ys = told_values(layer) + told_values(again) + told(layer.get_config(), again.axis)

layer = N()
layer.build((None, 2))
layer.set_weights([np.array([1.3, 2.]), np.array([.5, 1.]), np.array(4)])
layer.adapt(x, reset_state=False)
ys = told_values(layer)

layer = N()
layer.build((None, 2))
layer.set_weights([np.array([1.3, 2.]), np.array([.5, 1.])])
layer.adapt(x, reset_state=False)

N(axis=0)

N(axis=None).adapt(x)

N(axis=5).adapt(x)

N().adapt([1.])

N().adapt(tf.data.Dataset.from_tensor_slices(x).batch(2).repeat())

N().call(x)

c = N._NormalizingCombiner(axis=-1)
a, b = c.compute(x), c.compute(x * 3)
ys = told(c.serialize(a), sorted(c.extract(a)), c.serialize(c.deserialize(c.serialize(b))), c.serialize(c.restore(c.extract(b))))
ys += [tf.constant(v) for t in (c.merge([a, b]), c.compute(x * 3, a)) for v in t]
"""

_FRAMES = """
S = inner('python.util.tf_stack')
def outer(): return f()
def f(**kw): return S.extract_stack(**kw)
def seen(stack): rows = [t[:3] for t in S.convert_stack(stack)]; own = [t[0] in ('<string>', 'x.py') for t in rows[::-1]] + [False]; return rows[len(rows) - own.index(False):]
class Mapper(S.StackTraceMapper):
    made = 0
    def reset(self): self.made += 1
    def get_effective_source_map(self): return {('<string>', 3): ('x.py', 30, 'other')}
class Filter(S.StackTraceFilter):
    def reset(self): pass
    def get_filtered_filenames(self): return {'<string>'}
"""
_STACKS = """
ys = told(seen(f()), seen(outer()), [t[1:] for t in S.convert_stack(outer(), True)[-2:]], len(f(limit=1)), len(f(limit=0)), f(limit=1)[0].name)
ys += told(type(S.convert_stack(f())).__name__, S.TB_FILENAME, S.TB_LINENO, S.TB_FUNCNAME, S.TB_CODEDICT, f(limit=1)[0].globals is globals(), len(f()) == len(f(limit=-1)))

with S.CurrentModuleFilter(): a = seen(outer())
with Filter(): b = len(S.convert_stack(outer())) < len(outer()), seen(outer())
with S.CurrentModuleFilter():
    with Filter(): c = seen(outer())
    d = seen(outer())
ys = told(a, b, c, d, seen(outer()))
"""


def _programs(**texts):
    """The programs of each text, which blank lines part, under the text's name and their number."""
    return {f"{name} {i}": code for name, text in texts.items() for i, code in enumerate(text.strip().split("\n\n"))}


_BEFORE = {"summaries": _STEPS, "collectives": _DEVICES, "executed": _AT_ONCE, "second": _ESTIMATORS, "adapted": _LAYERS, "stacks": _FRAMES}
CASES = {
    name: _PRELUDE + _BEFORE.get(name.split()[0], "") + code
    for name, code in _programs(logs=_LOGS, summaries=_SUMMARIES, collectives=_COLLECTIVES, inner=_INNER, executed=_EXECUTED, second=_SECOND, adapted=_ADAPTED, stacks=_STACKS).items()
}
