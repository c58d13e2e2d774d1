"""Small programs over feature columns and ready models: each sets ``ys``, what is run twice.

They are run by ``record_cases.py column`` under TensorFlow 1.15.5, and by ``tests/test_columns.py`` here.
"""

_PRELUDE = """
tf.set_random_seed(1)
F, E, D = tf.feature_column, tf.estimator, tf.keras.layers.DenseFeatures
def x(value, shape): return tf.placeholder_with_default(np.array(value, 'f'), shape)
fs = {
 'age': x([5, 15, 25], [None]), 'vec': x([[1, 2], [3, 4], [5, 6]], [None, 2]),
 'word': tf.constant([['a'], ['b'], ['zz']]), 'n': tf.constant([[1], [2], [-1]]),
 'h': tf.SparseTensor([[0, 0], [1, 1]], ['x', 'y'], [3, 2]), 'w': tf.SparseTensor([[0, 0], [1, 1]], [.5, 2.], [3, 2]),
 'any': tf.placeholder_with_default(np.array([0, 1, 2]), None), 'q': tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [1, 0, 2], [3, 2]),
 'sw': tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [1., 2., 3.], [3, 2]), 'weight': x([1, 2, .5], [None]),
}
age, vec = F.numeric_column('age'), F.numeric_column('vec', shape=2, normalizer_fn=lambda v: v / 2.)
bucket, buckets = F.bucketized_column(age, [10., 20.]), F.bucketized_column(F.numeric_column('vec', shape=2), [2., 4.])
word = F.categorical_column_with_vocabulary_list('word', ['a', 'b', 'c'], num_oov_buckets=2)
h, n = F.categorical_column_with_hash_bucket('h', 10), F.categorical_column_with_identity('n', 5, default_value=0)
weighted, cross = F.weighted_categorical_column(h, 'w'), F.crossed_column(['word', bucket], 20)
wide, deep = [bucket, word, n, cross], [age, F.indicator_column(word), F.embedding_column(n, 2)]
config = E.RunConfig(model_dir='unused', tf_random_seed=7)
def spec(model, labels, mode='train'):
  tf.train.create_global_step()
  labels = None if labels is None else tf.constant(labels)
  made = model.model_fn({k: fs[k] for k in ('age', 'word', 'n', 'weight')}, labels, mode, config)
  values = [made.loss] if made.loss is not None else [v for k, v in sorted(made.predictions.items())]
  metrics = [m for k, m in sorted((made.eval_metric_ops or {}).items())]
  values.append(tf.constant(sorted(made.eval_metric_ops or {}) + sorted(made.export_outputs or {}) + ['.']))
  return values + [m[1] for m in metrics] + ([made.train_op] if made.train_op is not None else [])
"""

_COLUMNS = """
ys = [F.input_layer(fs, [age, vec, bucket, buckets])]
ys = [F.input_layer(fs, [F.indicator_column(c) for c in (word, h, n, weighted, cross, bucket)])]
ys = [F.input_layer(fs, [F.embedding_column(word, 2), F.embedding_column(weighted, 3, combiner='sum', trainable=False), F.embedding_column(cross, 2, combiner='sqrtn', max_norm=.5, initializer=tf.ones_initializer())])]
ys = [F.input_layer(fs, F.shared_embedding_columns([n, F.categorical_column_with_identity('any', 5)], 2))]
ys = [F.linear_model(fs, [age, vec, bucket, buckets, word, h, n, cross], units=2), F.linear_model(fs, [weighted], sparse_combiner='mean')]
ys = [D([age, bucket, F.embedding_column(n, 2), F.indicator_column(weighted)])(fs), D([age], name='mine')(fs)]
ys = [tf.keras.experimental.SequenceFeatures([F.embedding_column(F.sequence_categorical_column_with_identity('q', 4), 2), F.sequence_numeric_column('sw')])(fs)]
ys = [F.input_layer(fs, F.indicator_column(F.categorical_column_with_identity('any', 3)))]
c = {}; o = {}; y = F.input_layer(fs, deep, cols_to_vars=c, cols_to_output_tensors=o, weight_collections=['mine'], trainable=False); ys = [y] + [o[k] for k in sorted(o, key=lambda k: k.name)]
with tf.variable_scope('s', partitioner=tf.fixed_size_partitioner(2)): ys = [F.input_layer(fs, F.embedding_column(h, 2)), F.linear_model(fs, [h])]
raise ValueError(F.make_parse_example_spec(deep + wide + [weighted]))
raise ValueError(str((deep[:2], wide, weighted)))
F.input_layer(fs, [word])
F.input_layer(fs, [])
F.input_layer(fs, {'a': age})
F.input_layer(fs, [age, F.numeric_column('age', dtype=tf.float64)])
F.input_layer({}, [age])
F.input_layer({'age': tf.constant(3.)}, [age])
F.input_layer({'age': fs['w']}, [age])
F.input_layer({'age': tf.zeros([2]), 'vec': tf.zeros([3, 2])}, [age, vec])
F.linear_model(fs, [3])
F.numeric_column('a', shape=0)
F.numeric_column('a', shape=[2.])
F.numeric_column('a', shape=2, default_value=[1., 2., 3.])
F.numeric_column('a', default_value=1.5, dtype=tf.int32)
F.numeric_column('a', dtype=tf.string)
F.numeric_column('a', normalizer_fn=3)
F.numeric_column(3)
F.bucketized_column(word, [1.])
F.bucketized_column(vec, [])
F.bucketized_column(vec, [2., 1.])
F.categorical_column_with_hash_bucket('a', 0)
F.categorical_column_with_hash_bucket('a', 3, tf.float32)
F.categorical_column_with_identity('a', 3, default_value=3)
F.categorical_column_with_vocabulary_list('a', ['x', 'x'])
F.categorical_column_with_vocabulary_list('a', [1.5])
F.categorical_column_with_vocabulary_list('a', ['x'], num_oov_buckets=1, default_value=0)
F.categorical_column_with_vocabulary_file('a', '')
F.crossed_column(['a'], 10)
F.crossed_column(['a', h], 10)
F.embedding_column(word, 0)
F.embedding_column(word, 2, ckpt_to_load_from='x')
F.weighted_categorical_column(h, 'w', dtype=tf.string)
ys = [F.input_layer({'n': tf.constant([[7]])}, F.indicator_column(F.categorical_column_with_identity('n', 3)))]
"""

_MODELS = """
ys = spec(E.LinearClassifier(wide + [age], weight_column='weight', config=config), [0, 1, 1])
ys = spec(E.LinearClassifier(wide, n_classes=3, label_vocabulary=['p', 'q', 'r'], config=config), ['p', 'q', 'q'], 'eval')
ys = spec(E.LinearRegressor([age, n], label_dimension=2, config=config), [[0., 1.], [1., 1.], [2., 3.]])
ys = spec(E.DNNClassifier([4, 3], deep, config=config), [0, 1, 1], 'eval')
ys = spec(E.DNNClassifier([4, 3], deep, n_classes=3, batch_norm=True, optimizer='Adam', config=config), [0, 1, 2])
ys = spec(E.DNNClassifier([4, 3], deep, n_classes=3, label_vocabulary=['p', 'q', 'r'], config=config), None, 'infer')
ys = spec(E.DNNRegressor([4], deep, weight_column='weight', config=config), [1., 2., 3.], 'eval')
ys = spec(E.DNNLinearCombinedClassifier(linear_feature_columns=wide, dnn_feature_columns=deep, dnn_hidden_units=[4, 3], config=config), [0, 1, 1])
ys = spec(E.BaselineClassifier(n_classes=3, config=config), [0, 1, 2])
ys = spec(E.BaselineRegressor(config=config), [1., 2., 3.], 'eval')
H = tf.contrib.estimator; ys = spec(E.DNNEstimator(H.binary_classification_head(thresholds=[.3], name='h'), [3], [age], config=config), [0, 1, 1], 'eval')
H = tf.contrib.estimator; ys = spec(E.LinearEstimator(H.poisson_regression_head(), [age], optimizer='SGD', config=config), [0., 1., 1.])
H = tf.contrib.estimator; ys = spec(E.LinearEstimator(H.logistic_regression_head(), [age], config=config), None, 'infer')
H = tf.contrib.estimator; ys = spec(E.DNNEstimator(H.multi_label_head(3, thresholds=[.4], classes_for_class_based_metrics=[1]), [3], [age], config=config), [[0, 1, 0], [1, 1, 0], [0, 0, 1]], 'eval')
H = tf.contrib.estimator; ys = spec(E.LinearEstimator(H.multi_label_head(3, label_vocabulary=['p', 'q', 'r'], weight_column='weight'), [age], config=config), [[0, 1, 0], [1, 1, 0], [0, 0, 1]])
H = tf.contrib.estimator; m = H.multi_head([H.binary_classification_head(name='u'), H.regression_head(name='v')], [.5, 2.]); x0 = m.create_estimator_spec(fs, 'eval', tf.constant([[1., 2.], [3., 4.]]), {'u': tf.constant([0, 1]), 'v': tf.constant([1., 2.])}); ys = [x0.loss] + [v[1] for k, v in sorted(x0.eval_metric_ops.items())] + [tf.constant(sorted(x0.eval_metric_ops))]
H = tf.contrib.estimator; m = H.multi_head([H.binary_classification_head(name='u'), H.regression_head(name='v')]); x0 = m.create_estimator_spec(fs, 'infer', tf.constant([[1., 2.], [3., 4.]])); ys = [v for k, v in sorted(x0.predictions.items())] + [tf.constant(sorted(x0.export_outputs))]
H = tf.contrib.estimator; m = H.multi_head([H.regression_head(name='u'), H.regression_head(name='v')]); tf.train.create_global_step(); x0 = m.create_estimator_spec(fs, 'train', tf.constant([[1., 2.], [3., 4.]]) * tf.get_variable('k', initializer=1.), {'u': tf.constant([0., 1.]), 'v': tf.constant([1., 2.])}, optimizer=tf.train.GradientDescentOptimizer(.1)); ys = [x0.loss, x0.train_op]
ys = spec(E.add_metrics(E.LinearRegressor([age], config=config), lambda labels, predictions: {'m': tf.metrics.mean(predictions['predictions'])}), [1., 2., 3.], 'eval')
tf.contrib.estimator.multi_label_head(3, classes_for_class_based_metrics=[3])
spec(E.LinearClassifier(wide, config=config), [[0, 1], [1, 1], [2, 3]])
spec(E.LinearClassifier(wide, n_classes=3, config=config), [0., 1., 2.])
spec(E.LinearClassifier(wide, config=config), None)
ys = spec(E.LinearClassifier(wide, config=config), [0, 1, 2])
E.DNNLinearCombinedClassifier(config=config)
E.LinearClassifier(wide, n_classes=1, config=config)
E.LinearClassifier(wide, loss_reduction='none', config=config)
spec(E.DNNClassifier([3], deep, optimizer='Adamax', config=config), [0, 1, 1])
raise ValueError(E.classifier_parse_example_spec(deep, 'y', weight_column='weight'), E.regressor_parse_example_spec(deep, 'y', label_dimension=2))
E.classifier_parse_example_spec(deep, 'age')
"""

CASES = {}
for _kind, _programs in (("columns", _COLUMNS), ("models", _MODELS)):
    for _line in _programs.strip().split("\n"):
        CASES[_kind + ": " + _line] = _PRELUDE + _line
