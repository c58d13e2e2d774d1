"""Where the names of feature columns and of ready models come from; added to the table of ``faces_table``."""

from faces_table import EMPTY, EXTRA, HIDDEN, RENAMED, words

_C = "retrograd.feature_column."
for _file in words(
    "categorical combining dense_categories features layers models numeric protocol sequence serialization state sums"
):
    HIDDEN.add((_C + _file, "*"))
_COLUMNS = {
    "numeric": "NumericColumn BucketizedColumn numeric_column bucketized_column",
    "categorical": """HashedCategoricalColumn VocabularyFileCategoricalColumn VocabularyListCategoricalColumn
    IdentityCategoricalColumn categorical_column_with_hash_bucket categorical_column_with_vocabulary_file
    categorical_column_with_vocabulary_file_v2 categorical_column_with_vocabulary_list
    categorical_column_with_identity""",
    "combining": "WeightedCategoricalColumn CrossedColumn weighted_categorical_column crossed_column",
    "dense_categories": """IndicatorColumn EmbeddingColumn SharedEmbeddingColumn SharedEmbeddingColumnCreator
    indicator_column embedding_column shared_embedding_columns""",
    "sequence": """SequenceCategoricalColumn SequenceNumericColumn sequence_categorical_column_with_hash_bucket
    sequence_categorical_column_with_identity sequence_categorical_column_with_vocabulary_file
    sequence_categorical_column_with_vocabulary_list sequence_numeric_column concatenate_context_input""",
}
_SEQUENCE = "python.feature_column.sequence_feature_column"
_V2, _OLD = "python.feature_column.feature_column_v2", "python.feature_column.feature_column"
_LIB = "python.feature_column.feature_column_lib"
for _file, _names in _COLUMNS.items():
    for _name in words(_names):
        _own = _SEQUENCE if _file == "sequence" and _name != "SequenceCategoricalColumn" else _V2
        for _module in (_own, _LIB):
            RENAMED[_module, _name] = f"{_C}{_file}:"
        if _name[0].islower() and not _name.endswith("_v2") and _name != "concatenate_context_input":
            RENAMED["feature_column", _name] = f"{_C}{_file}:"
for _module in (_V2, _LIB):
    for _name in words("FeatureColumn DenseColumn CategoricalColumn SequenceDenseColumn is_feature_column_v2"):
        RENAMED[_module, _name] = f"{_C}protocol:"
    RENAMED[_module, "make_parse_example_spec_v2"] = f"{_C}protocol:"
    RENAMED[_module, "FeatureTransformationCache"] = f"{_C}features:"
    RENAMED[_module, "LinearModel"] = f"{_C}layers:"
    RENAMED[_module, "StateManager"] = f"{_C}state:"
    RENAMED[_module, "shared_embedding_columns_v2"] = f"{_C}dense_categories:shared_embeddings"
RENAMED[_V2, "_StateManagerImpl"] = f"{_C}state:LayerState"
RENAMED[_V2, "_StateManagerImplV2"] = f"{_C}state:LayerStateV2"
RENAMED[_V2, "_LinearModelLayer"] = f"{_C}layers:LinearModelLayer"
RENAMED[_V2, "_transform_features_v2"] = f"{_C}models:transform_features_v2"
for _module in (_OLD, _LIB):
    RENAMED[_module, "make_parse_example_spec"] = f"{_C}protocol:"
    for _name in words("InputLayer input_layer linear_model"):
        RENAMED[_module, _name] = f"{_C}models:"
for _name in words("input_layer linear_model"):
    RENAMED["feature_column", _name] = f"{_C}models:"
RENAMED["feature_column", "make_parse_example_spec"] = f"{_C}protocol:"
for _name in words("FeatureColumn DenseColumn CategoricalColumn SequenceDenseColumn"):
    RENAMED[_OLD, f"_{_name}"] = f"{_C}protocol:Old{_name.removeprefix('Feature')}"
RENAMED[_OLD, "_SequenceCategoricalColumn"] = f"{_C}sequence:SequenceCategoricalColumn"
RENAMED[_OLD, "_SharedEmbeddingColumn"] = f"{_C}dense_categories:SharedEmbeddingColumnV1"
RENAMED[_OLD, "_LazyBuilder"] = f"{_C}features:LazyBuilder"
RENAMED[_OLD, "_LinearModel"] = f"{_C}models:LinearModelV1"
RENAMED[_OLD, "_transform_features"] = f"{_C}models:transform_features"
for _file, _names in _COLUMNS.items():
    for _name in words(_names):
        if _file not in ("sequence",) and not _name.endswith("_v2") and "Shared" not in _name and "shared" not in _name:
            RENAMED[_OLD, f"_{_name}"] = f"{_C}{_file}:{_name}"
for _module, _name, _ours in (
    ("keras.layers", "DenseFeatures", "DenseFeatures"),
    ("python.feature_column.dense_features", "DenseFeatures", "DenseFeatures"),
    (_LIB, "DenseFeatures", "DenseFeatures"),
    ("python.feature_column.dense_features_v2", "DenseFeatures", "DenseFeaturesV2"),
    ("compat.v2.keras.layers", "DenseFeatures", "DenseFeaturesV2"),
    ("keras.experimental", "SequenceFeatures", "SequenceFeatures"),
    (_SEQUENCE, "SequenceFeatures", "SequenceFeatures"),
    (_LIB, "SequenceFeatures", "SequenceFeatures"),
):
    RENAMED[_module, _name] = f"{_C}layers:{_ours}"
RENAMED[_SEQUENCE, "_assert_all_equal_and_return"] = f"{_C}layers:equal"
for _name in words("""serialize_feature_column serialize_feature_columns deserialize_feature_column
deserialize_feature_columns"""):
    RENAMED["python.feature_column.serialization", _name] = f"{_C}serialization:"
RENAMED["python.feature_column.serialization", "_column_name_with_class_name"] = (
    f"{_C}serialization:column_name_with_class_name"
)

_READY = {
    "linear": "LinearClassifier LinearEstimator LinearRegressor",
    "dnn": "DNNClassifier DNNEstimator DNNRegressor",
    "combined": "DNNLinearCombinedClassifier DNNLinearCombinedEstimator DNNLinearCombinedRegressor",
    "boosted_trees": "BoostedTreesClassifier BoostedTreesEstimator BoostedTreesRegressor",
    "baseline": "BaselineClassifier BaselineEstimator BaselineRegressor",
    "parsing": "classifier_parse_example_spec regressor_parse_example_spec",
}
_HEADS = """binary_classification_head logistic_regression_head multi_class_head poisson_regression_head
regression_head"""
_E = "retrograd.estimator.canned."
for _file, _names in _READY.items():
    for _name in words(_names):
        RENAMED["estimator", _name] = f"{_E}{_file}:"
for _file in words("baseline boosted_trees combined dnn heads keys labels linear optimizers parsing"):
    HIDDEN.add((_E + _file, "*"))
for _name in words(_HEADS):
    RENAMED["contrib.estimator", _name] = f"{_E}heads:"
for _file, _names in (("linear", "linear_logit_fn_builder"), ("dnn", "dnn_logit_fn_builder")):
    RENAMED["estimator.experimental", _names] = f"{_E}{_file}:"
    RENAMED["contrib.estimator", _names] = f"{_E}{_file}:"
for _name in words("multi_head multi_label_head"):
    RENAMED["contrib.estimator", _name] = f"{_E}more_heads:"
for _name in words("boosted_trees_classifier_train_in_memory boosted_trees_regressor_train_in_memory"):
    RENAMED["contrib.estimator", _name] = f"{_E}trees_in_memory:"
for _name in words("add_metrics forward_features"):
    RENAMED["contrib.estimator", _name] = f"{_E}extending:"
RENAMED["estimator", "add_metrics"] = f"{_E}extending:"
for _file in words("extending more_heads trees_in_memory"):
    HIDDEN.add((_E + _file, "*"))

# -- boosted trees -----------------------------------------------------------------------------

_RAW_TREES = {
    "boosted_trees_aggregate_stats": "boosted_trees_aggregate_stats",
    "boosted_trees_bucketize": "boosted_trees_bucketize",
    "boosted_trees_sparse_aggregate_stats": "boosted_trees_sparse_aggregate_stats",
    "boosted_trees_calculate_best_feature_split": "calculate_best_feature_split",
    "boosted_trees_calculate_best_gains_per_feature": "calculate_best_gains_per_feature",
    "boosted_trees_center_bias": "center_bias",
    "boosted_trees_create_quantile_stream_resource": "create_quantile_stream_resource",
    "boosted_trees_example_debug_outputs": "example_debug_outputs",
    "boosted_trees_make_quantile_summaries": "make_quantile_summaries",
    "boosted_trees_make_stats_summary": "make_stats_summary",
    "boosted_trees_predict": "predict",
    "boosted_trees_quantile_stream_resource_add_summaries": "quantile_add_summaries",
    "boosted_trees_quantile_stream_resource_deserialize": "quantile_resource_deserialize",
    "boosted_trees_quantile_stream_resource_flush": "quantile_flush",
    "boosted_trees_quantile_stream_resource_get_bucket_boundaries": "get_bucket_boundaries",
    "boosted_trees_quantile_stream_resource_handle_op": "quantile_resource_handle_op",
    "boosted_trees_sparse_calculate_best_feature_split": "sparse_calculate_best_feature_split",
    "boosted_trees_training_predict": "training_predict",
    "boosted_trees_update_ensemble": "update_ensemble",
    "boosted_trees_update_ensemble_v2": "update_ensemble_v2",
    "is_boosted_trees_quantile_stream_resource_initialized": "is_quantile_resource_initialized",
}
EMPTY.append("python.ops.gen_boosted_trees_ops")
EXTRA["python.ops.boosted_trees_ops"] = (
    f"from {_E}tree_resources import PruningMode, QuantileAccumulator, TreeEnsemble\n"
    "from retrograd.tf.python.ops import gen_boosted_trees_ops\n\n"
    + "".join(f"{name} = gen_boosted_trees_ops.{raw}\n" for raw, name in _RAW_TREES.items())
)
EXTRA["core.kernels.boosted_trees.boosted_trees_pb2"] = (
    "from retrograd.files.tree_messages import (\n    BucketizedSplit,\n    CategoricalSplit,\n    DebugOutput,\n"
    "    DenseSplit,\n    GrowingMetadata,\n    Leaf,\n    Node,\n    NodeMetadata,\n    SparseVector,\n    Tree,\n"
    "    TreeEnsemble,\n    TreeMetadata,\n    Vector,\n)"
)
