"""Where the names of the smaller packages of ``tf.contrib`` come from; see ``faces_of_contrib``."""

import faces_of_seldom  # noqa: F401  what it says comes first
from faces_of_contrib import HIDDEN, serve
from faces_table import EXTRA, LAZY

_KERNELS = "contrib.kernel_methods contrib.kernel_methods.python"
_SCALES = "contrib.mixed_precision contrib.mixed_precision.python"
SERVED = f"""
nn.contrib.warping | contrib.image contrib.image.python.ops.interpolate_spline | interpolate_spline
nn.contrib.warping | contrib.image contrib.image.python.ops.sparse_image_warp | sparse_image_warp
ops.image_regions | contrib.image contrib.image.python.ops.image_ops | bipartite_match connected_components
nn.contrib.sparsemax | contrib.sparsemax contrib.sparsemax.python.ops.sparsemax | sparsemax
nn.contrib.sparsemax | contrib.sparsemax contrib.sparsemax.python.ops.sparsemax_loss | sparsemax_loss
contrib.kernel_methods | {_KERNELS}.mappers.random_fourier_features | RandomFourierFeatureMapper
contrib.kernel_methods | {_KERNELS}.losses | sparse_multiclass_hinge_loss
contrib.kernel_methods | contrib.kernel_methods.python.mappers.dense_kernel_mapper | DenseKernelMapper InvalidShapeError
contrib.loss_scaling | {_SCALES}.loss_scale_manager | LossScaleManager FixedLossScaleManager
    ExponentialUpdateLossScaleManager
contrib.loss_scaling | {_SCALES}.loss_scale_optimizer | LossScaleOptimizer
feature_column.steps | contrib.feature_column contrib.feature_column.python.feature_column.sequence_feature_column |
    sequence_input_layer
feature_column.sequence | contrib.feature_column.python.feature_column.sequence_feature_column |
    concatenate_context_input sequence_categorical_column_with_identity sequence_categorical_column_with_hash_bucket
    sequence_categorical_column_with_vocabulary_file sequence_categorical_column_with_vocabulary_list
feature_column.steps | contrib.feature_column contrib.feature_column.python.feature_column.sequence_feature_column |
    sequence_numeric_column
feature_column.sequence | contrib.feature_column | sequence_categorical_column_with_identity
    sequence_categorical_column_with_hash_bucket sequence_categorical_column_with_vocabulary_file
    sequence_categorical_column_with_vocabulary_list
estimator.predicting | contrib.predictor contrib.predictor.predictor_factories | from_estimator
estimator.predicting | contrib.predictor.core_estimator_predictor | CoreEstimatorPredictor
io.saved_model.loader | contrib.predictor.predictor | Predictor
io.small_sets | contrib.learn.datasets contrib.learn.python.learn.datasets | DATASETS load_iris load_boston
    load_dataset make_dataset
io.small_sets | contrib.learn.datasets.base contrib.learn.python.learn.datasets.base | load_csv_with_header
    load_csv_without_header shrink_csv load_iris load_boston retry
io.small_sets | contrib.learn.python.learn.datasets.text_datasets | DBPEDIA_URL maybe_download_dbpedia load_dbpedia
io.small_sets | contrib.learn.python.learn.datasets.synthetic | circles spirals
ops.arithmetic | python.ops.standard_ops | multiply=mul
nn.summaries | python.ops.summary_op_util python.distribute.summary_op_util | clean_tag summary_scope collect
nn.summaries | python.distribute.summary_op_util | skip_summary
estimator.estimator | python.estimator.estimator | Estimator
estimator.specs | python.estimator.model_fn | EstimatorSpec ModeKeys
estimator.config | python.estimator.run_config | RunConfig TaskType
estimator.training | python.estimator.training | TrainSpec EvalSpec train_and_evaluate
estimator.exporters | python.estimator.exporter | Exporter LatestExporter FinalExporter BestExporter
estimator.export_outputs | python.estimator.export.export_output | ExportOutput ClassificationOutput PredictOutput
    RegressionOutput
estimator.receivers | python.estimator.export.export python.estimator.export.export_lib | ServingInputReceiver
    TensorServingInputReceiver build_parsing_serving_input_receiver_fn build_raw_serving_input_receiver_fn
estimator.inputs | python.estimator.inputs.inputs python.estimator.inputs.numpy_io | numpy_input_fn
estimator.inputs | python.estimator.inputs.inputs python.estimator.inputs.pandas_io | pandas_input_fn
estimator.canned.keys | python.estimator.canned.prediction_keys | PredictionKeys
estimator.canned.keys | python.estimator.canned.metric_keys | MetricKeys
sessions.older_profiling | contrib.tfprof.model_analyzer | TRAINABLE_VARS_PARAMS_STAT_OPTIONS FLOAT_OPS_OPTIONS
    PRINT_ALL_TIMING_MEMORY print_model_analysis advise
sessions.profiling | contrib.tfprof.model_analyzer | Profiler
testing.stubs | test python.platform.googletest | StubOutForTesting
graph.convert | python.framework.ops | as_tensor=internal_convert_to_tensor
contrib.pruning | contrib.model_pruning contrib.model_pruning.python.pruning | apply_mask get_masked_weights get_masks
    get_thresholds get_weights get_weight_sparsity get_pruning_hparams Pruning
contrib.pruning | contrib.model_pruning.python.layers.core_layers | MASK_COLLECTION THRESHOLD_COLLECTION
    MASKED_WEIGHT_COLLECTION WEIGHT_COLLECTION MASKED_WEIGHT_NAME
io.tracking | contrib.checkpoint | NoDependency
io.inference_graphs | python.tools.optimize_for_inference_lib | EPSILON_ATTR INPUT_ORDER ensure_graph_is_valid
    fold_batch_norms fuse_resize_and_conv node_from_map node_name_from_input optimize_for_inference
    scale_after_normalization values_from_const
contrib.quantizing | contrib.quantize contrib.quantize.python.quantize_graph | create_eval_graph create_training_graph
    experimental_create_eval_graph experimental_create_training_graph
nn.recurrent.grid | contrib.grid_rnn contrib.grid_rnn.python.ops.grid_rnn_cell | GridRNNCell Grid1BasicRNNCell
    Grid2BasicRNNCell Grid1BasicLSTMCell Grid2BasicLSTMCell Grid1LSTMCell Grid2LSTMCell Grid3LSTMCell Grid2GRUCell
io.inference_graphs | python.tools.strip_unused_lib | strip_unused
estimator.heads | estimator | Head
estimator.class_heads | estimator | BinaryClassHead MultiClassHead MultiLabelHead
estimator.number_heads | estimator | LogisticRegressionHead MultiHead PoissonRegressionHead RegressionHead
ops.device_memory | contrib.memory_stats contrib.memory_stats.python.ops.memory_stats_ops | BytesInUse BytesLimit
    MaxBytesInUse
distribute.cluster_resolvers | distribute.cluster_resolver contrib.cluster_resolver python.distribute.cluster_resolver
    python.distribute.cluster_resolver.tpu_cluster_resolver
    contrib.cluster_resolver.python.training.tpu_cluster_resolver | TPUClusterResolver
"""
serve(SERVED)
HIDDEN.add(("retrograd.sessions.older_profiling", "*"))
HIDDEN.add(("retrograd.feature_column.steps", "*"))
HIDDEN.update(
    (f"retrograd.{_part}", _name)
    for _part, _name in (("derivatives.batch_axes", "Axes"), ("ops.windows", "Axis"), ("run.steps", "Step"))
)
LAZY.setdefault("", {})["pywrap_tensorflow"] = "retrograd.tf.python"
EXTRA["contrib.tfprof"] = "from retrograd.tf.contrib.tfprof import model_analyzer"
