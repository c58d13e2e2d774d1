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


def _programs(**texts):
    """The programs of each text, which blank lines part, under the text's name and their number."""
    return {f"{name} {i}": code for name, text in texts.items() for i, code in enumerate(text.strip().split("\n\n"))}


_BEFORE = {"summaries": _STEPS}
CASES = {
    name: _PRELUDE + _BEFORE.get(name.split()[0], "") + code
    for name, code in _programs(logs=_LOGS, summaries=_SUMMARIES).items()
}
