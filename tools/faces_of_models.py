"""Where names of estimators, their columns and strategies come from; see ``faces_of_contrib``."""

from faces_of_contrib import serve
from faces_table import HIDDEN

SERVED = """
estimator.tpu | tpu contrib.tpu python.tpu.bfloat16 contrib.tpu.python.tpu.bfloat16 | bfloat16_scope
estimator.tpu | tpu python.tpu.tpu_optimizer | CrossShardOptimizer
estimator.tpu | python.tpu.tpu_function | get_tpu_context TpuContext
distribute.kinds | compat.v2.distribute | MirroredStrategy OneDeviceStrategy
distribute.strategies | compat.v2.distribute | Strategy StrategyExtended
distribute.kinds | compat.v2.distribute.experimental | CentralStorageStrategy MultiWorkerMirroredStrategy
    ParameterServerStrategy
estimator.class_heads | python.estimator.head.binary_class_head | BinaryClassHead
estimator.class_heads | python.estimator.head.multi_class_head | MultiClassHead
estimator.class_heads | python.estimator.head.multi_label_head | MultiLabelHead
estimator.heads | python.estimator.head.base_head | Head
estimator.number_heads | python.estimator.head.multi_head | MultiHead
estimator.number_heads | python.estimator.head.regression_head | LogisticRegressionHead PoissonRegressionHead
    RegressionHead
estimator.canned.optimizers | python.estimator.canned.optimizers | get_optimizer_instance
estimator.remapping | contrib.framework contrib.framework.python.ops.checkpoint_ops |
    load_linear_multiclass_bias_initializer load_variable_slot_initializer
feature_column.scattered | contrib.slim contrib.layers.python.layers.embedding_ops | scattered_embedding_lookup
    scattered_embedding_lookup_sparse
feature_column.scattered | contrib.layers.python.layers.embedding_ops |
    sampled_scattered_embedding_lookup=_sampled_scattered_embedding_lookup
    sampled_scattered_embedding_lookup_sparse=_sampled_scattered_embedding_lookup_sparse
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
estimator.estimator | python.estimator.estimator | Estimator
estimator.preparing | python.estimator.estimator | saved_global_step=_load_global_step_from_checkpoint_dir
estimator.specs | python.estimator.model_fn | EstimatorSpec ModeKeys
estimator.config | python.estimator.run_config | RunConfig TaskType
estimator.training | python.estimator.training | TrainSpec EvalSpec train_and_evaluate
estimator.hooks | python.estimator.early_stopping | make_early_stopping_hook read_eval_metrics stop_if_higher_hook
    stop_if_lower_hook stop_if_no_decrease_hook stop_if_no_increase_hook
estimator.hooks | python.estimator.hooks.hooks | InMemoryEvaluatorHook make_stop_at_checkpoint_step_hook
estimator.exporters | python.estimator.exporter | Exporter LatestExporter FinalExporter BestExporter
estimator.export_outputs | python.estimator.export.export_output | ExportOutput ClassificationOutput PredictOutput
    RegressionOutput
estimator.receivers | python.estimator.export.export python.estimator.export.export_lib | ServingInputReceiver
    TensorServingInputReceiver build_parsing_serving_input_receiver_fn build_raw_serving_input_receiver_fn
estimator.inputs | python.estimator.inputs.inputs python.estimator.inputs.numpy_io | numpy_input_fn
estimator.inputs | python.estimator.inputs.inputs python.estimator.inputs.pandas_io | pandas_input_fn
estimator.canned.keys | python.estimator.canned.prediction_keys | PredictionKeys
estimator.canned.keys | python.estimator.canned.metric_keys | MetricKeys
estimator.heads | estimator | Head
estimator.class_heads | estimator | BinaryClassHead MultiClassHead MultiLabelHead
estimator.number_heads | estimator | LogisticRegressionHead MultiHead PoissonRegressionHead RegressionHead
distribute.cluster_resolvers | distribute.cluster_resolver contrib.cluster_resolver python.distribute.cluster_resolver
    python.distribute.cluster_resolver.tpu_cluster_resolver
    contrib.cluster_resolver.python.training.tpu_cluster_resolver | TPUClusterResolver
estimator.learn | contrib.learn contrib.learn.python.learn.estimators.estimator | BaseEstimator
estimator.older.bases | contrib.learn contrib.learn.python.learn.evaluable | Evaluable
estimator.older.bases | contrib.learn contrib.learn.python.learn.trainable | Trainable
estimator.older.bases | contrib.learn contrib.learn.python.learn.estimators._sklearn | NotFittedError
estimator.older.scores | contrib.learn.python.learn.estimators._sklearn | accuracy_score mean_squared_error
    train_test_split
estimator.older.exporting | contrib.learn contrib.learn.python.learn.export_strategy | ExportStrategy
estimator.older.exporting | contrib.learn contrib.learn.python.learn.utils
    contrib.learn.python.learn.utils.saved_model_export_utils | make_export_strategy
estimator.older.exporting | contrib.learn.python.learn.utils.saved_model_export_utils contrib.learn.utils |
    make_parsing_export_strategy make_best_model_export_strategy extend_export_strategy BestModelSelector
    get_input_alternatives get_output_alternatives build_all_signature_defs build_standardized_signature_def
    DEFAULT_INPUT_ALTERNATIVE_KEY FEATURES_INPUT_ALTERNATIVE_KEY
estimator.older.bundles | contrib.learn.python.learn.utils.export | export_estimator generic_signature_fn
    classification_signature_fn classification_signature_fn_with_prob regression_signature_fn
    logistic_regression_signature_fn
distribute.all_reduce | python.distribute.all_reduce contrib.all_reduce.python.all_reduce | build_ring_all_reduce
    build_recursive_hd_all_reduce build_shuffle_all_reduce build_nccl_all_reduce build_nccl_then_ring
    build_nccl_then_recursive_hd build_nccl_then_shuffle build_shuffle_then_ring build_shuffle_then_shuffle
distribute.all_reduce | python.distribute.all_reduce | flattened=_flatten_tensors ring_permutations=_ring_permutations
    ring_gathered=_build_ring_gather
distribute.nccl | python.ops.nccl_ops | all_sum all_prod all_min all_max reduce_sum broadcast
distribute.steps | contrib.distribute python.distribute.step_fn | Step StandardInputStep StandardSingleLossStep
distribute.steps | contrib.distribute contrib.distribute.python.monitor | Monitor
estimator.predicting | contrib.predictor contrib.predictor.predictor_factories | from_contrib_estimator
estimator.predicting | contrib.predictor.contrib_estimator_predictor | ContribEstimatorPredictor
feature_column.models | contrib.slim | InputLayer
distribute.contexts | distribute python.distribute.reduce_util | ReduceOp
distribute.contexts | distribute contrib.distribute python.training.distribution_strategy_context
    python.distribute.distribution_strategy_context python.distribute.distribute_lib | get_strategy has_strategy
    get_replica_context in_cross_replica_context experimental_set_strategy
distribute.contexts | contrib.distribute python.training.distribution_strategy_context
    python.distribute.distribution_strategy_context | get_cross_replica_context get_strategy_and_replica_context
    get_strategy=get_distribution_strategy has_strategy=has_distribution_strategy
distribute.contexts | contrib.distribute python.distribute.distribute_lib | require_replica_context UpdateContext
distribute.contexts | distribute contrib.distribute python.distribute.distribute_lib | ReplicaContext
distribute.contexts | python.distribute.distribute_lib | get_update_device
distribute.strategies | distribute contrib.distribute python.distribute.distribute_lib | InputContext
    InputReplicationMode get_loss_reduction Strategy StrategyExtended
distribute.strategies | contrib.distribute | Strategy=DistributionStrategy
    StrategyExtended=DistributionStrategyExtended
distribute.strategies | python.distribute.distribute_lib | Strategy=StrategyV1 StrategyExtended=StrategyExtendedV1
    StrategyExtended=StrategyExtendedV2
distribute.kinds | distribute python.distribute.mirrored_strategy | MirroredStrategy
distribute.kinds | python.distribute.mirrored_strategy | MirroredStrategy=MirroredStrategyV1 MirroredExtended
distribute.kinds | distribute contrib.distribute python.distribute.one_device_strategy
    contrib.distribute.python.one_device_strategy | OneDeviceStrategy
distribute.kinds | distribute python.distribute.cross_device_ops contrib.distribute | CrossDeviceOps
    HierarchicalCopyAllReduce NcclAllReduce ReductionToOneDevice
distribute.kinds | contrib.distribute | AllReduceCrossDeviceOps
    ReductionToOneDevice=ReductionToOneDeviceCrossDeviceOps DistributeConfig CollectiveAllReduceStrategy
    ContribMirroredStrategy=MirroredStrategy ContribParameterServerStrategy=ParameterServerStrategy
distribute.kinds | python.distribute.distribute_config | DistributeConfig
distribute.kinds | contrib.distribute.python.mirrored_strategy | ContribMirroredStrategy=MirroredStrategy
distribute.kinds | contrib.distribute.python.parameter_server_strategy |
    ContribParameterServerStrategy=ParameterServerStrategy
distribute.kinds | contrib.distribute.python.collective_all_reduce_strategy | CollectiveAllReduceStrategy
distribute.kinds | python.distribute.collective_all_reduce_strategy |
    MultiWorkerMirroredStrategy=CollectiveAllReduceStrategy MultiWorkerMirroredStrategy=CollectiveAllReduceStrategyV1
distribute.kinds | distribute.experimental | CentralStorageStrategy CollectiveCommunication
    MultiWorkerMirroredStrategy ParameterServerStrategy
distribute.cluster_resolvers | distribute.cluster_resolver python.distribute.cluster_resolver contrib.cluster_resolver
    | ClusterResolver SimpleClusterResolver TFConfigClusterResolver UnionResolver
distribute.cluster_resolvers | contrib.cluster_resolver python.distribute.cluster_resolver |
    UnionResolver=UnionClusterResolver
estimator.config | contrib.learn.python.learn.estimators.run_config | TaskType
estimator.canned.kmeans | contrib.factorization.python.ops.kmeans | points_of=_parse_features_if_necessary
estimator.older.factorizing | contrib.factorization contrib.factorization.python.ops.gmm | GMM
estimator.older.factorizing | contrib.factorization contrib.factorization.python.ops.wals | WALSMatrixFactorization
estimator.older.factorizing | contrib.factorization.python.ops.wals | SweepHook=_SweepHook
    StopAtSweepHook=_StopAtSweepHook
estimator.canned.heads | python.estimator.canned.head | LossSpec Head=_Head
    BinaryHead=_BinaryLogisticHeadWithSigmoidCrossEntropyLoss
    MultiClassHead=_MultiClassHeadWithSoftmaxCrossEntropyLoss RegressionHead=_RegressionHeadWithMeanSquaredErrorLoss
    BinaryHead=_binary_logistic_head_with_sigmoid_cross_entropy_loss RegressionHead=_regression_head
    MultiClassHead=_multi_class_head_with_softmax_cross_entropy_loss classification=_classification_output
    binary_or_multi_class_head=_binary_logistic_or_multi_class_head DEFAULT=_DEFAULT_SERVING_KEY
    CLASSIFY=_CLASSIFY_SERVING_KEY REGRESS=_REGRESS_SERVING_KEY PREDICT=_PREDICT_SERVING_KEY
estimator.canned.labels | python.estimator.canned.head | checked_logits=_check_logits_final_dim
    checked_labels=_check_dense_labels_match_logits_and_reshape weights_of=_get_weights_and_check_match_logits
    in_range=_assert_range loss_of_user=_call_loss_fn all_class_ids=_all_class_ids all_classes=_all_classes
    labels_mean=_indicator_labels_mean predictions_mean=_predictions_mean accuracy_baseline=_accuracy_baseline
    auc=_auc accuracy_at=_accuracy_at_threshold precision_at=_precision_at_threshold recall_at=_recall_at_threshold
    checked_class_count=_validate_n_classes check_loss_fn=_validate_loss_fn_args
estimator.estimator | compat.v2.estimator | EstimatorV2=Estimator
estimator.canned.second_generation | compat.v2.estimator | DNNClassifierV2=DNNClassifier DNNRegressorV2=DNNRegressor
    DNNEstimatorV2=DNNEstimator LinearClassifierV2=LinearClassifier LinearRegressorV2=LinearRegressor
    LinearEstimatorV2=LinearEstimator DNNLinearCombinedClassifierV2=DNNLinearCombinedClassifier
    DNNLinearCombinedRegressorV2=DNNLinearCombinedRegressor DNNLinearCombinedEstimatorV2=DNNLinearCombinedEstimator
    BaselineClassifierV2=BaselineClassifier BaselineRegressorV2=BaselineRegressor
    BaselineEstimatorV2=BaselineEstimator
estimator.estimator | python.estimator.estimator | EstimatorV2
estimator.canned.recurrent | contrib.estimator contrib.estimator.python.estimator.rnn | RNNClassifier RNNEstimator
estimator.canned.parsing | compat.v2.estimator | classifier_parse_example_spec regressor_parse_example_spec
estimator.preparing | python.estimator.util | parse_input_fn_result
estimator.specs | python.estimator.util | fn_args
estimator.towers | contrib.estimator contrib.estimator.python.estimator.replicate_model_fn | replicate_model_fn
    TowerOptimizer
estimator.towers | contrib.estimator contrib.estimator.python.estimator.extenders | clip_gradients_by_norm
estimator.specs | contrib.estimator contrib.estimator.python.estimator.logit_fns | call_logit_fn
estimator.from_saved_model | contrib.estimator contrib.estimator.python.estimator.saved_model_estimator |
    SavedModelEstimator
estimator.exporters | contrib.estimator | export_saved_model_for_mode export_all_saved_models
estimator.receivers | contrib.estimator | build_raw_supervised_input_receiver_fn
    build_supervised_input_receiver_fn_from_input_fn
"""

serve(SERVED)
HIDDEN.update((f"retrograd.distribute.{_topic}", "*") for _topic in ("all_reduce", "nccl"))
