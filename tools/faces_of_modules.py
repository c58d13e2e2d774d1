"""What modules of TensorFlow hold besides: other modules, by accident or for old imports, and lines of their own."""

from pathlib import Path

import faces_of_columns  # noqa: F401  what it says of contrib.slim comes first
from faces_of_contrib import HIDDEN
from faces_table import EXTRA, LAZY, WITH_RAW_OPS, words

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

# -- modules that tf.contrib.slim and tensorflow.python show by accident ---------------------------

_SHOWN = """
array_ops=python.ops bucketization_op=contrib.layers.python.ops checkpoint_utils=contrib.framework.python.framework
clip_ops=python.ops control_flow_ops=python.ops deprecation=python.util dtypes=python.framework
embedding_ops=contrib.layers.python.layers encoders=contrib.layers.python.layers
feature_column=contrib.layers.python.layers feature_column_ops=contrib.layers.python.layers init_ops=python.ops
lookup=contrib loss_ops=contrib.losses.python.losses math_ops=python.ops metric_ops=contrib.metrics.python.ops
metrics=contrib moving_averages=python.training nest=python.util nn=python.ops nn_ops=python.ops
normalization=contrib.layers.python.layers ops=python.framework optimizers=contrib.layers.python.layers
parsing_ops=python.ops random_ops=python.ops resource_variable_ops=python.ops
rev_block_lib=contrib.layers.python.layers sparse_feature_cross_op=contrib.layers.python.ops sparse_ops=python.ops
sparse_tensor=python.framework string_ops=python.ops summary=python.summary tensor_shape=python.framework
variable_scope=python.ops variables=python.ops
"""
_SHOWN_BY_PYTHON = """
app=python.platform array_grad=python.ops array_ops=python.ops attr_value_pb2=core.framework check_ops=python.ops
clip_ops=python.ops common_shapes=python.framework config=python.framework constant_op=python.framework
context=python.eager control_flow_ops=python.ops control_flow_util=python.ops data_flow_grad=python.ops
deprecation=python.util distributions=python.ops.distributions dtypes=python.framework errors=python.framework
errors_impl=python.framework file_io=python.lib.io flags=python.platform function_utils=python.util
gen_array_ops=python.ops gen_batch_ops=python.ops gen_control_flow_ops=python.ops gen_data_flow_ops=python.ops
gen_functional_ops=python.ops gen_io_ops=python.ops gen_linalg_ops=python.ops gen_math_ops=python.ops
gen_nn_ops=python.ops gen_parsing_ops=python.ops gen_random_ops=python.ops gen_sparse_ops=python.ops
gen_state_ops=python.ops gen_stateless_random_ops=python.ops gen_string_ops=python.ops gfile=python.platform
gradient_checker_v2=python.ops graph_util=python.framework linalg=python.ops.linalg list_ops=python.ops
losses=python.ops.losses manip_grad=python.ops map_fn=python.ops math_grad=python.ops math_ops=python.ops
metrics=python.ops nest=python.util nn=python.ops nn_ops=python.ops object_identity=python.util
op_def_pb2=core.framework python_io=python.lib.io ragged=python.ops random_grad=python.ops random_ops=python.ops
random_seed=python.framework resource_loader=python.platform resource_variable_ops=python.ops rnn=python.ops
rnn_cell=python.ops sets=python.ops signal=python.ops.signal sparse_grad=python.ops sparse_ops=python.ops
sparse_tensor=python.framework state_grad=python.ops state_ops=python.ops stateful_random_ops=python.ops
tensor_array_ops=python.ops tensor_shape=python.framework tensor_spec=python.framework tensor_util=python.framework
test=python.platform tf_inspect=python.util tf_logging=python.platform type_spec=python.framework
types_pb2=core.framework variable_pb2=core.framework wrap_function=python.eager
"""
for _module, _shown in (("contrib.slim", _SHOWN), ("python", _SHOWN_BY_PYTHON)):
    LAZY[_module] = LAZY.get(_module, {}) | {
        _name: f"retrograd.tf.{_place}" for _name, _, _place in (pair.partition("=") for pair in words(_shown))
    }
EXTRA["contrib.slim"] += """
from retrograd.tf.python.framework import sparse_tensor as sparse_tensor_py
from retrograd.tf.python.ops import variable_scope as vs
from retrograd.tf.python.ops import variables as vars_
from retrograd.tf.python.platform import tf_logging as logging
from retrograd.tf.python.training import optimizer as optimizer_
from retrograd.tf.python.training import training as train
from retrograd.tf.contrib import framework as contrib_framework
from retrograd.tf.contrib.framework.python.ops import variables as contrib_variables
from retrograd.tf.contrib.layers.python.layers import feature_column as fc
from retrograd.tf.python.feature_column import feature_column as fc_core
"""
_FUTURE = """
import __future__

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function
"""
for _module in ("contrib.slim", "contrib.summary", "flags.tf_decorator"):
    EXTRA[_module] = EXTRA.get(_module, "") + _FUTURE
EXTRA["contrib.session_bundle.manifest_pb2"] = (
    "from retrograd.files.manifests import (\n    AssetFile,\n    ClassificationSignature,\n    GenericSignature,\n"
    "    RegressionSignature,\n    Signature,\n    Signatures,\n    TensorBinding,\n)"
)

HIDDEN.add(("retrograd.sessions.older_profiling", "*"))
HIDDEN.add(("retrograd.feature_column.steps", "*"))
HIDDEN.update(
    (f"retrograd.{_part}", _name)
    for _part, _name in (("derivatives.batch_axes", "Axes"), ("ops.windows", "Axis"), ("run.steps", "Step"))
)
LAZY.setdefault("", {})["pywrap_tensorflow"] = "retrograd.tf.python"
EXTRA["contrib.tfprof"] = "from retrograd.tf.contrib.tfprof import model_analyzer"

HIDDEN.update({("retrograd.estimator.older.exporting", "*"), ("retrograd.estimator.older.bundles", "*")})

EXTRA["contrib.learn.python.learn"] = "from retrograd.tf.contrib.learn import *"
EXTRA["contrib.learn.utils"] = (
    "from retrograd.tf.contrib.learn.python.learn.utils import export, saved_model_export_utils"
)

HIDDEN.update(
    (f"retrograd.distribute.{_part}", "*") for _part in ("contexts", "strategies", "kinds", "cluster_resolvers")
)

HIDDEN.update({("retrograd.estimator.older.factorizing", "*"), ("retrograd.ops.factorization", "*")})

# what TensorFlow's `import *` of the modules of ops gives beside public names
WITH_RAW_OPS.add("python.ops.standard_ops")
EXTRA["python.ops.standard_ops"] = """
from retrograd.tf.python.ops.array_ops import constant, ensure_shape, gather_v2, parallel_concat
from retrograd.tf.python.ops.math_ops import bincount
from retrograd.tf.python.ops.parsing_ops import decode_csv_v2, decode_raw, parse_example_v2, parse_single_example_v2
from retrograd.tf.python.ops.string_ops import string_split, substr
from retrograd.tf.python.ops.variables import Variable
"""
EXTRA["contrib.labeled_tensor"] = _FUTURE
LAZY["contrib.labeled_tensor"] = {"nn": "retrograd.tf.contrib.labeled_tensor.python.ops"}

HIDDEN.update(
    (f"retrograd.ops.{_file}", "*") for _file in ("tensor_lists", "list_stacks", "list_elements", "list_values")
)

EXTRA["contrib.checkpoint"] = (
    "from tensorboard.compat.proto.trackable_object_graph_pb2 import TrackableObjectGraph as CheckpointableObjectGraph"
)
for _module in ("contrib.grid_rnn", "contrib.solvers", "contrib.staging"):
    EXTRA[_module] = EXTRA.get(_module, "") + _FUTURE
EXTRA["contrib.grid_rnn"] += """
from collections import namedtuple

from retrograd.tf.contrib import layers
from retrograd.tf.python.framework import tensor_shape
from retrograd.tf.python.ops import array_ops, math_ops, nn, rnn
from retrograd.tf.python.ops import variable_scope as vs
from retrograd.tf.python.platform import tf_logging as logging
"""
