"""Where the names of older estimators and of what they stand on come from; added to the table of ``faces_table``."""

from faces_of_contrib import serve
from faces_table import HIDDEN

# part | TensorFlow's modules | names, ``ours=theirs`` where they differ
SERVED = """
contrib.clustering | contrib.factorization contrib.factorization.python.ops.clustering_ops | KMeans RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT COSINE_DISTANCE SQUARED_EUCLIDEAN_DISTANCE
contrib.clustering | contrib.factorization.python.ops.clustering_ops | KMC2_INIT CLUSTERS_VAR_NAME
contrib.clustering | python.ops.clustering_ops | SeededKMeans=KMeans RANDOM_INIT KMEANS_PLUS_PLUS_INIT
    COSINE_DISTANCE SQUARED_EUCLIDEAN_DISTANCE KMC2_INIT CLUSTERS_VAR_NAME
estimator.canned.kmeans | contrib.factorization contrib.factorization.python.ops.kmeans | KMeansClustering
estimator.canned.kmeans | estimator.experimental | KMeans
feature_column.older_columns | contrib.layers contrib.slim contrib.layers.feature_column
    contrib.layers.python.layers.feature_column | create_feature_spec_for_parsing
    make_place_holder_tensors_for_base_features one_hot_column sparse_column_with_hash_bucket
    sparse_column_with_integerized_feature sparse_column_with_keys sparse_column_with_vocabulary_file
    weighted_sparse_column
feature_column.older_columns | contrib.layers.feature_column contrib.layers.python.layers.feature_column |
    Column=_FeatureColumn _SparseColumn _OneHotColumn _WeightedSparseColumn
feature_column.older_embeddings | contrib.layers contrib.slim contrib.layers.feature_column
    contrib.layers.python.layers.feature_column | embedding_column scattered_embedding_column
    shared_embedding_columns
feature_column.older_embeddings | contrib.layers.feature_column contrib.layers.python.layers.feature_column |
    _EmbeddingColumn
feature_column.older_numbers | contrib.layers contrib.slim contrib.layers.feature_column
    contrib.layers.python.layers.feature_column | bucketized_column crossed_column real_valued_column
feature_column.older_numbers | contrib.layers.feature_column contrib.layers.python.layers.feature_column |
    _BucketizedColumn _CrossedColumn _RealValuedColumn _real_valued_var_len_column
feature_column.older_models | contrib.layers contrib.slim contrib.layers.feature_column_ops
    contrib.layers.python.layers.feature_column_ops | check_feature_columns infer_real_valued_columns
    input_from_feature_columns joint_weighted_sum_from_feature_columns parse_feature_columns_from_examples
    parse_feature_columns_from_sequence_examples sequence_input_from_feature_columns transform_features
    weighted_sum_from_feature_columns
feature_column.scattered | contrib.layers contrib.layers.python.layers.embedding_ops contrib.layers.embedding_ops |
    scattered_embedding_lookup scattered_embedding_lookup_sparse
estimator.older.heads | contrib.learn contrib.learn.python.learn.estimators.head | Head no_op_train_fn
estimator.older.head_makers | contrib.learn contrib.learn.python.learn.estimators.head | binary_svm_head loss_only_head
    multi_class_head multi_head multi_label_head poisson_regression_head regression_head
estimator.older.step_monitors | contrib.learn.monitors contrib.learn.python.learn.monitors | BaseMonitor
    CaptureVariable CheckpointSaver EveryN ExportMonitor LoggingTrainable NanLoss PrintTensor StepCounter StopAtStep
    SummarySaver RunHookAdapterForMonitors get_default_monitors replace_monitors_with_hooks
estimator.older.debugging | contrib.learn.python.learn.estimators.debug | DebugClassifier DebugRegressor debug_model_fn
estimator.older.keys | contrib.learn contrib.learn.python.learn.estimators.prediction_key | PredictionKey
estimator.older.keys | contrib.learn contrib.learn.python.learn.estimators.metric_key | MetricKey
estimator.older.keys | contrib.learn contrib.learn.python.learn.estimators.constants | ProblemType
estimator.older.models | contrib.learn contrib.learn.python.learn.estimators.dnn | DNNClassifier DNNEstimator
    DNNRegressor
estimator.older.models | contrib.learn contrib.learn.python.learn.estimators.linear | LinearClassifier LinearEstimator
    LinearRegressor
estimator.older.models | contrib.learn contrib.learn.python.learn.estimators.dnn_linear_combined |
    DNNLinearCombinedClassifier DNNLinearCombinedEstimator DNNLinearCombinedRegressor
estimator.older.models | contrib.learn contrib.learn.python.learn.estimators.logistic_regressor | LogisticRegressor
estimator.older.clusters | contrib.learn contrib.learn.python.learn.estimators.kmeans | KMeansClustering
estimator.older.models | contrib.learn contrib.learn.python.learn.estimators.estimator |
    infer_real_valued_columns_from_input infer_real_valued_columns_from_input_fn
contrib.forests | contrib.tensor_forest.python.tensor_forest | ForestHParams ForestVariables RandomForestGraphs
    RandomTreeGraphs TreeVariables build_params_proto get_epoch_variable
contrib.forests | contrib.tensor_forest.python.ops.model_ops | tree_variable
contrib.forests | contrib.tensor_forest.python.ops.stats_ops | fertile_stats_variable
estimator.older.forests | contrib.tensor_forest.client.random_forest | TensorForestEstimator TensorForestLossHook
    TensorForestRunOpAtEndHook
estimator.older.target_columns | contrib.layers contrib.layers.python.layers.target_column contrib.slim |
    multi_class_target regression_target
estimator.older.target_columns | contrib.layers.python.layers.target_column contrib.slim |
    ProblemType binary_svm_target get_default_binary_metrics_for_eval
estimator.older.forest_metrics | contrib.tensor_forest.client.eval_metrics | FEATURE_IMPORTANCE_NAME INFERENCE_PRED_NAME
    INFERENCE_PROB_NAME get_metric get_prediction_key
estimator.older.inputs | contrib.learn.io contrib.learn.python.learn.learn_io.numpy_io | numpy_input_fn
estimator.older.inputs | contrib.learn.io contrib.learn.python.learn.learn_io.pandas_io | pandas_input_fn
estimator.older.inputs | contrib.learn.io contrib.learn.python.learn.learn_io.generator_io | generator_input_fn
estimator.older.frames | contrib.learn contrib.learn.io contrib.learn.python.learn.learn_io.pandas_io |
    extract_pandas_data extract_pandas_labels extract_pandas_matrix
ops.sparse_crossing | contrib.layers.python.ops.sparse_feature_cross_op | sparse_feature_cross
nn.contrib.older_layers | contrib.layers.python.ops.sparse_ops | dense_to_sparse_tensor
"""

serve(SERVED)
for _row in SERVED.splitlines():
    if _row.startswith(("feature_column.", "estimator.")):
        HIDDEN.add((f"retrograd.{_row.split('|')[0].strip()}", "*"))
