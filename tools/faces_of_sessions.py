"""Where names around sessions and savers come from; added to the table of ``faces_table``. See ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve
from faces_table import EXTRA, HAND, LAZY

SERVED = """
sessions.wrapped | python.training.monitored_session | WrappedSession=_WrappedSession HookedSession=_HookedSession
    RecoverableSession=_RecoverableSession CoordinatedSession=_CoordinatedSession
sessions.monitored | python.training.monitored_session | _MonitoredSession USE_DEFAULT
sessions.supervisor | train python.training.basic_loops python.training.training | basic_train_loop
ops.session_tensors | - python.ops.session_ops | delete_session_tensor get_session_handle get_session_tensor
ops.session_tensors | python.ops.session_ops | TensorHandle
ops.map_staging | python.ops.data_flow_ops | MapStagingArea
ops.record_input | contrib.framework python.ops.data_flow_ops | RecordInput
io.plugin_assets | python.summary.plugin_asset | PluginAsset get_plugin_asset get_all_plugin_assets
testing.saved_table | python.training.saver_test_utils | CheckpointedOp
testing.fake_summaries | contrib.testing contrib.testing.python.framework.fake_summary_writer | FakeSummaryWriter
io.assigning | contrib.framework.python.framework.checkpoint_utils | init_from_checkpoint list_variables
    load_checkpoint load_variable
io.saver | python.training.saver | _get_saver_or_default _import_meta_graph_with_return_elements
"""
serve(SERVED)
HIDDEN.update((f"retrograd.testing.{_file}", "*") for _file in ("saved_table", "fake_summaries"))
HIDDEN.update((f"retrograd.{_file}", "*") for _file in ("sessions.wrapped", "ops.map_staging", "ops.record_input"))
HAND.add("python.platform.tf_logging")  # not names of a module, but the module
for _module in ("train", "compat.v2.train", "python.training.server_lib", "core.protobuf.tensorflow_server_pb2"):
    LAZY.setdefault(_module, {})["ServerDef"] = "retrograd.run.clusters"
EXTRA["core.protobuf.config_pb2"] += "\nfrom tensorboard.compat.proto.rpc_options_pb2 import RPCOptions"
