"""Where the names of TensorFlow's command-line tools come from, and inner names that public repositories read."""

from faces_of_contrib import serve
from faces_table import EXTRA, LAZY, words

SERVED = """
io.tool_commands | python.tools.freeze_graph | run_freeze_graph=run_main
io.graph_transforms | tools.graph_transforms | transform_graph=TransformGraph
io.tool_commands | python.tools.import_pb_to_tensorboard | import_to_tensorboard
feature_column.serialization | python.feature_column.feature_column_lib | serialize_feature_column
    serialize_feature_columns deserialize_feature_column deserialize_feature_columns
estimator.specs | python.estimator.model_fn | LOSS_METRIC_KEY call_logit_fn verify_model_fn_args
estimator.specs | python.estimator.estimator | verify_model_fn_args=_verify_model_fn_args ModeKeys
estimator.receivers | python.estimator.export.export | SupervisedInputReceiver UnsupervisedInputReceiver
    build_raw_supervised_input_receiver_fn build_supervised_input_receiver_fn_from_input_fn
    wrap_and_check_input_tensors
estimator.older.exporting | contrib.learn.utils | make_export_strategy
estimator.older.arrays | contrib.learn.utils | InputFnOps build_parsing_serving_input_fn
derivatives.hessians | compat.v2 | hessians_v2=hessians
derivatives.hessians | python.ops.gradients_impl | hessians_v2=HessiansV2
graph.deprecation | python.util.deprecation | deprecated_alias
graph.nest | python.util.nest | _like=_sequence_like _values=_yield_value _items=_yield_sorted_items
graph.untracked | python.training.tracking.base | TrackableReference
"""
serve(SERVED)
# the tools that run by ``python -m``
for _tool in words("freeze_graph import_pb_to_tensorboard inspect_checkpoint optimize_for_inference strip_unused"):
    _module = f"python.tools.{_tool}"
    EXTRA[_module] = f"""{EXTRA.get(_module, "")}

if __name__ == "__main__":
    from retrograd.io.tool_commands import run_{_tool}

    raise SystemExit(run_{_tool}())
"""
EXTRA["python.tools.saved_model_cli"] = """
if __name__ == "__main__":
    raise SystemExit(main())
"""
_PUBLIC = """
python.estimator.canned.dnn | estimator | DNNClassifier DNNEstimator DNNRegressor
python.estimator.canned.linear | estimator | LinearClassifier LinearEstimator LinearRegressor
python.estimator.canned.baseline | estimator | BaselineClassifier BaselineEstimator BaselineRegressor
python.estimator.canned.dnn_linear_combined | estimator | DNNLinearCombinedClassifier DNNLinearCombinedEstimator
    DNNLinearCombinedRegressor
python.estimator.canned.boosted_trees | estimator | BoostedTreesClassifier BoostedTreesEstimator BoostedTreesRegressor
python.estimator.estimator | estimator | VocabInfo WarmStartSettings
python.profiler.profiler | profiler | AdviceProto GraphNodeProto MultiGraphNodeProto OpLogProto ProfileOptionBuilder
    Profiler advise profile write_op_log
contrib.keras | keras | activations applications constraints initializers regularizers
contrib.data.python.ops.threadpool | python.data.experimental.ops.threadpool | PrivateThreadPool override_threadpool
contrib.learn.utils | contrib.learn.python.learn.utils | input_fn_utils
contrib.learn.python.learn.utils | contrib.learn.utils | InputFnOps build_parsing_serving_input_fn
"""
for _line in _PUBLIC.replace("\n    ", " ").strip().splitlines():
    _path, _public, _names = (part.strip() for part in _line.split("|"))
    LAZY.setdefault(_path, {}).update(dict.fromkeys(words(_names), f"retrograd.tf.{_public}"))
