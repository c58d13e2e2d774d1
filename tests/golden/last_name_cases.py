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


def _programs(**texts):
    """The programs of each text, which blank lines part, under the text's name and their number."""
    return {f"{name} {i}": code for name, text in texts.items() for i, code in enumerate(text.strip().split("\n\n"))}


CASES = {name: _PRELUDE + code for name, code in _programs(logs=_LOGS).items()}
