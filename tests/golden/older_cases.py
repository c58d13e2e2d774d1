"""Small programs over older estimators and what they stand on; run by ``record_cases.py`` and ``test_older.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
import sys
if "tensorflow" in sys.modules:
    from tensorflow import contrib
    from tensorflow.contrib import factorization, learn
    from tensorflow.contrib.tensor_forest.python import tensor_forest as forest
else:
    from retrograd.tf import contrib
    from retrograd.tf.contrib import factorization, learn
    from retrograd.tf.contrib.tensor_forest.python import tensor_forest as forest
L = contrib.layers
words = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ['a', 'b', 'c'], [3, 2])
more = tf.SparseTensor([[0, 0], [1, 0], [2, 0]], ['x', 'y', 'x'], [3, 1])
numbers = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], np.int64([7, 12, 3]), [3, 2])
weights = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [.5, 2., 3.], [3, 2])
F = {'w': words, 'm': more, 'n': numbers, 'q': weights, 'x': tf.constant([[1.], [2.5], [9.]]),
     'xx': tf.constant([[1., 4.], [2.5, 0.], [9., 3.]]), 'i': tf.constant([[1], [2], [3]]),
     's': tf.constant([['a'], [''], ['b']]), 'v': tf.constant([1., 2., 3.])}
keys = L.sparse_column_with_keys('w', ['a', 'b', 'z'])
hashed = L.sparse_column_with_hash_bucket('m', 10)
whole = L.sparse_column_with_integerized_feature('n', 5)
real, two = L.real_valued_column('x'), L.real_valued_column('xx', dimension=2)
bucket, buckets = L.bucketized_column(real, [1., 2., 5.]), L.bucketized_column(two, [0., 3.])
"""

_DEEP = """
[real, L.real_valued_column('xx', 2, normalizer=lambda x: x / 2), L.real_valued_column('i', dtype=tf.int32)]
[L.one_hot_column(keys), L.one_hot_column(hashed), L.one_hot_column(whole), bucket, buckets]
[L.one_hot_column(L.weighted_sparse_column(keys, 'q'))]
[L.embedding_column(keys, 4), L.embedding_column(hashed, 3, combiner='sqrtn'), L.embedding_column(whole, 2, initializer=tf.ones_initializer())]
[L.embedding_column(L.weighted_sparse_column(keys, 'q'), 3, combiner='sum', max_norm=1.), L.embedding_column(L.crossed_column([keys, hashed], 20), 3)]
list(L.shared_embedding_columns([hashed, L.sparse_column_with_hash_bucket('w', 10)], 3))
[L.scattered_embedding_column('w', 16, 3, hash_key=0xDEC), L.scattered_embedding_column('m', 8, 2, hash_key=7, combiner='sum')]
[L.embedding_column(L.sparse_column_with_keys('s', ['a', 'b']), 2), L.real_valued_column('v')]
[keys]
[real, real]
[real, L.real_valued_column('x')]
"""

_LINEAR = """
[keys, hashed, whole, real, two, bucket, buckets]
[L.crossed_column([keys, hashed], 20), L.crossed_column([keys, hashed, bucket], 30), L.crossed_column([keys, whole], 40)]
[L.crossed_column([keys, L.crossed_column([hashed, buckets], 9, hash_key=3)], 50, hash_key=11)]
[L.weighted_sparse_column(keys, 'q'), L.sparse_column_with_hash_bucket('w', 12, combiner='mean'), L.sparse_column_with_hash_bucket('n', 12, dtype=tf.int64)]
[L.sparse_column_with_hash_bucket('w', 12, hash_keys=[[1, 2], [3, 4]])]
"""

_REST = """
p, v, b = L.joint_weighted_sum_from_feature_columns(F, [keys, hashed, bucket, L.crossed_column([keys, hashed], 20)], 2); ys = [p]
L.joint_weighted_sum_from_feature_columns(F, [real], 2)
ys = [c.key for c in [keys, hashed, whole, real, two, bucket, L.crossed_column([keys, hashed], 20), L.embedding_column(keys, 4), L.one_hot_column(keys), L.weighted_sparse_column(keys, 'q')]]; ys = [tf.constant(ys)]
ys = [tf.constant([c.name for c in [keys, hashed, whole, real, two, bucket, L.crossed_column([keys, hashed], 20), L.embedding_column(keys, 4), L.one_hot_column(keys), L.weighted_sparse_column(keys, 'q')]])]
ys = [tf.constant(str(sorted((k, str(v)) for k, v in L.create_feature_spec_for_parsing([keys, whole, two, bucket, L.real_valued_column('d', 2, 3.)]).items())))]
t = L.make_place_holder_tensors_for_base_features([keys, two])
e = tf.train.Example(features=tf.train.Features(feature={'w': tf.train.Feature(bytes_list=tf.train.BytesList(value=[b'a', b'b'])), 'xx': tf.train.Feature(float_list=tf.train.FloatList(value=[1., 2.]))})).SerializeToString(deterministic=True); t = L.parse_feature_columns_from_examples(tf.reshape(tf.decode_base64(__import__('base64').urlsafe_b64encode(e).rstrip(b'=')), [1]), [keys, two, buckets]); ys = [t['xx'], t[buckets], t[keys].values]
t = L.transform_features(F, [keys, bucket]); ys = [t[bucket], t[keys].values]
ys = [tf.constant(str([c.key for c in L.infer_real_valued_columns({'a': F['xx'], 'b': F['i']})] + [L.infer_real_valued_columns(F['xx'])[0].key]))]
ys = [L.sequence_input_from_feature_columns({'x': tf.ones([2, 3, 2]), 'w': tf.SparseTensor([[0, 0, 0], [1, 1, 0]], ['a', 'b'], [2, 3, 1])}, [L.real_valued_column('x', 2), L.one_hot_column(keys), L.embedding_column(keys, 2)])]
L.sequence_input_from_feature_columns(F, [bucket])
ys = [tf.feature_column.input_layer(F, [real, bucket, L.one_hot_column(keys), L.embedding_column(keys, 3)]), tf.feature_column.linear_model(F, [keys, bucket, real, L.crossed_column([keys, hashed], 20)])]
L.real_valued_column('x', dimension='a')
L.real_valued_column('x', default_value='a')
L.real_valued_column('x', 2, default_value=[1.])
L.bucketized_column(real, [2., 1.])
L.crossed_column([real, keys], 3)
L.crossed_column([keys], 3)
L.sparse_column_with_hash_bucket('w', 0)
L.sparse_column_with_keys('w', ['a'], dtype=tf.float32)
L.weighted_sparse_column(keys, 'q', dtype=tf.string)
L.shared_embedding_columns([keys, whole], 3)
"""

_CLUSTERS = """
'random', 'squared_euclidean', False
'kmeans_plus_plus', 'cosine', False
np.eye(3, dtype='f'), 'cosine', False
'random', 'cosine', True
'kmeans_plus_plus', 'squared_euclidean', True, 3
'nothing'
'random', 'manhattan'
"""

_CLUSTER = """
points = tf.constant(rng.rand(40, 3).astype('f'))
t = factorization.KMeans(points, 3, CODE, random_seed=5).training_graph()
def after(op):
    with tf.control_dependencies([op]): return tf.constant(1)
ys = [after(t[4]), t[1][0], t[2][0]]
if len([CODE]) == 3 and not [CODE][2]: ys += [after(t[5]), t[1][0], t[2][0]]
"""

_FORESTS = """
num_classes=3, num_features=8, num_trees=2, max_nodes=20, base_random_seed=3
num_classes=1, num_features=8, num_trees=2, regression=True, split_after_samples='linear { slope: 2 y_intercept: 5 }'
num_classes=3, num_features=8, num_trees=2, bagging_fraction=.7
"""

_FOREST = """
h = forest.ForestHParams(CODE).fill(); g = forest.RandomForestGraphs(h)
x = tf.placeholder(tf.float32, [None, 8]); y = tf.placeholder(tf.int32, [None])
g.training_graph(x, y); g.training_loss(x, y); g.inference_graph({'b': x, 'a': tf.placeholder(tf.int64, [None, 1])}); g.feature_importances()
"""

_MODELS = """
learn.DNNClassifier([4, 3], [L.real_valued_column('x', 4), L.embedding_column(keys, 2)], n_classes=3, config=config)
learn.DNNRegressor([4], [L.real_valued_column('x', 4)], config=config, gradient_clip_norm=1.)
learn.LinearClassifier([keys, L.bucketized_column(L.real_valued_column('y'), [.3, .6]), L.real_valued_column('x', 4)], config=config)
learn.DNNLinearCombinedClassifier(linear_feature_columns=[keys, L.crossed_column([keys, hashed], 50)], dnn_feature_columns=[L.real_valued_column('x', 4), L.embedding_column(hashed, 3)], dnn_hidden_units=[4], config=config, fix_global_step_increment_bug=True)
"""

_MODEL = """
import tempfile
tf.logging.set_verbosity(tf.logging.ERROR)
config = learn.RunConfig(tf_random_seed=7)
X = rng.rand(30, 4).astype('f')
def given():
    one = lambda values: tf.SparseTensor([[i, 0] for i in range(30)], [values[i % len(values)] for i in range(30)], [30, 1])
    labels = X[:, 0] if 'Regressor' in type(m).__name__ else (X[:, 0] * (3 if m.params['head'].logits_dimension == 3 else 2)).astype(int)
    return {'x': tf.constant(X), 'y': tf.constant(X[:, :1]), 'w': one('abz'), 'm': one('pqrs')}, tf.constant(labels)
with tf.Graph().as_default():
    m = CODE
    m.fit(input_fn=given, steps=4)
    measured = m.evaluate(input_fn=given, steps=1)
    names = sorted(m.get_variable_names())
    shown = list(m.predict(input_fn=lambda: given()[0]))[:4] if 'Linear' in type(m).__name__ else []
ys = [tf.constant(names), tf.constant(sorted(measured)), tf.constant([float(measured[k]) for k in sorted(measured)])]
"""

_HEADS = """
H = learn.binary_svm_head(); t = H.create_model_fn_ops({}, 'train', tf.constant([[1.], [0.]]), lambda loss: tf.no_op(), tf.constant([[.4], [-2.]])); ys = [t.loss, t.predictions['classes']]
H = learn.multi_label_head(3, metric_class_ids=[1]); t = H.create_model_fn_ops({'q': tf.constant([1., 2.])}, 'eval', tf.constant([[1, 0, 1], [0, 1, 0]]), None, tf.constant([[.4, 1., -1.], [-2., .5, 0.]])); ys = [t.loss, t.predictions]
H = learn.multi_class_head(3, weight_column_name='q', metric_class_ids=[2], label_keys=None, head_name='h'); t = H.create_model_fn_ops({'q': tf.constant([1., 2.])}, 'eval', tf.constant([[2], [1]]), None, logits_input=tf.ones([2, 4])); ys = [t.loss, t.predictions['classes']]
H = learn.poisson_regression_head(); t = H.create_model_fn_ops({}, 'eval', tf.constant([2., 1.]), None, tf.constant([[.4], [1.]])); ys = [t.loss, t.predictions]
H = learn.multi_head([learn.regression_head(head_name='a', label_name='a'), learn.multi_class_head(2, head_name='b', label_name='b')], [.5, 2.]); t = H.create_model_fn_ops({}, 'train', {'a': tf.constant([1., 2.]), 'b': tf.constant([[1.], [0.]])}, lambda loss: tf.no_op(), tf.constant([[.4, 1.], [-2., .5]])); ys = [t.loss]
H = learn.multi_class_head(1)
H = learn.multi_class_head(2, label_keys=['a'])
H = learn.regression_head(); t = H.create_model_fn_ops({}, 'train', tf.constant([2., 1.]), None, tf.constant([[.4], [1.]]))
"""


def _cases(texts, kind, code):
    lines = texts.strip().splitlines()
    return {f"{kind}_{n}": f"{_PRELUDE}{code.replace('CODE', line)}\n" for n, line in enumerate(lines)}


CASES = {
    **_cases(_DEEP, "deep", "ys = [L.input_from_feature_columns(F, CODE)]"),
    **_cases(_LINEAR, "linear", "p, v, b = L.weighted_sum_from_feature_columns(F, CODE, 2); ys = [p]"),
    **_cases(_REST, "column", "CODE"),
    **_cases(_CLUSTERS, "clusters", _CLUSTER),
    **_cases(_FORESTS, "forest", _FOREST),
    **_cases(_HEADS, "head", "CODE"),
    **_cases(_MODELS, "model", _MODEL),
}
