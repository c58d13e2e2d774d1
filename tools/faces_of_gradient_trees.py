"""Where the names of ``tf.contrib.boosted_trees`` come from; added to the table of ``faces_table``."""

from faces_of_contrib import serve
from faces_table import EMPTY, EXTRA, HIDDEN, words

_B, _E = "contrib.boosted_trees.", "estimator.gradient_trees."
SERVED = f"""
{_E}batching | {_B}python.ops.batch_ops_utils | ScheduledOp ScheduledStampedResourceOp run_handler_scheduled_ops
{_E}resources | {_B}python.ops.model_ops | TreeEnsembleVariable TreeEnsembleVariableSavable tree_ensemble_variable
{_E}resources | {_B}python.ops.quantile_ops | QuantileAccumulator QuantileAccumulatorSaveable
{_E}resources | {_B}python.ops.stats_accumulator_ops | StatsAccumulator StatsAccumulatorSaveable
{_E}handlers | {_B}lib.learner.batch.base_split_handler | BaseSplitHandler
{_E}handlers | {_B}lib.learner.batch.categorical_split_handler | EqualitySplitHandler
{_E}number_handlers | {_B}lib.learner.batch.ordinal_split_handler | InequalitySplitHandler DenseSplitHandler
    SparseSplitHandler make_dense_split_scalar make_dense_split_tensor make_sparse_split_scalar
    make_sparse_split_tensor dense_make_stats_update sparse_make_stats_update
{_E}losses | {_B}python.utils.losses | per_example_exp_loss per_example_full_exp_loss per_example_logistic_loss
    per_example_maxent_loss per_example_quantile_regression_loss per_example_squared_hinge_loss
    per_example_squared_loss
{_E}features | {_B}python.training.functions.gbdt_batch | extract_features
{_E}model | {_B}python.training.functions.gbdt_batch | GBDTTrainingState GradientBoostedDecisionTreeModel ENSEMBLE_STAMP
    PREDICTIONS PARTITION_IDS NUM_LAYERS_ATTEMPTED NUM_TREES_ATTEMPTED NUM_USED_HANDLERS USED_HANDLERS_MASK LEAF_INDEX
{_E}builders | {_B}estimator_batch.model | ModelBuilderOutputType model_builder ranking_model_builder
{_E}builders | {_B}estimator_batch.estimator_utils | estimator_spec_to_model_fn_ops
{_E}hooks | {_B}estimator_batch.trainer_hooks | FeatureImportanceSummarySaver StopAfterNTrees SwitchTrainOp
sessions.hooks | {_B}estimator_batch.trainer_hooks | FeedFnHook
{_E}heads | {_B}estimator_batch.custom_loss_head | CustomLossHead
{_E}heads | {_B}estimator_batch.distillation_loss | create_dnn_to_tree_cross_entropy_loss_fn
    create_dnn_to_tree_squared_loss_fn
{_E}heads | {_B}estimator_batch.estimator | core_multiclass_head core_quantile_regression_head
{_E}estimators | {_B}estimator_batch.estimator | GradientBoostedDecisionTreeClassifier
    GradientBoostedDecisionTreeRegressor GradientBoostedDecisionTreeEstimator GradientBoostedDecisionTreeRanker
    GradientBoostedDecisionTreeQuantileRegressor CoreGradientBoostedDecisionTreeEstimator
    CoreGradientBoostedDecisionTreeRanker CoreGradientBoostedDecisionTreeQuantileRegressor
{_E}combined | {_B}estimator_batch.dnn_tree_combined_estimator | DNNBoostedTreeCombinedClassifier
    DNNBoostedTreeCombinedEstimator DNNBoostedTreeCombinedRegressor CoreDNNBoostedTreeCombinedEstimator
"""
serve(SERVED)
for _row in SERVED.splitlines():
    if _row.startswith(_E):
        HIDDEN.add((f"retrograd.{_row.split('|')[0].strip()}", "*"))
HIDDEN.add((f"retrograd.{_E}derivatives", "*"))

_MESSAGES = {
    "learner": """AveragingConfig LearnerConfig LearningRateConfig LearningRateDropoutDrivenConfig
        LearningRateFixedConfig LearningRateLineSearchConfig TreeConstraintsConfig TreeRegularizationConfig""",
    "quantiles": "QuantileConfig QuantileEntry QuantileStreamState QuantileSummaryState",
    "split_info": "ObliviousSplitInfo SplitInfo",
    "tree_config": """CategoricalIdBinarySplit CategoricalIdSetMembershipBinarySplit DecisionTreeConfig
        DecisionTreeEnsembleConfig DecisionTreeMetadata DenseFloatBinarySplit GrowingMetadata Leaf
        ObliviousCategoricalIdBinarySplit ObliviousDenseFloatBinarySplit SparseFloatBinarySplitDefaultLeft
        SparseFloatBinarySplitDefaultRight SparseVector TreeNode TreeNodeMetadata Vector""",
}
for _file, _names in _MESSAGES.items():
    EXTRA[f"{_B}proto.{_file}_pb2"] = (
        "from retrograd.files.gradient_tree_messages import (\n"
        + "".join(f"    {name},\n" for name in words(_names))
        + ")"
    )

# modules with the functions of ops, and which other modules show them
_RAW = {
    "model": """tree_ensemble_deserialize tree_ensemble_serialize tree_ensemble_stamp_token
        tree_ensemble_used_handlers""",
    "prediction": "gradient_trees_partition_examples gradient_trees_prediction gradient_trees_prediction_verbose",
    "quantile": """bucketize_with_input_boundaries create_quantile_accumulator make_quantile_summaries
        quantile_accumulator_add_summaries quantile_accumulator_deserialize quantile_accumulator_flush
        quantile_accumulator_flush_summary quantile_accumulator_get_buckets quantile_accumulator_is_initialized
        quantile_accumulator_serialize quantile_buckets quantile_stream_resource_handle_op quantiles""",
    "split_handler": """build_categorical_equality_splits build_dense_inequality_splits
        build_sparse_inequality_splits""",
    "training": "center_tree_ensemble_bias grow_tree_ensemble tree_ensemble_stats",
    "stats_accumulator": "",
}
_OPS = f"{_B}python.ops"
for _file, _names in _RAW.items():
    EMPTY.append(f"{_OPS}.gen_{_file}_ops")
    EXTRA[f"{_OPS}.{_file}_ops"] = f"from retrograd.tf.{_OPS} import gen_{_file}_ops\n\n" + "".join(
        f"{name} = gen_{_file}_ops.{name}\n" for name in words(_names)
    )
EMPTY += [f"{_OPS}.boosted_trees_ops_loader", f"{_B}python.utils", f"{_B}python.training"]
