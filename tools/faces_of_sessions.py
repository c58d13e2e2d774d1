"""Where names around sessions and savers come from; added to the table of ``faces_table``. See ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve
from faces_table import EXTRA, HAND, LAZY, words

SERVED = """
sessions.wrapped | python.training.monitored_session | WrappedSession=_WrappedSession HookedSession=_HookedSession
    RecoverableSession=_RecoverableSession CoordinatedSession=_CoordinatedSession
sessions.monitored | python.training.monitored_session | _MonitoredSession USE_DEFAULT
sessions.supervisor | train python.training.basic_loops python.training.training | basic_train_loop
ops.session_tensors | - python.ops.session_ops | delete_session_tensor get_session_handle get_session_tensor
ops.session_tensors | python.ops.session_ops | TensorHandle
ops.map_staging | python.ops.data_flow_ops | MapStagingArea
ops.record_input | contrib.framework python.ops.data_flow_ops python.ops.standard_ops | RecordInput
io.plugin_assets | python.summary.writer.writer | _PLUGINS_DIR
io.plugin_assets | python.summary.plugin_asset | PluginAsset get_plugin_asset get_all_plugin_assets
io.summary_writers | contrib.summary contrib.summary.summary python.ops.summary_ops_v2 | SummaryWriter
    all_v2_summary_ops all_summary_ops always_record_summaries create_file_writer create_summary_file_writer eval_dir
    flush graph_=graph initialize never_record_summaries record_summaries_every_n_global_steps should_record_summaries
    summary_writer_initializer_op
io.written_summaries | contrib.summary contrib.summary.summary python.ops.summary_ops_v2 | audio generic histogram image
    import_event scalar
io.summary_writers | python.ops.summary_ops_v2 | NoopSummaryWriter ResourceSummaryWriter create_file_writer_v2
    create_noop_writer get_step record_if set_step
io.written_summaries | python.ops.summary_ops_v2 | keras_model run_metadata run_metadata_graphs summary_scope
    summary_writer_function write write_raw_pb INVALID_SCOPE_CHARACTERS=_INVALID_SCOPE_CHARACTERS
io.summary_writers | summary | all_v2_summary_ops initialize
io.summary_writers | compat.v2.summary | SummaryWriter create_file_writer_v2=create_file_writer create_noop_writer
    flush record_if
io.written_summaries | compat.v2.summary | write
io.summary_writers | compat.v2.summary.experimental | get_step set_step
io.written_summaries | compat.v2.summary.experimental | summary_scope write_raw_pb
estimator.export_outputs | python.saved_model.model_utils.export_output | ClassificationOutput EvalOutput ExportOutput
    PredictOutput RegressionOutput TrainOutput _SupervisedOutput
estimator.export_outputs | python.saved_model.model_utils.export_utils | build_all_signature_defs
    export_outputs_for_mode get_export_outputs get_temp_export_dir get_timestamped_export_dir
estimator.specs | python.saved_model.model_utils.mode_keys | ModeKeys=EstimatorModeKeys KerasModeKeys
nn.contrib.older_summaries | python.ops.logging_ops | audio_summary histogram_summary image_summary merge_all_summaries
    merge_summary scalar_summary
testing.saved_table | python.training.saver_test_utils | CheckpointedOp
testing.fake_summaries | contrib.testing contrib.testing.python.framework.fake_summary_writer | FakeSummaryWriter
io.assigning | contrib.framework.python.framework.checkpoint_utils | init_from_checkpoint list_variables
    load_checkpoint load_variable
io.saver | python.training.saver | _get_saver_or_default _import_meta_graph_with_return_elements
"""
serve(SERVED)
HIDDEN.update((f"retrograd.io.{_file}", "*") for _file in ("written_summaries", "summary_writers"))
HIDDEN.update((f"retrograd.testing.{_file}", "*") for _file in ("saved_table", "fake_summaries"))
HIDDEN.update((f"retrograd.{_file}", "*") for _file in ("sessions.wrapped", "ops.map_staging", "ops.record_input"))
HAND.add("python.platform.tf_logging")  # not names of a module, but the module
for _module in ("train", "compat.v2.train", "python.training.server_lib", "core.protobuf.tensorflow_server_pb2"):
    LAZY.setdefault(_module, {})["ServerDef"] = "retrograd.run.clusters"
EXTRA["core.protobuf.config_pb2"] += "\nfrom tensorboard.compat.proto.rpc_options_pb2 import RPCOptions"
EXTRA["python.pywrap_tensorflow"] += "\nfrom retrograd.files.events_writer import EventsWriter"
LAZY["python.pywrap_tensorflow"] = {"EqualGraphDefWrapper": "retrograd.testing.graph_difference"}
_SUMMARIES = dict.fromkeys(
    ("DeleteStatSummarizer", "NewStatSummarizer", "StatSummarizer"), "retrograd.sessions.step_summaries"
)
LAZY["contrib.stat_summarizer"] = _SUMMARIES
_C_CALLS = words("""
    TF_OK TF_CANCELLED TF_UNKNOWN TF_INVALID_ARGUMENT TF_DEADLINE_EXCEEDED TF_NOT_FOUND TF_ALREADY_EXISTS
    TF_PERMISSION_DENIED TF_RESOURCE_EXHAUSTED TF_FAILED_PRECONDITION TF_ABORTED TF_OUT_OF_RANGE TF_UNIMPLEMENTED
    TF_INTERNAL TF_UNAVAILABLE TF_DATA_LOSS TF_UNAUTHENTICATED
    TF_DeleteStatus TF_GetCode TF_Message TF_NewStatus TF_Run TF_SetStatus
""")
LAZY["python.pywrap_tensorflow"].update(_SUMMARIES, **dict.fromkeys(_C_CALLS, "retrograd.run.c_calls"))
LAZY["python.framework.kernels"] = dict.fromkeys(
    ("get_all_registered_kernels", "get_registered_kernels_for_op"), "retrograd.run.kernel_lists"
)
LAZY["python.eager.core"] = dict.fromkeys(
    ("_FallbackException", "_NotOkStatusException", "_status_to_exception"), "retrograd.run.c_calls"
)
LAZY["python.eager.execute"] = dict.fromkeys(
    words("""
    args_to_matching_eager args_to_mixed_eager_tensors convert_to_mixed_eager_tensors execute make_bool make_float
    make_int make_shape make_str make_tensor make_type quick_execute record_gradient
    """),
    "retrograd.eager.executing",
)
LAZY["contrib.training.python.training.hparam_pb2"] = {"HParamDef": "retrograd.files.messages"}
for _module in ("normalization", "normalization_v1"):
    LAZY[f"python.keras.layers.preprocessing.{_module}"] = {"Normalization": "retrograd.keras.layers.adapting"}
LAZY["contrib.saved_model.python.saved_model.reader"] = dict.fromkeys(
    ("get_saved_model_tag_sets", "read_saved_model"), "retrograd.io.saved_model.command_line"
)
for _names in (EXTRA, LAZY):  # which shows all that the inner module has
    _names["python.pywrap_tensorflow_internal"] = _names["python.pywrap_tensorflow"]

LAZY["core.util.test_log_pb2"] = dict.fromkeys(
    words("""
    AvailableDeviceInfo BenchmarkEntries BenchmarkEntry BuildConfiguration CPUInfo CommitId DESCRIPTOR EntryValue
    GPUInfo MachineConfiguration MemoryInfo MetricEntry PlatformInfo RunConfiguration TestResults
    """),
    "retrograd.files.benchmark_messages",
)
