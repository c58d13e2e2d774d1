"""Where the names of ``tf.contrib`` come from; added to the table of ``faces_table``.

A row is: a module of a part | TensorFlow's modules | their names, ``ours=theirs`` where they differ.
"""

from pathlib import Path

from faces_table import EMPTY, EXTRA, HIDDEN, RENAMED, words  # noqa: F401

SERVED = """
contrib.optimizing | contrib.layers contrib.slim contrib.layers.python.layers.optimizers contrib.layers.python.layers
    | optimize_loss adaptive_clipping_fn OPTIMIZER_CLS_NAMES OPTIMIZER_SUMMARIES
contrib.summarizing | contrib.layers contrib.slim contrib.layers.python.layers.summaries contrib.layers.python.layers
    contrib.layers.summaries | summarize_activation summarize_tensor summarize_tensors summarize_collection
    summarize_activations summarize_variables summarize_weights summarize_biases
contrib.summarizing | contrib.slim.summaries contrib.slim.python.slim.summaries | add_histogram_summary
    add_image_summary add_scalar_summary add_zero_fraction_summary add_histogram_summaries add_image_summaries
    add_scalar_summaries add_zero_fraction_summaries
contrib.analyzing | contrib.slim.model_analyzer contrib.slim.python.slim.model_analyzer | tensor_description
    analyze_ops analyze_vars
contrib.learning | contrib.training contrib.training.python.training.training | train
train.train_ops | contrib.training contrib.training.python.training.training | add_gradients_summaries
    clip_gradient_norms clip_gradient_norms_fn create_train_op multiply_gradients
train.train_ops | contrib.slim.learning contrib.slim.python.slim.learning | clip_gradient_norms
contrib.graph_runs | contrib.learn | run_feeds run_n infer
contrib.learning | contrib.slim.learning contrib.slim.python.slim.learning | create_train_op multiply_gradients
    add_gradients_summaries train_step train_slim=train
contrib.evaluating | contrib.training contrib.training.python.training.evaluation contrib.training.evaluation |
    StopAfterNEvalsHook SummaryAtEndHook checkpoints_iterator evaluate_once evaluate_repeatedly
    get_or_create_eval_step wait_for_new_checkpoint
contrib.evaluating | contrib.slim.evaluation contrib.slim.python.slim.evaluation | evaluate_once_slim=evaluate_once
    evaluation_loop wait_for_new_checkpoint checkpoints_iterator
contrib.slim_data | contrib.slim.dataset contrib.slim.python.slim.data.dataset | Dataset
contrib.slim_data | contrib.slim.data_provider contrib.slim.python.slim.data.data_provider | DataProvider
contrib.slim_data | contrib.slim.data_decoder contrib.slim.python.slim.data.data_decoder | DataDecoder
contrib.slim_data | contrib.slim.dataset_data_provider contrib.slim.python.slim.data.dataset_data_provider |
    DatasetDataProvider
contrib.slim_data | contrib.slim.parallel_reader contrib.slim.python.slim.data.parallel_reader | ParallelReader
    parallel_read single_pass_read get_data_files
contrib.slim_data | contrib.slim.prefetch_queue contrib.slim.python.slim.data.prefetch_queue | prefetch_queue
contrib.slim_data | contrib.slim.queues contrib.slim.python.slim.queues | QueueRunners NestedQueueRunnerError
contrib.slim_data | contrib.slim.tfexample_decoder contrib.slim.python.slim.data.tfexample_decoder | ItemHandler
    ItemHandlerCallback BoundingBox Tensor LookupTensor BackupHandler SparseTensor Image TFExampleDecoder
io.event_files | python.summary.summary_iterator | summary_iterator
ops.accumulators | sparse python.ops.data_flow_ops | SparseConditionalAccumulator
ops.accumulators | python.ops.data_flow_ops | ConditionalAccumulatorBase ConditionalAccumulator
ops.accumulators | - | ConditionalAccumulator SparseConditionalAccumulator ConditionalAccumulatorBase
sessions.sync_replicas | train python.training.sync_replicas_optimizer python.training.training |
    SyncReplicasOptimizer
train.bucketing | contrib.training contrib.training.python.training.bucket_ops contrib.training.bucket_ops | bucket
    bucket_by_sequence_length
train.sampling | contrib.training contrib.training.python.training.sampling_ops | rejection_sample stratified_sample
train.sampling | contrib.training contrib.training.python.training.resample | resample_at_rate weighted_resample
train.queue_runner | contrib.training | QueueRunner=FeedingQueueRunner
nn.contrib.metrics | contrib.metrics contrib.metrics.python.ops.metric_ops | streaming_true_positives
    streaming_true_negatives streaming_false_positives streaming_false_negatives streaming_precision streaming_recall
    streaming_mean streaming_mean_tensor streaming_accuracy streaming_mean_absolute_error streaming_mean_squared_error
    streaming_root_mean_squared_error streaming_mean_relative_error streaming_percentage_less streaming_mean_iou
    streaming_auc streaming_precision_at_thresholds streaming_recall_at_thresholds
    streaming_specificity_at_sensitivity streaming_sensitivity_at_specificity streaming_sparse_recall_at_k
    streaming_sparse_precision_at_k streaming_sparse_average_precision_at_k
    streaming_sparse_average_precision_at_top_k streaming_recall_at_k streaming_sparse_precision_at_top_k
    sparse_recall_at_top_k streaming_false_positive_rate streaming_false_negative_rate
    streaming_true_positives_at_thresholds streaming_false_negatives_at_thresholds
    streaming_false_positives_at_thresholds streaming_true_negatives_at_thresholds
    streaming_false_positive_rate_at_thresholds streaming_false_negative_rate_at_thresholds recall_at_precision
    precision_at_recall streaming_curve_points streaming_covariance streaming_pearson_correlation
    streaming_mean_cosine_distance count cohen_kappa aggregate_metrics aggregate_metric_map
nn.contrib.metrics | contrib.metrics contrib.metrics.python.metrics.classification contrib.metrics.python.metrics |
    accuracy f1_score
nn.contrib.curves | contrib.metrics contrib.metrics.python.ops.metric_ops | streaming_concat streaming_dynamic_auc
    auc_with_confidence_intervals precision_recall_at_equal_thresholds
nn.contrib.curves | contrib.metrics contrib.metrics.python.ops.histogram_ops | auc_using_histogram
nn.contrib.curves | contrib.metrics.python.ops.histogram_ops | _summed=_strict_1d_cumsum
nn.contrib.curves | contrib.metrics.python.ops.metric_ops | _next_size=_next_array_size
ops.confusion | contrib.metrics contrib.metrics.python.ops.confusion_matrix_ops | confusion_matrix
nn.contrib.older_layers | contrib.layers contrib.slim contrib.layers.python.layers.layers contrib.layers.python.layers
    | GDN gdn dense_to_sparse images_to_sequence sequence_to_images legacy_fully_connected legacy_linear legacy_relu
    pool scale_gradient
nn.contrib.older_layers | contrib.layers contrib.slim contrib.layers.python.layers.embedding_ops
    contrib.layers.embedding_ops | safe_embedding_lookup_sparse
nn.contrib.layers | contrib.layers.python.layers.embedding_ops contrib.layers.embedding_ops | embedding_lookup_unique
nn.contrib.layers | contrib.layers.python.layers.encoders contrib.layers.encoders | embed_sequence
nn.contrib.older_layers | contrib.layers.python.layers.utils contrib.slim.utils contrib.layers.utils | constant_value
    static_cond smart_cond two_element_tuple n_positive_integers channel_dimension last_dimension
nn.contrib.variables | contrib.layers.python.layers.utils contrib.slim.utils contrib.layers.utils |
    collections_of=get_variable_collections
nn.contrib.older_layers | contrib.layers.python.layers.layers | poincare_normalize _inner_flatten
state.xavier | contrib.layers.python.layers.initializers contrib.slim contrib.slim.initializers
    contrib.layers.initializers | scaling_initializer=variance_scaling_initializer xavier_initializer
    xavier_initializer_conv2d
nn.contrib.more_layers | contrib.layers.python.layers.normalization | group_norm instance_norm
state.regularizers | contrib.slim.regularizers contrib.layers.regularizers | l1_regularizer l2_regularizer
    l1_l2_regularizer sum_regularizer apply_regularization
nn.contrib.nets.inception | contrib.slim.nets.inception contrib.slim.python.slim.nets.inception | inception_v1
    inception_v1_arg_scope inception_v1_base inception_v2 inception_v2_arg_scope inception_v2_base inception_v3
    inception_v3_arg_scope inception_v3_base
nn.contrib.nets.inception | contrib.slim.nets.inception_v1 contrib.slim.python.slim.nets.inception_v1 | inception_v1
    inception_v1_arg_scope inception_v1_base
nn.contrib.nets.inception | contrib.slim.nets.inception_v2 contrib.slim.python.slim.nets.inception_v2 | inception_v2
    inception_v2_arg_scope inception_v2_base
nn.contrib.nets.inception | contrib.slim.nets.inception_v3 contrib.slim.python.slim.nets.inception_v3 | inception_v3
    inception_v3_arg_scope inception_v3_base
nn.contrib.nets.resnet_v2 | contrib.slim.nets.resnet_v2 contrib.slim.python.slim.nets.resnet_v2 | bottleneck resnet_v2
    resnet_v2_101 resnet_v2_152 resnet_v2_200 resnet_v2_50 resnet_v2_block
nn.contrib.nets.resnet_utils | contrib.slim.nets.resnet_v2 contrib.slim.python.slim.nets.resnet_v2 | resnet_arg_scope
nn.contrib.nets.vgg | contrib.slim.nets.overfeat contrib.slim.python.slim.nets.overfeat | overfeat overfeat_arg_scope
ops.projections | contrib.image contrib.image.python.ops.image_ops | transform flat_transforms_to_matrices
    matrices_to_flat_transforms
nn.contrib.images | contrib.image contrib.image.python.ops.image_ops | rotate translate
    angles_to_projective_transforms translations_to_projective_transforms compose_transforms
nn.contrib.images | contrib.image contrib.image.python.ops.dense_image_warp | dense_image_warp _interpolate_bilinear
nn.contrib.functions | contrib.nn | alpha_dropout deprecated_flipped_softmax_cross_entropy_with_logits
    deprecated_flipped_sparse_softmax_cross_entropy_with_logits deprecated_flipped_sigmoid_cross_entropy_with_logits
    scaled_softplus
nn.contrib.functions | contrib.nn.python.ops.scaled_softplus | scaled_softplus
nn.contrib.functions | contrib.nn.python.ops.alpha_dropout | alpha_dropout
contrib.compiling | xla.experimental contrib.compiler.xla python.compiler.xla.xla | compile_=compile
contrib.compiling | xla.experimental python.compiler.xla.jit | jit_scope experimental_jit_scope
contrib.compiling | contrib.compiler.jit | experimental_jit_scope
contrib.compiling | python.compiler.xla.jit | experimental_jit_scope
estimator.time_series.estimators | contrib.timeseries contrib.timeseries.python.timeseries
    contrib.timeseries.python.timeseries.estimators | ARRegressor TimeSeriesRegressor
estimator.time_series.estimators | contrib.timeseries.python.timeseries
    contrib.timeseries.python.timeseries.estimators | LSTMAutoRegressor
estimator.time_series.estimators | contrib.timeseries contrib.timeseries.python.timeseries
    contrib.timeseries.python.timeseries.head | OneShotPredictionHead
estimator.time_series.estimators | contrib.timeseries.python.timeseries contrib.timeseries.python.timeseries.head |
    TimeSeriesRegressionHead state_to_dictionary
estimator.time_series.estimators | contrib.timeseries.python.timeseries.state_management | PassthroughStateManager
    FilteringOnlyStateManager
estimator.time_series.autoregressive | contrib.timeseries contrib.timeseries.python.timeseries
    contrib.timeseries.python.timeseries.ar_model | ARModel
estimator.time_series.autoregressive | contrib.timeseries.python.timeseries
    contrib.timeseries.python.timeseries.ar_model | AnomalyMixtureARModel FlatPredictionModel LSTMPredictionModel
estimator.time_series.autoregressive | contrib.timeseries.python.timeseries.math_utils | normal_log_prob cauchy_log_prob
estimator.time_series.keys | contrib.timeseries contrib.timeseries.python.timeseries
    contrib.timeseries.python.timeseries.feature_keys | FilteringResults TrainEvalFeatures
estimator.time_series.keys | contrib.timeseries.python.timeseries contrib.timeseries.python.timeseries.feature_keys |
    FilteringFeatures PredictionFeatures PredictionResults SavedModelLabels State Times Values
estimator.time_series.models | contrib.timeseries.python.timeseries.model | ModelOutputs SequentialTimeSeriesModel
    TimeSeriesModel
estimator.time_series.reading | contrib.timeseries contrib.timeseries.python.timeseries
    contrib.timeseries.python.timeseries.input_pipeline | CSVReader NumpyReader RandomWindowInputFn
    WholeDatasetInputFn predict_continuation_input_fn
estimator.time_series.reading | contrib.timeseries.python.timeseries
    contrib.timeseries.python.timeseries.input_pipeline | ReaderBaseTimeSeriesParser
    TFExampleReader TimeSeriesInputFn TimeSeriesReader
estimator.time_series.reading | contrib.timeseries.python.timeseries.model_utils |
    times_behind=canonicalize_times_or_steps_from_output
estimator.time_series.statistics | contrib.timeseries.python.timeseries.math_utils | InputStatistics
    InputStatisticsFromMiniBatch Moments replicate_state
"""

_recorded: dict[str, set[str]] = {}
for _line in (Path(__file__).parents[1] / "tests" / "golden" / "names.tsv").read_text().splitlines():
    _module, _name, _ = _line.split("\t")
    _recorded.setdefault(_module, set()).add(_name)


def serve(rows: str) -> None:
    """Add rows to the table."""
    for row in rows.replace("\n    ", " ").strip().splitlines():
        part, modules, names = (cell.strip() for cell in row.split("|"))
        for module in words(modules):
            for pair in words(names):
                ours, _, theirs = pair.partition("=")
                if (theirs or ours) in _recorded.get(module, {theirs or ours}):
                    RENAMED[module.strip("-"), theirs or ours] = f"retrograd.{part}:{ours}"
        if part.startswith(("contrib.", "nn.contrib.", "estimator.time_series.")):
            HIDDEN.add((f"retrograd.{part}", "*"))


serve(SERVED)
EXTRA["contrib.slim"] = "from retrograd.tf.contrib import layers"
