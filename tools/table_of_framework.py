"""What names alone cannot say of graphs, sessions, errors and flags, and modules with lines of their own."""

from faces_table import EMPTY, EXTRA, HIDDEN, LAZY, PB, RENAMED, G, T, words

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
        ("python.ops.metrics_impl", "_confusion_matrix_at_thresholds"): "retrograd.nn.metrics.thresholds:counts_at",
        ("python.ops.metrics_impl", "_streaming_confusion_matrix"): (
            "retrograd.nn.metrics.means:streaming_confusion_matrix"
        ),
        ("python.ops.sparse_ops", "_DEFAULT_HASH_KEY"): "retrograd.ops.sparse_crossing:",
        **{
            ("python.ops.sparse_ops", f"_{name}"): f"retrograd.ops.sparse_maps:{name}"
            for name in (
                "add_sparse_to_tensors_map",
                "add_many_sparse_to_tensors_map",
                "take_many_sparse_from_tensors_map",
            )
        },
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
        ("", "get_static_value"): G + "static:",
        ("compat.v2", "get_static_value"): G + "static:",
        ("contrib.util", "constant_value"): G + "static:get_static_value",
        ("python.framework.tensor_util", "constant_value"): G + "static:get_static_value",
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
        ("retrograd.ops.draws", "*"),
        ("retrograd.ops.rejection", "*"),
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
        "python.ops.control_flow_ops": "from retrograd.ops.dataflow import enter as _Enter\n"
        "from retrograd.ops.dataflow import next_iteration as _NextIteration\n"
        "from retrograd.ops.dataflow import passed as _Identity\n"
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
            "profiler": "tfprof_log",
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
EXTRA["python.framework.tensor_conversion_registry"] = (
    "from retrograd.graph.convert import register_tensor_conversion_function"
)
EXTRA["python.tools.inspect_checkpoint"] = "from retrograd.io.tools import print_tensors_in_checkpoint_file"
EXTRA["contrib.rnn.python.tools.checkpoint_convert"] = (
    "from retrograd.io.old_names import RNN_NAME_REPLACEMENTS, convert_names"
)
HIDDEN.add(("retrograd.graph.nest", "difference"))
HIDDEN.add(("retrograd.io.old_names", "*"))
HIDDEN.add(("retrograd.io.tools", "*"))
RENAMED["contrib.learn", "ModeKeys"] = "retrograd.io.vocabularies:"
HIDDEN.add(("retrograd.io.vocabularies", "*"))
HIDDEN.add(("retrograd.ops.circular", "*"))
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
EXTRA["python.eager.lift_to_graph"] = "from retrograd.state.lifting import UnliftableError"
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
EXTRA["python.layers.layers"] = "from retrograd.tf.layers import *"
