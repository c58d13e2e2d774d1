"""What names alone cannot say; read by write_faces.py."""


def words(text: str) -> list[str]:
    """The names in a text."""
    return text.split()


# (module or "*", TensorFlow's name): "module of a part:its name", the same name if there is none, or "" for nothing
RENAMED: dict[tuple[str, str], str] = {}
# (module of a part, name or "*"): definitions that only share a name with TensorFlow's
HIDDEN: set[tuple[str, str]] = set()
# module: {name: the module that holds it}, imported at first use
LAZY: dict[str, dict[str, str]] = {}
# module: lines of its own
EXTRA: dict[str, str] = {}
# modules that are there to be imported, whatever they hold
EMPTY: list[str] = []
# modules that hold names of others only by accident
DROPPED: set[str] = set()
# modules beside the generated ones in which every op is a bare function
WITH_RAW_OPS = {
    "python.ops.gen_rnn_ops",
    "raw_ops",
    "python.ops.nn",
    "python.training.training_ops",
    "python.framework.test_ops",
    *(f"python.ops.{topic}_ops" for topic in ("array", "math", "nn", "resource_variable", "state")),
}
# packages that are written by hand
HAND: set[str] = set()

G, T, PB = "retrograd.graph.", "retrograd.testing.", "tensorboard.compat.proto."

RENAMED.update(
    {
        ("", "get_default_graph"): G + "stack:default_graph",
        ("python.framework.ops", "get_default_graph"): G + "stack:default_graph",
        ("", "get_default_session"): G + "stack:default_session",
        ("python.framework.ops", "get_default_session"): G + "stack:default_session",
        ("keras.backend", "is_sparse"): "",
        ("python.framework.ops", "_default_graph_stack"): G + "stack:graphs",
        ("python.framework.ops", "has_default_graph"): G + "stack:",
        ("python.framework.ops", "default_session"): "",
        ("python.framework.ops", "_TensorLike"): G + "tensor:TensorLike",
        ("python.framework.ops", "_as_graph_element"): G + "lookup:element_of",
        ("python.framework.ops", "_default_session_stack"): G + "stack:sessions",
        ("python.client.session", "_DeviceAttributes"): "retrograd.run.devices:DeviceAttributes",
        ("python.client.session", "register_session_run_conversion_functions"): "retrograd.run.conversions:",
        ("python.framework.ops", "_colocate_with_for_gradient"): "",
        ("python.framework.ops", "executing_eagerly_outside_functions"): G + "modes:executing_eagerly",
        ("python.eager.context", "in_graph_mode"): "",
        ("python.framework.device", "canonical_name"): G + "devices:canonical",
        ("python.framework.test_util", "device"): T + "modes:device",
        ("python.framework.test_util", "use_gpu"): T + "modes:use_gpu",
        ("python.framework.test_util", "force_gpu"): T + "modes:force_gpu",
        ("python.framework.test_util", "force_cpu"): T + "modes:force_cpu",
        ("python.framework.test_util", "enable_control_flow_v2"): T + "modes:",
        ("python.framework.test_util", "disable_control_flow_v2"): T + "modes:",
        ("python.framework.test_util", "enable_output_all_intermediates"): T + "modes:",
        ("test", "TestCase"): T + "case:TensorFlowTestCase",
        ("python.platform.test", "TestCase"): T + "case:TensorFlowTestCase",
        ("python.util.compat", "bytes_or_text_types"): G + "text:",
        ("python.util.compat", "integral_types"): G + "text:",
        ("python.util.compat", "real_types"): G + "text:",
        ("python.util.compat", "complex_types"): G + "text:",
        ("compat", "bytes_or_text_types"): G + "text:",
        ("compat", "integral_types"): G + "text:",
        ("compat", "real_types"): G + "text:",
        ("compat", "complex_types"): G + "text:",
        ("python.util.deprecation", "_PRINT_DEPRECATION_WARNINGS"): "",
        ("python.util.tf_inspect", "stack"): "",
        (
            "python.ops.gradient_checker_v2",
            "compute_gradient",
        ): "retrograd.derivatives.functions:theoretical_and_numerical",
        ("python.eager.context", "eager_mode"): T + "modes:",
        ("", "reset_default_graph"): G + "stack:",
        ("python.framework.ops", "reset_default_graph"): G + "stack:",
        (
            "python.ops.gradients_impl",
            "_hessian_vector_product",
        ): "retrograd.derivatives.jacobians:hessian_vector_product",
        ("python.framework.ops", "get_gradient_function"): "retrograd.grad.known_rules:get_gradient_function",
        ("python.ops.tensor_array_grad", "_GetGradSource"): "retrograd.ops.tensor_arrays:gradient_source",
        ("python.framework.ops", "EagerTensor"): G + "modes:",
        ("python.framework.ops", "_NodeDef"): G + "protos:new_node_def",
        ("python.framework.ops", "_set_call_cpp_shape_fn"): G + "shape_functions:",
        ("python.framework.common_shapes", "call_cpp_shape_fn"): G + "shape_functions:",
        ("python.framework.type_spec", "register_type_spec_from_value_converter"): G + "specs:",
        ("python.framework.test_ops", "unary"): "",
        ("python.framework.test_ops", "binary"): "",
        ("python.ops.embedding_ops", "_embedding_lookup_and_transform"): "retrograd.nn.embeddings:",
        ("python.ops.metrics_impl", "_streaming_confusion_matrix"): (
            "retrograd.nn.metrics.means:streaming_confusion_matrix"
        ),
        ("python.ops.sparse_ops", "_DEFAULT_HASH_KEY"): "retrograd.ops.sparse_crossing:",
        ("python.ops.array_ops", "constant"): "retrograd.ops.constants:constant_v2",
        ("python.framework.constant_op", "constant"): "retrograd.ops.constants:constant_v2",
        ("python.ops.array_ops", "_SLICE_TYPE_ERROR"): "retrograd.ops.slicing:SLICE_TYPE_ERROR",
        ("python.ops.math_ops", "_as_indexed_slices"): "retrograd.ops.slices:as_indexed_slices",
        ("python.ops.math_ops", "_as_indexed_slices_list"): "retrograd.ops.slices:as_indexed_slices_list",
        ("python.ops.nn_ops", "softmax_v2"): "retrograd.ops.softmax:softmax",
        ("python.ops.nn_ops", "log_softmax_v2"): "retrograd.ops.softmax:log_softmax",
        ("python.ops.nn_impl", "l2_normalize_v2"): "retrograd.ops.norms:l2_normalize",
        ("python.ops.math_ops", "mul"): "retrograd.ops.arithmetic:multiply",
        ("python.framework.device_spec", "DeviceSpecV1"): G + "devices:DeviceSpec",
        ("python.framework.device_spec", "DeviceSpecV2"): G + "devices:DeviceSpec",
        ("", "is_variable_initialized"): "retrograd.state.initialization:",
        ("python.ops.variables", "is_variable_initialized"): "retrograd.state.initialization:",
        ("", "count_up_to"): "retrograd.ops.state:",
        ("python.ops.state_ops", "count_up_to"): "retrograd.ops.state:",
        ("python.platform.flags", "_FlagValuesWrapper"): "retrograd.command_line:_FlagValues",
        ("python.framework.common_shapes", "broadcast_shape"): "retrograd.ops.repeating:broadcast_static_shape",
        ("python.framework.random_seed", "DEFAULT_GRAPH_SEED"): "retrograd.ops.philox:",
        ("keras.backend", "stop_gradient"): "retrograd.ops.arrays:",
        ("keras.backend", "gradients"): "retrograd.grad.gradients:",
        ("python.framework.common_shapes", "unknown_shape"): G + "shape_functions:",
        ("python.tf2", "enabled"): G + "modes:enabled",
        ("python.eager.context", "GRAPH_MODE"): G + "modes:",
        ("python.eager.context", "EAGER_MODE"): G + "modes:",
        ("strings", "split"): "retrograd.ops.strings:",
        ("python.ops.parsing_ops", "string_to_number"): "retrograd.ops.string_numbers:",
        ("strings", "substr"): "retrograd.ops.strings:",
    }
)
RENAMED.update(
    {
        ("python.ops.variable_scope", "_PartitionInfo"): "retrograd.state.partitioned:PartitionInfo",
        (
            "python.ops.variable_scope",
            "_get_default_variable_store",
        ): "retrograd.state.variable_store:default_variable_store",
        ("python.ops.variable_scope", "_get_unique_variable_scope"): "retrograd.state.scopes:unique_variable_scope",
        ("python.ops.variable_scope", "_pure_variable_scope"): "retrograd.state.scopes:pure_variable_scope",
        ("python.ops.variable_scope", "_VariableStore"): "retrograd.state.variable_store:VariableStore",
        ("python.ops.variables", "_try_guard_against_uninitialized_dependencies"): "retrograd.state.guard:guarded",
    }
)
RENAMED["python.ops.nn_impl", "_compute_sampled_logits"] = "retrograd.nn.sampling:compute_sampled_logits"
RENAMED["python.ops.nn_impl", "_sum_rows"] = "retrograd.nn.sampling:sum_rows"
RENAMED["python.ops.variables", "Variable"] = "retrograd.state.variables:VariableV2"
RENAMED["contrib.layers", "variance_scaling_initializer"] = "retrograd.state.xavier:scaling_initializer"
for _module in ("", "version", "python.framework.versions"):
    for _name in ["VERSION", "GIT_VERSION", "COMPILER_VERSION", "CXX11_ABI_FLAG", "MONOLITHIC_BUILD"]:
        RENAMED[_module, _name] = G + "versions:"
    for _name in ("GRAPH_DEF_VERSION", "GRAPH_DEF_VERSION_MIN_CONSUMER", "GRAPH_DEF_VERSION_MIN_PRODUCER"):
        RENAMED[_module, _name] = G + "versions:"
for _name in (
    "_STRUCTURES_HAVE_MISMATCHING_LENGTHS",
    "_STRUCTURES_HAVE_MISMATCHING_TYPES",
    "_SHALLOW_TREE_HAS_INVALID_KEYS",
    "_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ",
):
    RENAMED["python.util.nest", _name] = G + "nest:"
for _name in ("VERSION", "GIT_VERSION", "COMPILER_VERSION", "CXX11_ABI_FLAG", "MONOLITHIC_BUILD"):
    RENAMED["python.framework.versions", f"__{_name.lower()}__"] = G + f"versions:{_name}"
    RENAMED["", f"__{_name.lower()}__"] = G + f"versions:{_name}"
for _module in ("summary", "python.summary.summary"):
    RENAMED[_module, "merge"] = "retrograd.nn.summaries:"
RENAMED["", "__version__"] = G + "versions:VERSION"
RENAMED["", "__git_version__"] = G + "versions:GIT_VERSION"
RENAMED["", "__compiler_version__"] = G + "versions:COMPILER_VERSION"
for _module in ("errors", "python.framework.errors", "python.framework.errors_impl", "core.lib.core.error_codes_pb2"):
    for _name in words("""
    ABORTED ALREADY_EXISTS CANCELLED DATA_LOSS DEADLINE_EXCEEDED FAILED_PRECONDITION INTERNAL
    INVALID_ARGUMENT NOT_FOUND OK OUT_OF_RANGE PERMISSION_DENIED RESOURCE_EXHAUSTED UNAUTHENTICATED
    UNAVAILABLE UNIMPLEMENTED UNKNOWN
"""):
        RENAMED[_module, _name] = G + "errors:"
for _module in ("", "dtypes", "python.framework.dtypes"):
    RENAMED[_module, "QUANTIZED_DTYPES"] = RENAMED[_module, "TF_VALUE_DTYPES"] = G + "dtypes:"
del RENAMED["", "TF_VALUE_DTYPES"], RENAMED["dtypes", "TF_VALUE_DTYPES"]
for _module in ("", "python.ops.variable_scope"):
    RENAMED[_module, "AUTO_REUSE"] = "retrograd.state.variable_store:"
RENAMED["", "Variable"] = "retrograd.state.variables:"
RENAMED["python.ops.init_ops", "_compute_fans"] = "retrograd.state.initializers:fans"
RENAMED["python.ops.init_ops_v2", "_compute_fans"] = "retrograd.state.initializers:fans"
RENAMED["", "newaxis"] = RENAMED["python.ops.array_ops", "newaxis"] = "retrograd.ops.slicing:"
_LOG = words("""
    DEBUG ERROR FATAL INFO WARN TaskLevelStatusMessage debug error fatal flush get_verbosity info log
    log_every_n log_first_n log_if set_verbosity vlog warn warning
""")
for _module in ("logging", "python.platform.tf_logging"):
    RENAMED.update({(_module, _name): G + "log:" for _name in _LOG})
RENAMED["python.platform.tf_logging", "get_logger"] = RENAMED["", "get_logger"] = G + "log:"
_FLAGS = ["DEFINE_string", "DEFINE_boolean", "DEFINE_bool", "DEFINE_float", "DEFINE_integer", "FLAGS"]
for _module in ("flags", "app.flags", "python.platform.flags"):
    RENAMED.update({(_module, _name): "retrograd.command_line:" for _name in _FLAGS})
for _module in ("app", "python.platform.app"):
    RENAMED[_module, "run"] = "retrograd.command_line:run"
for _module in ("test", "python.platform.test", "python.platform.googletest"):
    RENAMED.update({(_module, _name): T + "modes:" for _name in ("main", "get_temp_dir", "test_src_dir_path")})
RENAMED["python.platform.googletest", "GetTempDir"] = T + "modes:get_temp_dir"
RENAMED["python.platform.test", "is_built_with_rocm"] = RENAMED["test", "is_built_with_rocm"] = T + "modes:"
RENAMED["python.platform.test", "is_built_with_gpu_support"] = RENAMED["test", "is_built_with_gpu_support"] = (
    T + "modes:"
)

HIDDEN.update(
    {
        ("retrograd.run.equations", "evaluate"),
        (G + "shape_functions", "unknown_shape"),
        (G + "log", "*"),
        ("retrograd.io.mnist", "*"),
        (G + "shapes", "scalar"),
        (G + "shapes", "broadcast"),
        ("retrograd.ops.shape_rules", "*"),
        ("retrograd.ops.segments", "dense"),
        (G + "shapes", "merge"),
        ("retrograd.ops.philox", "*"),
        ("retrograd.ops.blas", "*"),
        ("retrograd.ops.single", "*"),
        ("retrograd.graph.raw", "*"),
        ("retrograd.command_line", "*"),
        (T + "modes", "device"),
        (T + "modes", "main"),
        (T + "modes", "use_gpu"),
        (T + "modes", "enable_control_flow_v2"),
        (T + "modes", "disable_control_flow_v2"),
        (T + "modes", "enable_output_all_intermediates"),
        (T + "modes", "eager_mode"),
        (G + "modes", "enabled"),
        (G + "stack", "*"),
        ("retrograd.train.optimizer", "cast"),
    }
)

LAZY.update(
    {
        "": {
            **dict.fromkeys(["AttrValue", "NameAttrList"], PB + "attr_value_pb2"),
            **dict.fromkeys(
                ["ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "RunMetadata", "RunOptions"],
                PB + "config_pb2",
            ),
            **dict.fromkeys(["Event", "LogMessage", "SessionLog"], PB + "event_pb2"),
            **dict.fromkeys(["HistogramProto", "Summary", "SummaryMetadata"], PB + "summary_pb2"),
            **dict.fromkeys(["MetaGraphDef", "TensorInfo"], PB + "meta_graph_pb2"),
            "GraphDef": PB + "graph_pb2",
            "NodeDef": PB + "node_def_pb2",
        },
        "summary": {
            **dict.fromkeys(["Event", "SessionLog", "TaggedRunMetadata"], PB + "event_pb2"),
            **dict.fromkeys(["Summary", "SummaryDescription"], PB + "summary_pb2"),
        },
        "train": {
            "SaverDef": PB + "saver_pb2",
            "ClusterDef": PB + "cluster_pb2",
            "JobDef": PB + "cluster_pb2",
        },
        "python.platform.benchmark": {"TensorFlowBenchmark": T + "benchmark", "benchmark_config": T + "benchmark"},
        "test": {"Benchmark": T + "benchmark", "mock": "unittest"},
        "python.platform.test": {"Benchmark": T + "benchmark", "mock": "unittest"},
        "python.platform.googletest": {
            **dict.fromkeys(
                ["SkipTest", "TestLoader", "expectedFailure", "mock", "skip", "skipIf", "skipUnless"], "unittest"
            ),
            "TestCase": "absl.testing.absltest",
            "Benchmark": T + "benchmark",
        },
    }
)

EXTRA.update(
    {
        "": "from retrograd.ops import operators",
        "compat": "from retrograd import tf as v1",
        "compat.v2.compat": "from retrograd import tf as v1",
        "app": "from retrograd.tf import flags",
        "flags": "from absl.flags import *\n\nfrom retrograd.command_line import *",
        "python.platform.flags": "from absl.flags import *\n\nfrom retrograd.command_line import *",
        "python.util.tf_inspect": "from inspect import *",
        "python.util.tf_contextlib": "from contextlib import contextmanager",
        "python.util.deprecation": "from retrograd.graph.deprecation import _PRINT_DEPRECATION_WARNINGS",
        "python.util.compat": "from collections import abc as collections_abc",
        "contrib.framework": "from retrograd.tf.python.util import nest",
        "core.protobuf.control_flow_pb2": "from retrograd.graph.context_protos import (\n    CondContextDef,\n"
        "    ControlFlowContextDef,\n    ValuesDef,\n    WhileContextDef,\n)",
        "python.ops.functional_ops": "from retrograd.state.function_calls import remote_call",
        "python.ops.gen_functional_ops": "from retrograd.state import function_calls",
        "python.ops.control_flow_util": "ENABLE_CONTROL_FLOW_V2 = False",
        "python.ops.gradient_checker_v2": "from retrograd.grad.checker import _to_numpy",
        "python.ops.control_flow_ops": "from retrograd.ops.arrays import identity as _Identity\n"
        "from retrograd.ops.dataflow import enter as _Enter\n"
        "from retrograd.ops.dataflow import switch_beside as _SwitchRefOrTensor",
        "python.ops.resources": "from retrograd.state.initialization import initialize_resources\n"
        "from retrograd.state.registered import local_resources, register_resource, report_uninitialized_resources, "
        "shared_resources",
        "python.training.training_ops": "from retrograd.ops import training",
        "python.training.gen_training_ops": "from retrograd.ops import training",
        "python.ops.variables": "from retrograd.graph import dtypes",
        "python.training.optimizer": "from retrograd.train.optimizer import "
        "_deduplicate_indexed_slices, _get_processor, _var_key",
        "python.training.training_util": "from retrograd.train.training_util import _get_global_step_read, "
        "_get_or_create_global_step_read, _increment_global_step",
        "python.framework.test_ops": "from retrograd.testing import test_ops",
        "python.pywrap_tensorflow": "from retrograd.io.checkpoint_values import NewCheckpointReader",
        "python.training.checkpoint_state_pb2": "from retrograd.files.messages import CheckpointState",
        "core.protobuf.queue_runner_pb2": "from retrograd.files.messages import QueueRunnerDef",
        "python.platform.build_info": "is_cuda_build = is_rocm_build = False",
    }
)
EXTRA.update(
    {
        f"core.{folder}.{name}_pb2": f"from {PB}{name}_pb2 import *\nfrom {PB}{name}_pb2 import DESCRIPTOR"
        for folder, names in {
            "framework": """allocation_description attr_value cost_graph function graph node_def op_def resource_handle
            step_stats summary tensor tensor_description tensor_shape types variable versions api_def""",
            "protobuf": """cluster config debug meta_graph rewriter_config saver saved_object_graph struct
            trackable_object_graph verifier_config""",
            "util": "event",
        }.items()
        for name in names.split()
    }
)
EMPTY += [
    "raw_ops",
    "python.ops.nn",
    "python.ops.math_grad",
    "python.ops.array_grad",
    "python.ops.nn_grad",
    "python.ops.linalg_grad",
    "python.ops.data_flow_grad",
    "python.ops.manip_grad",
    "python.ops.random_grad",
    "python.ops.state_grad",
    "python.ops.control_flow_grad",
    "python.ops.sparse_grad",
    "python.ops.image_grad",
    "python.ops.default_gradient",
    "python.platform.benchmark",
    "python.compat.compat",
]
_DATASETS = "contrib.learn.python.learn.datasets"
EXTRA[_DATASETS] = "\n".join(f"from retrograd.tf.{_DATASETS} import {_name} as {_name}" for _name in ("base", "mnist"))
EXTRA["contrib.learn.datasets"] = EXTRA[_DATASETS]
EXTRA[f"{_DATASETS}.base"] = "from retrograd.io.mnist import Dataset, Datasets, maybe_download"
EXTRA[f"{_DATASETS}.mnist"] = (
    "from retrograd.io.mnist import DEFAULT_SOURCE_URL, DataSet, dense_to_one_hot, extract_images, extract_labels\n"
    "from retrograd.io.mnist import read_data_sets"
)
for _module in ("preprocessing", "python.learn.preprocessing", "python.learn.preprocessing.text"):
    EXTRA[f"contrib.learn.{_module}"] = (
        "from retrograd.io.vocabularies import TOKENIZER_RE, ByteProcessor, CategoricalVocabulary\n"
        "from retrograd.io.vocabularies import VocabularyProcessor, tokenizer"
    )
for _module, _names in {
    "rnn": "stack_bidirectional_dynamic_rnn stack_bidirectional_rnn",
    "rnn_cell": """AttentionCellWrapper BidirectionalGridLSTMCell CompiledWrapper Conv1DLSTMCell Conv2DLSTMCell
        Conv3DLSTMCell ConvLSTMCell CoupledInputForgetGateLSTMCell GLSTMCell GridLSTMCell HighwayWrapper IndRNNCell
        IndyGRUCell IndyLSTMCell IntersectionRNNCell LayerNormBasicLSTMCell NASCell PhasedLSTMCell SRUCell
        TimeFreqLSTMCell UGRNNCell""",
    "core_rnn_cell": "EmbeddingWrapper InputProjectionWrapper OutputProjectionWrapper RNNCell",
    "fused_rnn_cell": "FusedRNNCell FusedRNNCellAdaptor TimeReversedFusedRNN",
    "lstm_ops": "LSTMBlockCell LSTMBlockFusedCell LSTMBlockWrapper",
    "gru_ops": "GRUBlockCell GRUBlockCellV2",
}.items():
    EXTRA[f"contrib.rnn.python.ops.{_module}"] = "from retrograd.tf.contrib.rnn import " + ", ".join(words(_names))
EXTRA["contrib.rnn.python.ops.core_rnn_cell"] += "\nfrom retrograd.nn.recurrent.linear import Linear as _Linear"
EXTRA["contrib.rnn.python.ops.core_rnn_cell"] += "\nfrom retrograd.nn.recurrent.linear import linear as _linear"
EXTRA["python.ops.rnn"] = "from retrograd.tf.python.ops import rnn_cell_impl"
EXTRA["python.tools.freeze_graph"] = "from retrograd.io.tools import freeze_graph, freeze_graph_with_def_protos"
EXTRA["python.tools.inspect_checkpoint"] = "from retrograd.io.tools import print_tensors_in_checkpoint_file"
HIDDEN.add(("retrograd.graph.nest", "difference"))
HIDDEN.add(("retrograd.io.tools", "*"))
RENAMED["contrib.learn", "ModeKeys"] = "retrograd.io.vocabularies:"
HIDDEN.add(("retrograd.io.vocabularies", "*"))
EMPTY += ["python.ops.gen_rnn_ops"]
EMPTY += [
    f"python.{p}"
    for p in words("""
    eager.backprop eager.def_function eager.function eager.wrap_function framework.tensor_spec
    framework.type_spec framework.test_ops framework.subscribe framework.function framework.importer
    framework.meta_graph framework.load_library framework.c_api_util framework.func_graph framework.composite_tensor
    framework.device_spec framework.graph_to_function_def framework.traceable_stack framework.config
    framework.graph_util framework.smart_cond framework.registry ops.embedding_ops ops.tensor_array_ops
    ops.map_fn ops.tensor_array_grad ops.functional_ops ops.list_ops ops.io_ops ops.custom_gradient ops.rnn
    ops.rnn_cell ops.rnn_cell_impl ops.while_v2 ops.cond_v2 ops.losses.losses ops.control_flow_util_v2
    ops.resources ops.stateful_random_ops ops.metrics ops.parsing_ops ops.image_ops ops.confusion_matrix
    ops.session_ops ops.sets ops.stateless_random_ops ops.weights_broadcast_ops ops.op_selector
    ops.init_ops_v2 training.saver training.server_lib training.checkpoint_management
    training.monitored_session training.tracking.util training.tracking.tracking training.tracking.base
    training.queue_runner_impl training.coordinator training.basic_session_run_hooks training.session_manager
    training.session_run_hook training.supervisor training.training_ops training.input training.basic_loops
    training.evaluation training.checkpoint_utils platform.gfile platform.resource_loader lib.io.file_io
    lib.io.tf_record client.device_lib client.timeline tf2 pywrap_tensorflow util.tf_stack util.tf_export
    util.tf_decorator util.object_identity
""")
]
_SAVED = "retrograd.io.saved_model."
for _module, _name in (
    ("saved_model", "load_v2"), ("compat.v2.saved_model", "load"), ("python.saved_model.load", "load"),
):  # fmt: skip
    RENAMED[_module, _name] = f"{_SAVED}loading:load"
for _module in ("saved_model", "compat.v2.saved_model", "python.saved_model.save"):
    RENAMED[_module, "save"] = f"{_SAVED}saving:save"
EXTRA["python.eager.wrap_function"] = "from retrograd.state.wrapping import WrappedFunction, wrap_function"
EXTRA["python.eager.lift_to_graph"] = "from retrograd.state.wrapping import UnliftableError"
EXTRA["python.saved_model.load"] = "from retrograd.io.saved_model.loading import load"
EXTRA["python.saved_model.save"] = "from retrograd.io.saved_model.saving import save"
EXTRA["python.saved_model.nested_structure_coder"] = (
    "from retrograd.io.saved_model.structures import NotEncodableError, StructureCoder"
)
EXTRA["python.saved_model.revived_types"] = (
    "from retrograd.io.saved_model.revived_types import (\n"
    "    VersionedTypeRegistration,\n    deserialize,\n    register_revived_type,\n    registered_identifiers,\n"
    "    serialize,\n)"
)
HIDDEN.update((f"{_SAVED}{_topic}", "*") for _topic in ("structures", "revived_types", "loading", "saving"))
DROPPED.update(f"python.{p}" for p in words("eager.test ops.nccl_ops"))
EXTRA["python.layers.layers"] = "from retrograd.tf.layers import *"

_KERAS, _LAYERS = "retrograd.nn.keras.", "retrograd.nn.layers."
for _topic in ("activations", "initializers", "regularizers", "constraints"):
    for _name in ("get", "serialize"):
        for _module in (f"keras.{_topic}", f"python.keras.{_topic}"):
            RENAMED[_module, _name] = f"{_KERAS}{_topic}:"
for _name in words("elu exponential hard_sigmoid linear relu selu sigmoid softmax softplus softsign"):
    RENAMED["keras.activations", _name] = RENAMED["python.keras.activations", _name] = f"{_KERAS}activations:"
RENAMED["keras.activations", "tanh"] = RENAMED["python.keras.activations", "tanh"] = "retrograd.ops.trigonometry:"
for _name in words("RandomNormal RandomUniform TruncatedNormal"):
    RENAMED["keras.initializers", _name] = RENAMED["python.keras.initializers", _name] = f"{_KERAS}initializers:"
RENAMED["keras.initializers", "normal"] = RENAMED["keras.initializers", "random_normal"] = (
    f"{_KERAS}initializers:RandomNormal"
)
RENAMED["keras.initializers", "uniform"] = RENAMED["keras.initializers", "random_uniform"] = (
    f"{_KERAS}initializers:RandomUniform"
)
RENAMED["keras.initializers", "truncated_normal"] = f"{_KERAS}initializers:TruncatedNormal"
for _name in words("Constraint MaxNorm MinMaxNorm NonNeg UnitNorm max_norm min_max_norm non_neg unit_norm"):
    RENAMED["keras.constraints", _name] = RENAMED["python.keras.constraints", _name] = f"{_KERAS}constraints:"
for _name in words("L1L2 Regularizer l1 l1_l2 l2"):
    RENAMED["keras.regularizers", _name] = RENAMED["python.keras.regularizers", _name] = f"{_KERAS}regularizers:"
HIDDEN.update(
    (f"{_KERAS}{_topic}", "*") for _topic in ("activations", "constraints", "initializers", "regularizers", "lookup")
)
for _module in ("keras.layers", "python.keras.engine.base_layer"):
    RENAMED[_module, "Layer"] = f"{_LAYERS}engine:"
for _name in words("GRU GRUCell LSTM LSTMCell"):
    for _module in ("compat.v2.keras.layers", "python.keras.layers.recurrent_v2"):
        RENAMED[_module, _name] = "retrograd.keras.layers.recurrent_v2:"
HIDDEN.add(("retrograd.keras.layers.recurrent_v2", "*"))
for _module in ("keras.layers", "layers", "python.layers.base", "python.keras.engine.input_spec"):
    RENAMED[_module, "InputSpec"] = f"{_LAYERS}input_spec:"
for _module in ("layers", "python.layers.base"):
    RENAMED[_module, "Layer"] = f"{_LAYERS}base:"
for _name in words("""
    constant_value conv_input_length conv_output_length convert_data_format deconv_output_length
    get_reachable_from_inputs normalize_data_format normalize_padding normalize_tuple smart_cond
"""):
    RENAMED["python.layers.utils", _name] = f"{_LAYERS}sizes:"
for _name in words("Dense Dropout Flatten dense dropout flatten FullyConnected fully_connected"):
    RENAMED["python.layers.core", _name] = f"{_LAYERS}core:"
    if not _name.lower().startswith("fully"):
        RENAMED["layers", _name] = f"{_LAYERS}core:"
HIDDEN.update(
    (f"{_LAYERS}{_file}", "*")
    for _file in ("core", "sizes", "names", "engine", "calls", "held_weights", "added_losses")
)
for _name in words("BatchNorm BatchNormalization batch_norm batch_normalization"):
    RENAMED["python.layers.normalization", _name] = f"{_LAYERS}normalization:"
RENAMED["layers", "BatchNormalization"] = RENAMED["layers", "batch_normalization"] = f"{_LAYERS}normalization:"
HIDDEN.add((f"{_LAYERS}normalization", "*"))
_SPATIAL = {
    "convolutional": """Conv1D Conv2D Conv2DTranspose Conv3D Conv3DTranspose SeparableConv1D SeparableConv2D conv1d
    conv2d conv2d_transpose conv3d conv3d_transpose separable_conv1d separable_conv2d""",
    "pooling": """AveragePooling1D AveragePooling2D AveragePooling3D MaxPooling1D MaxPooling2D MaxPooling3D
    average_pooling1d average_pooling2d average_pooling3d max_pooling1d max_pooling2d max_pooling3d""",
}
_OLDER = {
    "convolutional": """Convolution1D Convolution2D Convolution3D SeparableConvolution2D Convolution2DTranspose
    Deconvolution2D Deconv2D Convolution3DTranspose Deconvolution3D Deconv3D convolution1d convolution2d convolution3d
    separable_convolution2d convolution2d_transpose deconvolution2d deconv2d convolution3d_transpose deconvolution3d
    deconv3d""",
    "pooling": "AvgPool2D MaxPool2D avg_pool2d max_pool2d",
}
for _file, _names in _SPATIAL.items():
    RENAMED.update({("layers", _name): f"{_LAYERS}{_file}:" for _name in words(_names)})
    for _name in words(_names) + words(_OLDER[_file]):
        RENAMED[f"python.layers.{_file}", _name] = f"{_LAYERS}{_file}:"
    HIDDEN.add((f"{_LAYERS}{_file}", "*"))
_METRICS = {
    "streaming": "metric_variable",
    "means": """accuracy mean mean_absolute_error mean_cosine_distance mean_iou mean_per_class_accuracy
    mean_relative_error mean_squared_error mean_tensor percentage_below root_mean_squared_error""",
    "counts": "false_negatives false_positives precision recall true_negatives true_positives",
    "thresholds": """auc false_negatives_at_thresholds false_positives_at_thresholds precision_at_thresholds
    recall_at_thresholds sensitivity_at_specificity specificity_at_sensitivity true_negatives_at_thresholds
    true_positives_at_thresholds""",
    "top_k": """average_precision_at_k precision_at_k precision_at_top_k recall_at_k recall_at_top_k
    sparse_average_precision_at_k sparse_precision_at_k""",
}
for _file, _names in _METRICS.items():
    for _module in ("metrics", "python.ops.metrics", "python.ops.metrics_impl"):
        RENAMED.update({(_module, _name): f"retrograd.nn.metrics.{_file}:" for _name in words(_names)})
    HIDDEN.add((f"retrograd.nn.metrics.{_file}", "*"))
del RENAMED["metrics", "metric_variable"]
_RNN = {
    "rnn_cells": "RNNCell BasicRNNCell GRUCell LSTMCell BasicLSTMCell LSTMStateTuple LayerRNNCell assert_like_rnncell",
    "rnn_wrappers": "DropoutWrapper ResidualWrapper DeviceWrapper MultiRNNCell",
}
for _file, _names in _RNN.items():
    for _module in ("nn.rnn_cell", "python.ops.rnn_cell_impl", "python.ops.rnn_cell", "contrib.rnn"):
        RENAMED.update({(_module, _name): f"retrograd.nn.{_file}:" for _name in words(_names)})
RENAMED.update(
    {
        ("python.ops.rnn_cell_impl", _name): "retrograd.nn.rnn_cells:"
        for _name in ("_WEIGHTS_VARIABLE_NAME", "_BIAS_VARIABLE_NAME")
    }
)
HIDDEN.update((f"retrograd.nn.{_file}", "*") for _file in _RNN)
for _name in ("transpose_batch_time", "best_effort_input_batch_size"):
    RENAMED["contrib.rnn", _name] = RENAMED["python.ops.rnn", f"_{_name}"] = f"retrograd.nn.rnn:{_name}"
for _name in ("sequence_loss", "sequence_loss_by_example"):
    RENAMED["contrib.legacy_seq2seq", _name] = "retrograd.nn.seq2seq.legacy:"
HIDDEN.add(("retrograd.nn.seq2seq.legacy", "sequence_loss"))
RENAMED["contrib.seq2seq", "gather_tree"] = "retrograd.ops.beams:"
HIDDEN.update({("retrograd.run.lowered_loops", "*"), ("retrograd.run.equations", "*")})
HIDDEN.add(("retrograd.ops.single", "*"))
for _module in ("contrib.eager", "python.eager.execution_callbacks"):
    for _name in ("ExecutionCallback", "errstate"):
        RENAMED[_module, _name] = T + "execution_callbacks:"

for _module in ("contrib.layers", "contrib.slim", "contrib.layers.python.layers.rev_block_lib"):
    RENAMED[_module, "recompute_grad"] = "retrograd.state.custom_gradient:recomputed_layer"
_FUNCTION = "python.framework.function"
RENAMED.update(
    {
        (_FUNCTION, "_DefinedFunction"): "retrograd.state.defun:",
        (_FUNCTION, "_OverloadedFunction"): "retrograd.state.defun:",
        (_FUNCTION, "_from_definition"): "retrograd.state.defun:",
        (_FUNCTION, "_FuncGraph"): G + "functions:FunctionGraph",
        (_FUNCTION, "_type_list_to_str"): "retrograd.state.defun:_letters_of",
    }
)
for _module in ("contrib.framework", "contrib.slim", "contrib.framework.python.ops.arg_scope"):
    for _name in words(
        "add_arg_scope arg_scope arg_scope_func_key arg_scoped_arguments current_arg_scope has_arg_scope"
    ):
        RENAMED[_module, _name] = "retrograd.nn.contrib.arg_scope:"
for _module in ("contrib.layers", "contrib.slim", "contrib.layers.python.layers.layers"):
    for _name in words("""avg_pool2d bias_add dropout elu embed_sequence embedding_lookup_unique flatten fully_connected
    linear max_pool2d one_hot_encoding relu relu6 repeat stack"""):
        RENAMED[_module, _name] = "retrograd.nn.contrib.layers:"
    for _name in words("batch_norm layer_norm unit_norm"):
        RENAMED[_module, _name] = "retrograd.nn.contrib.normalization:"
    for _name in words("""conv1d conv2d conv2d_transpose convolution convolution1d convolution2d convolution2d_transpose
    separable_conv2d separable_convolution2d"""):
        RENAMED[_module, _name] = "retrograd.nn.contrib.convolution:"
HIDDEN.update({("retrograd.nn.contrib." + _part, "*") for _part in words("arg_scope convolution layers normalization")})

_CONTRIB = "contrib.layers.python.layers."
RENAMED.update(
    {
        ("contrib.framework.python.ops.variables", "get_or_create_global_step"): "retrograd.train.training_util:",
        ("contrib.framework.python.ops.variables", "get_global_step"): "retrograd.train.training_util:",
        (_CONTRIB + "initializers", "xavier_initializer"): "retrograd.state.xavier:",
        (_CONTRIB + "initializers", "xavier_initializer_conv2d"): "retrograd.state.xavier:",
        (_CONTRIB + "initializers", "variance_scaling_initializer"): "retrograd.state.xavier:",
        (_CONTRIB + "regularizers", "l1_regularizer"): "retrograd.state.regularizers:",
        (_CONTRIB + "regularizers", "l2_regularizer"): "retrograd.state.regularizers:",
        (_CONTRIB + "regularizers", "l1_l2_regularizer"): "retrograd.state.regularizers:",
        (_CONTRIB + "regularizers", "sum_regularizer"): "retrograd.state.regularizers:",
        (_CONTRIB + "regularizers", "apply_regularization"): "retrograd.state.regularizers:",
    }
)

_DISTRIBUTIONS = {
    "arguments": """assert_integer_form assert_symmetric embed_check_categorical_event_shape
    embed_check_integer_casting_closed embed_check_nonnegative_integer_form gen_new_seed get_logits_and_probs
    log_combinations parent_frame_arguments reduce_weighted_logsumexp softplus_inverse""",
    "vectors": """dimension_size fill_triangular fill_triangular_inverse matrix_diag_transform maybe_get_static_value
    pad pick_vector prefer_static_broadcast_shape prefer_static_rank prefer_static_shape prefer_static_value
    rotate_transpose same_dynamic_shape tridiag""",
    "special_math": "erfinv log_cdf_laplace log_ndtr ndtr ndtri",
    "divergences": "RegisterKL cross_entropy kl_divergence",
    "distribution": "Distribution FULLY_REPARAMETERIZED NOT_REPARAMETERIZED ReparameterizationType",
    "discrete": "Bernoulli Categorical",
    "normal": "Normal NormalWithSoftplusScale",
    "continuous": "Laplace LaplaceWithSoftplusScale StudentT StudentTWithAbsDfSoftplusScale Uniform",
    "gamma": """Beta BetaWithSoftplusConcentration Exponential ExponentialWithSoftplusRate Gamma
    GammaWithSoftplusConcentrationRate""",
    "counts": "Dirichlet DirichletMultinomial Multinomial",
    "bijector": "Bijector",
    "bijectors": """AbsoluteValue AffineScalar Chain Exp Identity Inline Invert PowerTransform Sigmoid
    SoftmaxCentered Softplus""",
    "transformed": "TransformedDistribution",
    "normal_vectors": """MultivariateNormalDiag MultivariateNormalDiagWithSoftplusScale
    MultivariateNormalFullCovariance MultivariateNormalTriL""",
}
# modules of TensorFlow with other parts than ours
_DISTRIBUTION_MODULES = {
    "util": "arguments vectors", "special_math": "special_math", "kullback_leibler": "divergences",
    "distribution": "distribution", "bernoulli": "discrete", "categorical": "discrete", "normal": "normal",
    "laplace": "continuous", "student_t": "continuous", "uniform": "continuous", "beta": "gamma",
    "exponential": "gamma", "gamma": "gamma", "dirichlet": "counts", "dirichlet_multinomial": "counts",
    "multinomial": "counts", "bijector": "bijector", "bijector_impl": "bijector",
    "identity_bijector": "bijectors", "transformed_distribution": "transformed",
}  # fmt: skip
for _module, _parts in _DISTRIBUTION_MODULES.items():
    for _part in words(_parts):
        for _name in words(_DISTRIBUTIONS[_part]):
            RENAMED[f"python.ops.distributions.{_module}", _name] = f"retrograd.nn.distributions.{_part}:"
for _part, _names in _DISTRIBUTIONS.items():
    for _name in words(_names):
        if _part in ("bijector", "bijectors"):
            RENAMED["contrib.distributions.bijectors", _name] = f"retrograd.nn.distributions.{_part}:"
        elif _part not in ("arguments", "vectors", "special_math"):
            RENAMED["contrib.distributions", _name] = f"retrograd.nn.distributions.{_part}:"
            if "Softplus" not in _name and _part not in ("transformed", "normal_vectors"):
                for _module in ("distributions", "python.ops.distributions.distributions"):
                    RENAMED[_module, _name] = f"retrograd.nn.distributions.{_part}:"
for _name in words("fill_triangular fill_triangular_inverse matrix_diag_transform tridiag"):
    RENAMED["contrib.distributions", _name] = "retrograd.nn.distributions.vectors:"
for _name in words("reduce_weighted_logsumexp softplus_inverse"):
    RENAMED["contrib.distributions", _name] = "retrograd.nn.distributions.arguments:"
for _module in ("distributions", "contrib.distributions", "python.ops.distributions.distributions"):
    del RENAMED[_module, "cross_entropy"]
RENAMED["python.ops.distributions.kullback_leibler", "_DIVERGENCES"] = (
    "retrograd.nn.distributions.divergences:_divergences"
)
RENAMED["python.ops.distributions.kullback_leibler", "_registered_kl"] = (
    "retrograd.nn.distributions.divergences:_registered"
)
for _name in words("LOGNDTR_FLOAT32_LOWER LOGNDTR_FLOAT32_UPPER LOGNDTR_FLOAT64_LOWER LOGNDTR_FLOAT64_UPPER"):
    RENAMED["python.ops.distributions.special_math", _name] = "retrograd.nn.distributions.special_math:"
HIDDEN.update((f"retrograd.nn.distributions.{_part}", "*") for _part in _DISTRIBUTIONS)

# -- input -------------------------------------------------------------------------------------

EXTRA["python_io"] = (
    "from retrograd.io.tf_record import (\n    TFRecordCompressionType,\n    TFRecordOptions,\n"
    "    TFRecordWriter,\n    tf_record_iterator,\n)"
)
for _name in ("tf_record_iterator", "tf_record_random_reader"):
    RENAMED["python.lib.io.tf_record", _name] = "retrograd.io.tf_record:"
_V1_FILES = {
    "Copy": "copy", "DeleteRecursively": "delete_recursively", "Exists": "file_exists", "Glob": "get_matching_files",
    "IsDirectory": "is_directory", "ListDirectory": "list_directory", "MakeDirs": "recursive_create_dir",
    "MkDir": "create_dir", "Open": "GFile", "Remove": "delete_file", "Rename": "rename", "Stat": "stat", "Walk": "walk",
    "GFile": "GFile", "FastGFile": "FastGFile",
}  # fmt: skip
_V2_FILES = {
    "copy": "copy", "exists": "file_exists", "glob": "get_matching_files", "isdir": "is_directory",
    "listdir": "list_directory", "makedirs": "recursive_create_dir", "mkdir": "create_dir", "remove": "delete_file",
    "rename": "rename", "rmtree": "delete_recursively", "stat": "stat", "walk": "walk",
}  # fmt: skip
for _name, _ours in _V1_FILES.items():
    RENAMED["gfile", _name] = RENAMED["python.platform.gfile", _name] = f"retrograd.io.gfile:{_ours}"
for _name, _ours in _V2_FILES.items():
    RENAMED["io.gfile", _name] = f"retrograd.io.gfile:{_ours}_v2"
RENAMED["io.gfile", "GFile"] = "retrograd.io.gfile:"
HIDDEN.add(("retrograd.io.gfile", "*"))
for _name in words("""
    FileIO atomic_write_string_to_file copy copy_v2 create_dir create_dir_v2 delete_file delete_file_v2
    delete_recursively delete_recursively_v2 file_crc32 file_exists file_exists_v2 filecmp get_matching_files
    get_matching_files_v2 is_directory is_directory_v2 list_directory list_directory_v2 read_file_to_string
    recursive_create_dir recursive_create_dir_v2 rename rename_v2 stat stat_v2 walk walk_v2 write_string_to_file
"""):
    RENAMED["python.lib.io.file_io", _name] = "retrograd.io.gfile:"
RENAMED["python.platform.gfile", "_FileIO"] = "retrograd.io.gfile:FileIO"
for _module in ("", "io"):
    RENAMED[_module, "decode_raw"] = "retrograd.ops.decoding:decode_raw_v1"
_EXAMPLES = words("""
    BytesList Example Feature FeatureList FeatureLists Features FloatList Int64List SequenceExample
""")
LAZY["train"].update(dict.fromkeys(_EXAMPLES, "retrograd.files.messages"))
EXTRA["core.example.example_pb2"] = "from retrograd.files.messages import Example, SequenceExample"
EXTRA["core.example.feature_pb2"] = (
    "from retrograd.files.messages import (\n    BytesList,\n    Feature,\n    FeatureList,\n    FeatureLists,\n"
    "    Features,\n    FloatList,\n    Int64List,\n)"
)
RENAMED["io", "parse_sequence_example"] = "retrograd.ops.sequence_parsing:"
_QUEUES = words("FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue")
RENAMED.update({(_module, _name): "retrograd.ops.queue_classes:" for _module in ("io", "queue") for _name in _QUEUES})

_CLUSTERS = "retrograd.run.clusters:"
for _module in ("train", "python.training.server_lib", "python.training.training", "distribute"):
    RENAMED[_module, "Server"] = _CLUSTERS
    if _module != "distribute":
        RENAMED[_module, "ClusterSpec"] = _CLUSTERS
for _module in ("train", "python.training.device_setter", "python.training.training"):
    RENAMED[_module, "replica_device_setter"] = "retrograd.train.device_setter:"
RENAMED["python.training.device_setter", "_RoundRobinStrategy"] = "retrograd.train.device_setter:RoundRobin"
RENAMED["python.training.device_setter", "STANDARD_PS_OPS"] = "retrograd.train.device_setter:"
RENAMED["python.client.device_lib", "list_local_devices"] = "retrograd.run.devices:"
RENAMED["python.framework.op_def_library", "OpDefLibrary"] = G + "raw:"
RENAMED["contrib.tpu.python.tpu.tpu_function", "get_tpu_context"] = "retrograd.estimator.tpu:"
RENAMED["python.framework.op_def_registry", "get_registered_ops"] = G + "raw:"
HIDDEN.add(("retrograd.run.clusters", "*"))
_CONTRIB_OWN = {
    "contrib.training": {
        "retrograd.train.hparams": "HParams parse_values",
        "retrograd.train.device_setter": "GreedyLoadBalancingStrategy RandomStrategy byte_size_load_fn",
        "retrograd.train.train_ops": """clip_gradient_norms clip_gradient_norms_fn create_train_op
        multiply_gradients""",
    },
    "contrib.framework": {
        "retrograd.nn.contrib.model_variables": """VariableDeviceChooser add_model_variable assign_from_values
        assign_from_values_fn filter_variables get_local_variables get_model_variables get_name_scope
        get_placeholders get_trainable_variables get_unique_variable get_variable_full_name get_variables
        get_variables_by_name get_variables_by_suffix get_variables_to_restore global_variable local_variable
        model_variable reduce_sum_n variable""",
        "retrograd.io.assigning": """assign_from_checkpoint assign_from_checkpoint_fn init_from_checkpoint
        list_variables load_checkpoint load_variable""",
        "retrograd.train.training_util": """assert_global_step create_global_step get_global_step
        get_or_create_global_step""",
    },
}
for _module, _files in _CONTRIB_OWN.items():
    for _file, _names in _files.items():
        for _name in words(_names):
            RENAMED[_module, _name] = f"{_file}:"
            if _file.endswith(("model_variables", "assigning", "training_util")):
                RENAMED["contrib.framework.python.ops.variables", _name] = f"{_file}:"
            if _file.endswith(("model_variables", "assigning")) and "scope" not in _name:
                RENAMED["contrib.slim", _name] = f"{_file}:"
        HIDDEN.add((_file, "*")) if _file.startswith(("retrograd.nn", "retrograd.io.assigning")) else None
for _name in words("HParams parse_values"):
    RENAMED["contrib.training.python.training.hparam", _name] = "retrograd.train.hparams:"
for _name in words("GreedyLoadBalancingStrategy RandomStrategy byte_size_load_fn"):
    RENAMED["contrib.training.python.training.device_setter", _name] = "retrograd.train.device_setter:"
for _name in words("add_arg_scope arg_scope arg_scoped_arguments current_arg_scope has_arg_scope"):
    RENAMED["contrib.framework.python.ops", _name] = "retrograd.nn.contrib.arg_scope:"
RENAMED["contrib.staging", "StagingArea"] = "retrograd.ops.staging:"
EXTRA["contrib.tensorboard.plugins.projector"] = (
    "from tensorboard.plugins.projector import EmbeddingInfo, ProjectorConfig, SpriteMetadata, visualize_embeddings"
)
EXTRA["contrib.staging"] = "from retrograd.ops.staging import StagingArea"
for _name in ("_as_tensor_list", "_as_original_type", "_as_tensor_list_list"):
    RENAMED["python.training.input", _name] = "retrograd.train.input:"

RENAMED["contrib.distributions.bijectors", "AffineLinearOperator"] = "retrograd.nn.distributions.normal_vectors:"
_OPERATORS = {
    "operator": "LinearOperator",
    "kinds": """LinearOperatorDiag LinearOperatorFullMatrix LinearOperatorIdentity LinearOperatorLowerTriangular
    LinearOperatorScaledIdentity""",
    "combined": "LinearOperatorBlockDiag LinearOperatorComposition",
    "turned": "LinearOperatorAdjoint LinearOperatorInversion",
    "low_rank": "LinearOperatorLowRankUpdate",
    "products": "LinearOperatorHouseholder LinearOperatorKronecker",
    "circulant": """LinearOperatorCirculant LinearOperatorCirculant2D LinearOperatorCirculant3D
    LinearOperatorToeplitz""",
    "zeros": "LinearOperatorZeros",
}
for _file, _names in _OPERATORS.items():
    for _name in words(_names):
        for _module in ("linalg", "python.ops.linalg.linalg"):
            RENAMED[_module, _name] = f"retrograd.nn.linear_operators.{_file}:"
for _name in words("RegisterAdjoint RegisterCholesky RegisterInverse RegisterMatmul RegisterSolve"):
    RENAMED["python.ops.linalg.linear_operator_algebra", _name] = "retrograd.nn.linear_operators.operator:"
for _name in words("adjoint cholesky inverse matmul solve"):
    RENAMED["python.ops.linalg.linear_operator_algebra", _name] = "retrograd.nn.linear_operators.operator:"
for _name in words("""assert_compatible_matrix_dimensions assert_is_batch_matrix assert_no_entries_with_modulus_zero
    assert_not_ref_type assert_zero_imag_part broadcast_matrix_batch_dims cholesky_solve_with_broadcast
    matrix_solve_with_broadcast matrix_triangular_solve_with_broadcast shape_tensor
    use_operator_or_provided_hint_unless_contradicting"""):
    RENAMED["python.ops.linalg.linear_operator_util", _name] = "retrograd.nn.linear_operators.broadcasting:"
for _file in (*_OPERATORS, "broadcasting", "hints", "rules"):
    HIDDEN.add((f"retrograd.nn.linear_operators.{_file}", "*"))

_FURTHER = {
    "retrograd.train.adam_variants": "AdaMaxOptimizer LazyAdamOptimizer NadamOptimizer",
    "retrograd.train.weight_decay": """AdamWOptimizer DecoupledWeightDecayExtension MomentumWOptimizer
    extend_with_decoupled_weight_decay""",
    "retrograd.train.external": "ExternalOptimizerInterface ScipyOptimizerInterface",
    "retrograd.io.averaging": "MovingAverageOptimizer",
}
_FURTHER_MODULES = {
    "AdaMaxOptimizer": "adamax", "LazyAdamOptimizer": "lazy_adam_optimizer", "NadamOptimizer": "nadam_optimizer",
    "ScipyOptimizerInterface": "external_optimizer", "ExternalOptimizerInterface": "external_optimizer",
    "MovingAverageOptimizer": "moving_average_optimizer",
}  # fmt: skip
for _file, _names in _FURTHER.items():
    for _name in words(_names):
        RENAMED["contrib.opt", _name] = f"{_file}:"
        _module = "contrib.opt.python.training." + _FURTHER_MODULES.get(_name, "weight_decay_optimizers")
        RENAMED[_module, _name] = f"{_file}:"

# -- tf.data -----------------------------------------------------------------------------------

_DATA = "retrograd.data."
HIDDEN.update(
    (_DATA + _part, "*")
    for _part in words("""
    dataset dividing experimental folding functions generators iterators nest nodes optionals options padding
    random_seeds readers structures tables
""")
)
HIDDEN.update(
    (f"retrograd.ops.{_part}", "*")
    for _part in (
        "datasets",
        "dataset_states",
        "dataset_buffers",
        "dataset_batches",
        "dataset_dividing",
        "dataset_functions",
        "dataset_threads",
        "function_rows",
        "iterators",
    )
)
_ITERATORS = {
    "Iterator": "Iterator", "make_initializable_iterator": "make_initializable_iterator",
    "make_one_shot_iterator": "make_one_shot_iterator", "get_output_types": "get_legacy_output_types",
    "get_output_shapes": "get_legacy_output_shapes", "get_output_classes": "get_legacy_output_classes",
}  # fmt: skip
for _name, _ours in _ITERATORS.items():
    RENAMED["data", _name] = f"{_DATA}iterators:{_ours}"
RENAMED["data", "Dataset"] = _DATA + "dataset:Dataset"
RENAMED["data", "DatasetSpec"] = RENAMED["data.experimental", "DatasetStructure"] = _DATA + "structures:DatasetSpec"
RENAMED["data", "Options"] = _DATA + "options:Options"
for _name in words("FixedLengthRecordDataset TFRecordDataset TextLineDataset"):
    RENAMED["data", _name] = _DATA + "readers:"
RENAMED["contrib.data", "LMDBDataset"] = _DATA + "readers:"
for _module in ("data.experimental", "contrib.data"):
    for _name in words("""
        Counter RandomDataset Reducer TFRecordWriter bucket_by_sequence_length bytes_produced_stats cardinality
        choose_from_datasets copy_to_device enumerate_dataset get_single_element group_by_reducer group_by_window
        ignore_errors latency_stats map_and_batch parallel_interleave parse_example_dataset prefetch_to_device
        sample_from_datasets scan shuffle_and_repeat sliding_window_batch take_while unbatch unique
    """):
        RENAMED[_module, _name] = _DATA + ("folding:scan" if _name == "scan" else "experimental:")
    RENAMED[_module, "CsvDataset"] = _DATA + "readers:"
    for _name in words("SqlDataset make_batched_features_dataset make_csv_dataset"):
        RENAMED[_module, _name] = _DATA + "tables:"
    RENAMED[_module, "dense_to_sparse_batch"] = _DATA + "experimental:"
    RENAMED[_module, "make_saveable_from_iterator"] = "retrograd.io.saved_iterators:"
    for _name in words("Optional get_next_as_optional"):
        RENAMED[_module, _name] = _DATA + "optionals:"
    RENAMED[_module, "AUTOTUNE"] = _DATA + "dataset:"
for _name in words("INFINITE_CARDINALITY UNKNOWN_CARDINALITY"):
    RENAMED["data.experimental", _name] = _DATA + "dataset:"
for _name in words("DistributeOptions MapVectorizationOptions OptimizationOptions StatsOptions ThreadingOptions"):
    RENAMED["data.experimental", _name] = _DATA + "options:"
RENAMED["data.experimental", "get_structure"] = _DATA + "iterators:get_structure"
RENAMED["data.experimental", "map_and_batch_with_legacy_function"] = _DATA + "experimental:map_and_batch"
RENAMED["python.util.nest", "is_sequence"] = G + "nest:is_sequence"
EMPTY += ["python.ops.gen_dataset_ops"]
EXTRA.update(
    {
        "python.data.ops.dataset_ops": "from retrograd.data.dataset import Dataset\n"
        "from retrograd.data.dataset import Dataset as DatasetV1\n"
        "from retrograd.data.dataset import Dataset as DatasetV2\n"
        "from retrograd.data.iterators import (\n    get_legacy_output_classes,\n    get_legacy_output_shapes,\n"
        "    get_legacy_output_types,\n    get_structure,\n    make_initializable_iterator,\n"
        "    make_one_shot_iterator,\n)\nfrom retrograd.data.nodes import (\n    MapDataset,\n    ParallelMapDataset,\n"
        "    PrefetchDataset,\n    _GeneratorDataset,\n    _MaxIntraOpParallelismDataset,\n)\n"
        "from retrograd.data.dataset import VariantDataset as _VariantDataset\n"
        "from retrograd.data.options import Options\n"
        "from retrograd.data.structures import DatasetSpec",
        "python.data.ops.iterator_ops": "from retrograd.data.iterators import (\n"
        "    GET_NEXT_CALL_WARNING_MESSAGE,\n    GET_NEXT_CALL_WARNING_THRESHOLD,\n    Iterator,\n)\n"
        "from retrograd.data.optionals import get_next_as_optional",
        "python.data.ops.readers": "from retrograd.data.readers import (\n    FixedLengthRecordDataset,\n"
        "    TextLineDataset,\n    TFRecordDataset,\n)\nfrom retrograd.data.nodes import _TFRecordDataset",
        "python.data.util.nest": "from retrograd.data.nest import *",
        "contrib.data.python.ops.readers": "from retrograd.data.readers import LMDBDataset",
        "contrib.data.python.ops.batching": "from retrograd.data.experimental import map_and_batch, unbatch",
        "contrib.data.python.ops.interleave_ops": "from retrograd.data.experimental import (\n"
        "    choose_from_datasets,\n    parallel_interleave,\n    sample_from_datasets,\n)",
        "contrib.data.python.ops.grouping": "from retrograd.data.experimental import (\n"
        "    Reducer,\n    bucket_by_sequence_length,\n    group_by_reducer,\n    group_by_window,\n)",
        "contrib.data.python.ops.shuffle_ops": "from retrograd.data.experimental import shuffle_and_repeat",
        "python.data.experimental.ops.batching": "from retrograd.data.experimental import (\n"
        "    dense_to_sparse_batch,\n    map_and_batch,\n    unbatch,\n)",
        "python.data.experimental.ops.interleave_ops": "from retrograd.data.experimental import (\n"
        "    choose_from_datasets,\n    parallel_interleave,\n    sample_from_datasets,\n)\n"
        "from retrograd.data.nodes import _DirectedInterleaveDataset",
        "python.data.experimental.ops.matching_files": "from retrograd.data.nodes import MatchingFilesDataset",
        "python.data.experimental.ops.grouping": "from retrograd.data.experimental import (\n"
        "    Reducer,\n    bucket_by_sequence_length,\n    group_by_reducer,\n    group_by_window,\n)",
        "python.data.experimental.ops.cardinality": "from retrograd.data.dataset import "
        "INFINITE_CARDINALITY as INFINITE\n"
        "from retrograd.data.dataset import UNKNOWN_CARDINALITY as UNKNOWN\n"
        "from retrograd.data.experimental import cardinality",
        "python.data.experimental.ops.readers": "from retrograd.data.readers import CsvDataset\n"
        "from retrograd.data.readers import CsvDataset as CsvDatasetV1\nfrom retrograd.data.tables import (\n"
        "    SqlDataset,\n    make_batched_features_dataset,\n    make_csv_dataset,\n    make_tf_record_dataset,\n)\n"
        "from retrograd.data.tables import SqlDataset as SqlDatasetV1\n"
        "from retrograd.data.tables import make_csv_dataset as make_csv_dataset_v1",
        "python.data.experimental.ops.distribute": "from retrograd.data.dividing import _AutoShardDataset, "
        "_RebatchDataset",
        "python.data.experimental.ops.map_defun": "from retrograd.data.dividing import map_defun",
        "python.data.experimental.ops.threadpool": "from retrograd.data.dividing import (\n"
        "    PrivateThreadPool,\n    override_threadpool,\n)",
        "python.data.experimental.ops.writers": "from retrograd.data.experimental import TFRecordWriter",
        "python.data.experimental.ops.iterator_ops": "from retrograd.io.saved_iterators import "
        "make_saveable_from_iterator",
        "python.data.ops.optional_ops": "from retrograd.data.optionals import Optional, OptionalSpec\n"
        "from retrograd.data.optionals import Optional as _OptionalImpl",
        "python.data.experimental.ops.counter": "from retrograd.data.experimental import Counter\n"
        "from retrograd.data.experimental import Counter as CounterV1",
        "python.data.experimental.ops.enumerate_ops": "from retrograd.data.experimental import enumerate_dataset",
        "python.data.experimental.ops.error_ops": "from retrograd.data.experimental import ignore_errors",
        "python.data.experimental.ops.get_single_element": "from retrograd.data.experimental import get_single_element",
        "python.data.experimental.ops.parsing_ops": "from retrograd.data.experimental import parse_example_dataset",
        "python.data.experimental.ops.prefetching_ops": "from retrograd.data.experimental import (\n"
        "    copy_to_device,\n    prefetch_to_device,\n)",
        "python.data.experimental.ops.random_ops": "from retrograd.data.experimental import RandomDataset\n"
        "from retrograd.data.experimental import RandomDataset as RandomDatasetV1",
        "python.data.experimental.ops.scan_ops": "from retrograd.data.folding import scan",
        "python.data.experimental.ops.shuffle_ops": "from retrograd.data.experimental import shuffle_and_repeat",
        "python.data.experimental.ops.stats_ops": "from retrograd.data.statistics import (\n"
        "    bytes_produced_stats,\n    latency_stats,\n    set_stats_aggregator,\n)",
        "python.data.experimental.ops.take_while_ops": "from retrograd.data.experimental import take_while",
        "python.data.experimental.ops.unique": "from retrograd.data.experimental import unique",
        "python.data.experimental.ops.optimization": "from retrograd.data.optimization import (\n"
        "    _ChooseFastestBranchDataset,\n    _ChooseFastestDataset,\n    assert_next,\n    non_serializable,\n"
        "    optimize,\n)",
        "python.data.experimental.ops.optimization_options": "from retrograd.data.options import (\n"
        "    MapVectorizationOptions,\n    OptimizationOptions,\n)",
        "python.data.experimental.ops.distribute_options": "from retrograd.data.options import DistributeOptions",
        "python.data.experimental.ops.stats_options": "from retrograd.data.options import StatsOptions",
        "python.data.experimental.ops.threading_options": "from retrograd.data.options import ThreadingOptions",
        "python.data.util.structure": "from retrograd.data.structures import compatible as are_compatible\n"
        "from retrograd.data.structures import flat_shapes as get_flat_tensor_shapes\n"
        "from retrograd.data.structures import flat_types as get_flat_tensor_types\n"
        "from retrograd.data.structures import from_legacy as convert_legacy_structure\n"
        "from retrograd.data.structures import batched_tensors_of as to_batched_tensor_list\n"
        "from retrograd.data.structures import checked_element_of as from_tensor_list\n"
        "from retrograd.data.structures import element_of as from_compatible_tensor_list\n"
        "from retrograd.data.structures import tensors_of as to_tensor_list\n"
        "from retrograd.data.structures import normalized as normalize_element\n"
        "from retrograd.data.structures import spec_of as type_spec_from_value",
        "python.data.util.random_seed": "from retrograd.data.random_seeds import get_seed",
    }
)

_EDITING = {
    "selecting": """ControlOutputs can_be_regex check_cios compute_boundary_ts filter_ops filter_ops_from_regex
    filter_ts filter_ts_from_regex get_backward_walk_ops get_consuming_ops get_forward_walk_ops get_generating_ops
    get_name_scope_ops get_ops_ios get_tensors get_walks_intersection_ops get_walks_union_ops get_within_boundary_ops
    make_list_of_op make_list_of_t make_regex select_ops select_ops_and_ts select_ts concatenate_unique
    get_unique_graph is_iterable""",
    "rerouting": "add_control_inputs remove_control_inputs reroute_ts swap_ts",
    "copying": """SubGraphView Transformer TransformerInfo assign_renamed_collections_handler copy copy_op_handler
    copy_with_input_replacements graph_replace keep_t_if_possible_handler make_placeholder_from_dtype_and_shape
    make_placeholder_from_tensor make_view make_view_from_scope placeholder_name replace_t_with_placeholder_handler
    transform_op_if_inside_handler""",
}
_GE = "contrib.graph_editor"
_INNER_EDITING = {
    "select": "selecting", "reroute": "rerouting", "transform": "copying", "subgraph": "copying", "util": "selecting"
}  # fmt: skip
for _part, _names in _EDITING.items():
    for _name in words(_names):
        if _name not in ("concatenate_unique", "get_unique_graph", "is_iterable"):
            RENAMED[_GE, _name] = f"retrograd.editing.{_part}:"
        for _module, _other in _INNER_EDITING.items():
            if _other == _part:
                RENAMED[f"{_GE}.{_module}", _name] = f"retrograd.editing.{_part}:"
    HIDDEN.add((f"retrograd.editing.{_part}", "*"))
for _name in words("""concatenate_unique get_backward_walk_ops get_consuming_ops get_generating_ops get_tensors
    get_unique_graph is_iterable make_list_of_op make_list_of_t"""):
    RENAMED["python.ops.op_selector", _name] = "retrograd.editing.selecting:"
for _name, _ours in (
    ("sgv", "make_view"), ("sgv_scope", "make_view_from_scope"), ("ph", "make_placeholder_from_dtype_and_shape")
):  # fmt: skip
    RENAMED[_GE, _name] = f"retrograd.editing.copying:{_ours}"
for _name in words("make_placeholder_from_dtype_and_shape make_placeholder_from_tensor placeholder_name"):
    RENAMED[f"{_GE}.util", _name] = "retrograd.editing.copying:"

# -- tables ------------------------------------------------------------------------------------

_LOOKUP = "retrograd.io.lookup:"
_PLACE_OF_TABLE = {
    **dict.fromkeys(words("DenseHashTable MutableDenseHashTable MutableHashTable"), "retrograd.io.mutable_tables:"),
    **dict.fromkeys(
        words("KeyValueTensorInitializer TableInitializerBase TextFileIdTableInitializer TextFileIndex")
        + words("TextFileInitializer TextFileStringTableInitializer"),
        "retrograd.io.table_initializers:",
    ),
}
for _name in ("lookup", "mutable_tables", "table_initializers"):
    HIDDEN.add((f"retrograd.io.{_name}", "*"))
_TABLES = words("""
    DenseHashTable FastHashSpec HashTable HasherSpec IdTableWithHashBuckets InitializableLookupTableBase
    KeyValueTensorInitializer LookupInterface MutableDenseHashTable MutableHashTable StaticHashTable
    StaticVocabularyTable StrongHashSpec TableInitializerBase TextFileIdTableInitializer TextFileIndex
    TextFileInitializer TextFileStringTableInitializer index_table_from_file index_table_from_tensor index_to_string
    index_to_string_table_from_file index_to_string_table_from_tensor string_to_index tables_initializer
    initialize_all_tables
""")
for _name in _TABLES:
    RENAMED["python.ops.lookup_ops", _name] = _PLACE_OF_TABLE.get(_name, _LOOKUP)
for _name in _TABLES[1:]:
    if not _name.startswith(("Static", "initialize", "tables", "TextFileInitializer")):
        RENAMED["contrib.lookup", _name] = _PLACE_OF_TABLE.get(_name, _LOOKUP)
RENAMED["contrib.lookup", "string_to_index_table_from_file"] = _LOOKUP + "index_table_from_file"
RENAMED["contrib.lookup", "string_to_index_table_from_tensor"] = _LOOKUP + "index_table_from_tensor"
for _name in words("KeyValueTensorInitializer StaticHashTable StaticVocabularyTable TextFileIndex TextFileInitializer"):
    RENAMED["lookup", _name] = _PLACE_OF_TABLE.get(_name, _LOOKUP)
for _name in ("tables_initializer", "initialize_all_tables"):
    RENAMED["", _name] = RENAMED["initializers", _name] = _LOOKUP
RENAMED["lookup.experimental", "DenseHashTable"] = _PLACE_OF_TABLE["DenseHashTable"]
for _name in ("StaticHashTable", "StaticVocabularyTable"):
    RENAMED["python.ops.lookup_ops", f"{_name}V1"] = _LOOKUP + _name

for _name in words("rfft irfft rfft2d irfft2d rfft3d irfft3d"):
    for _module in ("signal", "spectral"):
        RENAMED[_module, _name] = "retrograd.ops.fourier:"
for _module, _names in {
    "fft_ops": "fft fft2d fft3d fftshift ifft ifft2d ifft3d ifftshift irfft irfft2d irfft3d rfft rfft2d rfft3d",
    "dct_ops": "dct idct", "mel_ops": "linear_to_mel_weight_matrix", "mfcc_ops": "mfccs_from_log_mel_spectrograms",
    "reconstruction_ops": "overlap_and_add", "shape_ops": "frame", "window_ops": "hamming_window hann_window",
    "spectral_ops": "inverse_stft inverse_stft_window_fn stft",
}.items():  # fmt: skip
    for _name in words(_names):
        _part = "ops.fourier" if _module == "fft_ops" else "nn.signals"
        RENAMED[f"python.ops.signal.{_module}", _name] = f"retrograd.{_part}:"
        if _part == "nn.signals":
            RENAMED["contrib.signal", _name] = "retrograd.nn.signals:"
EMPTY += ["python.ops.signal.signal", "python.ops.spectral_ops_test_util"]
HIDDEN.add(("retrograd.nn.signals", "*"))
for _name in words("dct idct"):
    RENAMED["signal", _name] = RENAMED["spectral", _name] = "retrograd.nn.signals:"
for _name in words("""frame hamming_window hann_window inverse_stft inverse_stft_window_fn linear_to_mel_weight_matrix
    mfccs_from_log_mel_spectrograms overlap_and_add stft"""):
    RENAMED["signal", _name] = "retrograd.nn.signals:"

# -- images and sound in files -----------------------------------------------------------------

_CODED = words("""
    decode_and_crop_jpeg decode_bmp decode_gif decode_jpeg decode_png encode_jpeg encode_png extract_jpeg_shape is_jpeg
""")
for _module in ("image", "io", "python.ops.image_ops", "python.ops.image_ops_impl"):
    RENAMED.update({(_module, _name): "retrograd.ops.coded_images:" for _name in _CODED})
    RENAMED[_module, "decode_image"] = "retrograd.nn.image.decoding:"
EXTRA["audio"] = "from retrograd.ops.audio import decode_wav, encode_wav"
EXTRA["contrib.framework.python.ops.audio_ops"] = """from retrograd.ops.audio import decode_wav, encode_wav
from retrograd.ops.speech import audio_spectrogram, mfcc"""
EXTRA["python.ops.spectral_ops_test_util"] = "from contextlib import nullcontext as fft_kernel_label_map"
for _key, _ours in list(RENAMED.items()):
    if _key[0] == "contrib.layers.python.layers.layers" and _ours:
        RENAMED.setdefault(("contrib.layers.python.layers", _key[1]), _ours)
EXTRA["core.framework.tensor_pb2"] += '\n\n_TENSORPROTO = DESCRIPTOR.message_types_by_name["TensorProto"]'
HIDDEN.add(("retrograd.ops.audio", "*"))
