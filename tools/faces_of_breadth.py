"""Where names come from that programs find through other modules; see ``faces_of_contrib``."""

from pathlib import Path

from faces_of_contrib import serve
from faces_table import LAZY

SERVED = """
ops.state | python.ops.state_ops | init_variable
graph.modes | python.framework.ops | inside_function
keras.utils | python.keras.utils.conv_utils | convert_kernel normalize_data_format normalize_padding
io.event_files | python.training.summary_io | FileWriter=SummaryWriter FileWriterCache=SummaryWriterCache
estimator.tpu | tpu contrib.tpu python.tpu.bfloat16 contrib.tpu.python.tpu.bfloat16 | bfloat16_scope
estimator.tpu | tpu python.tpu.tpu_optimizer | CrossShardOptimizer
estimator.tpu | python.tpu.tpu_function | get_tpu_context TpuContext
graph.convert | python.framework.ops | get_graph_from_inputs=_get_graph_from_inputs
data.dataset | compat.v2.data | Dataset
data.readers | compat.v2.data | FixedLengthRecordDataset TFRecordDataset TextLineDataset
io.tracking | compat.v2.train | Checkpoint
distribute.kinds | compat.v2.distribute | MirroredStrategy OneDeviceStrategy
distribute.strategies | compat.v2.distribute | Strategy StrategyExtended
distribute.kinds | compat.v2.distribute.experimental | CentralStorageStrategy MultiWorkerMirroredStrategy
    ParameterServerStrategy
graph.devices | compat.v2 | DeviceSpec
estimator.class_heads | python.estimator.head.binary_class_head | BinaryClassHead
estimator.class_heads | python.estimator.head.multi_class_head | MultiClassHead
estimator.class_heads | python.estimator.head.multi_label_head | MultiLabelHead
estimator.heads | python.estimator.head.base_head | Head
estimator.number_heads | python.estimator.head.multi_head | MultiHead
estimator.number_heads | python.estimator.head.regression_head | LogisticRegressionHead PoissonRegressionHead
    RegressionHead
estimator.canned.optimizers | python.estimator.canned.optimizers | get_optimizer_instance
"""

serve(SERVED)

# `from tensorflow.python import ops` is the module `framework.ops` in TensorFlow; here it is the package `ops`
_NAMES = Path(__file__).parents[1] / "tests" / "golden" / "names.tsv"
_ROWS = [line.split("\t") for line in _NAMES.read_text().splitlines()]
LAZY["python.ops"] = {
    name: "retrograd.tf.python.framework.ops"
    for path, name, what in _ROWS
    if path == "python.framework.ops" and what == "=" and not name.startswith("_")
}
LAZY["compat.v2.keras"] = LAZY.get("compat.v2.keras", {}) | {"datasets": "retrograd.tf.keras"}
LAZY["compat.v2.train"] = LAZY.get("compat.v2.train", {}) | {
    name: LAZY["train"][name] for path, name, _ in _ROWS if path == "compat.v2.train" and name in LAZY["train"]
}
for _path, _name, _what in _ROWS:  # of TensorFlow 1 under the first version's name
    if _path == "compat.v2.data.experimental" and _what.endswith(("V2", "_v2")) and _name != "StatsAggregator":
        LAZY.setdefault(_path, {})[_name] = "retrograd.tf.data.experimental"
