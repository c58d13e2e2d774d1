"""Where the names of ``tf.estimator`` and of what belongs to it come from; added to the table of ``faces_table``."""

from faces_table import EMPTY, EXTRA, HIDDEN, RENAMED, words

# part | TensorFlow's modules | names, ``ours=theirs`` where they differ
SERVED = """
estimator.estimator | estimator | Estimator
estimator.preparing | estimator | WarmStartSettings
estimator.specs | estimator | EstimatorSpec ModeKeys
estimator.specs | estimator.experimental | call_logit_fn
estimator.specs | python.util.function_utils | fn_args
estimator.config | estimator | RunConfig
estimator.training | estimator | TrainSpec EvalSpec train_and_evaluate
estimator.exporters | estimator | Exporter LatestExporter FinalExporter BestExporter
estimator.export_outputs | estimator.export | ExportOutput ClassificationOutput PredictOutput RegressionOutput
estimator.receivers | estimator.export | ServingInputReceiver TensorServingInputReceiver
estimator.receivers | estimator.export | build_parsing_serving_input_receiver_fn build_raw_serving_input_receiver_fn
estimator.receivers | estimator.experimental | build_raw_supervised_input_receiver_fn
estimator.hooks | estimator.experimental | InMemoryEvaluatorHook make_early_stopping_hook
estimator.hooks | estimator.experimental | make_stop_at_checkpoint_step_hook stop_if_higher_hook stop_if_lower_hook
estimator.hooks | estimator.experimental | stop_if_no_decrease_hook stop_if_no_increase_hook
contrib.evaluating | python.training.evaluation | StopAfterNEvalsHook=_StopAfterNEvalsHook evaluate_once=_evaluate_once
contrib.evaluating | python.training.evaluation | get_or_create_eval_step=_get_or_create_eval_step
estimator.inputs | estimator.inputs | numpy_input_fn pandas_input_fn
estimator.inputs | contrib.training | _FeedingQueueRunner=FeedingQueueRunner
estimator.warm_starting | estimator train python.training.warm_starting_util | VocabInfo
estimator.warm_starting | train python.training.training python.training.warm_starting_util | warm_start
estimator.warm_starting | python.training.warm_starting_util | _get_grouped_variables _get_object_checkpoint_renames
estimator.warm_starting | python.training.warm_starting_util | _get_var_info _infer_var_name _warm_start_var_with_vocab
estimator.tpu | contrib.tpu estimator.tpu | InputPipelineConfig RunConfig TPUConfig TPUEstimator TPUEstimatorSpec
estimator.tpu | contrib.tpu | CrossShardOptimizer
estimator.tpu | contrib.tpu.python.tpu.tpu_config python.tpu.tpu_config | InputPipelineConfig RunConfig TPUConfig
estimator.tpu | python.estimator.tpu.tpu_config | InputPipelineConfig RunConfig TPUConfig
estimator.tpu | contrib.tpu.python.tpu.tpu_estimator | TPUEstimator TPUEstimatorSpec ExportSavedModelApiVersion
estimator.tpu | python.tpu.tpu_estimator | TPUEstimator TPUEstimatorSpec ExportSavedModelApiVersion
estimator.tpu | python.estimator.tpu.tpu_estimator | TPUEstimator TPUEstimatorSpec ExportSavedModelApiVersion
estimator.tpu | contrib.tpu.python.tpu.tpu_optimizer python.tpu.tpu_optimizer | CrossShardOptimizer
distribute.topologies | contrib.tpu.python.tpu.topology python.tpu.topology | Topology
sessions.profiling | profiler python.profiler.model_analyzer | Profiler advise profile
sessions.profiling | profiler python.profiler.option_builder | ProfileOptionBuilder
sessions.op_logs | profiler python.profiler.tfprof_logger | write_op_log
estimator.learn | contrib.learn | Estimator SKCompat
estimator.older.arrays | contrib.learn contrib.learn.python.learn.utils.input_fn_utils | InputFnOps
estimator.older.specs | contrib.learn | ModelFnOps
estimator.older.metric_specs | contrib.learn | MetricSpec
estimator.older.run_configs | contrib.learn | RunConfig
estimator.older.arrays | contrib.learn contrib.learn.python.learn.utils.input_fn_utils | build_parsing_serving_input_fn
estimator.learn | contrib.learn.python.learn.estimators.estimator | Estimator SKCompat
estimator.older.specs | contrib.learn.python.learn.estimators.model_fn | ModelFnOps
estimator.older.run_configs | contrib.learn.python.learn.estimators.run_config | RunConfig Environment
estimator.older.metric_specs | contrib.learn.python.learn.metric_spec | MetricSpec
estimator.older.experiments | contrib.learn contrib.learn.python.learn.experiment | Experiment
estimator.older.monitors | contrib.learn.monitors contrib.learn.python.learn.monitors | ValidationMonitor
estimator.older.runners | contrib.learn.learn_runner contrib.learn.python.learn.learn_runner | run
estimator.older.regressions | contrib.learn.models contrib.learn.python.learn.models | linear_regression
estimator.older.regressions | contrib.learn.models contrib.learn.python.learn.models | linear_regression_zero_init
estimator.older.regressions | contrib.learn.models contrib.learn.python.learn.models | logistic_regression
estimator.older.regressions | contrib.learn.models contrib.learn.python.learn.models | logistic_regression_zero_init
sessions.hooks | contrib.learn contrib.learn.monitors | NanLossDuringTrainingError
sessions.monitored | contrib.learn.python.learn.monitored_session | MonitoredSession MonitoredTrainingSession
sessions.scaffold | contrib.learn.python.learn.monitored_session | Scaffold
estimator.config | contrib.learn | TaskType
io.vocabularies | contrib.learn.python.learn.estimators.model_fn | ModeKeys
testing.event_files | contrib.testing | latest_event_file latest_events latest_summaries simple_values_from_events
testing.event_files | contrib.testing.python.framework.util_test | latest_event_file latest_events latest_summaries
testing.event_files | contrib.testing.python.framework.util_test | simple_values_from_events
estimator.remapping | contrib.framework | load_and_remap_matrix_initializer load_embedding_initializer
"""

for _row in SERVED.strip().splitlines():
    _part, _modules, _names = (cell.strip() for cell in _row.split("|"))
    for _module in words(_modules):
        for _pair in words(_names):
            _ours, _, _theirs = _pair.partition("=")
            RENAMED[_module, _theirs or _ours] = f"retrograd.{_part}:{_ours}"
    if _part.startswith("estimator."):
        HIDDEN.add((f"retrograd.{_part}", "*"))
EXTRA["profiler"] = (
    "from retrograd.files.messages import message\n\n"
    'AdviceProto = message("AdviceProto")\n'
    'GraphNodeProto = message("GraphNodeProto")\n'
    'MultiGraphNodeProto = message("MultiGraphNodeProto")\n'
    'OpLogProto = message("OpLogProto")'
)
_REMAPPING = words("load_and_remap_matrix load_and_remap_matrix_initializer load_embedding_initializer")
RENAMED.update(
    {("python.training.checkpoint_ops", f"_{_n}"): f"retrograd.estimator.remapping:{_n}" for _n in _REMAPPING}
)
HIDDEN.add(("retrograd.ops.quantile_sketch", "Summary"))  # TensorFlow's is a proto
# modules that programs for TPUs and for CPUs import at their top
EMPTY += [f"python.tpu.{_module}" for _module in words("tpu tpu_feed device_assignment ops.tpu_ops")]
