"""Linear models by dual coordinate ascent: the ops on single examples, and models after many passes."""

_PRELUDE = """
from importlib import import_module
g = import_module(tf.__name__ + '.python.ops.gen_sdca_ops')
L = tf.contrib.linear_optimizer
def i64(*x): return tf.constant(x, tf.int64)
def one(loss, y=1., w=1., state=(0., 0., 0., 0.), l1=.1, l2=1., k=1, n=3, which='_v2', **more):
    o = getattr(g, 'sdca_optimizer' + which)([i64(0, 0)], [i64(0, 3)], [[1., 2.]], [[[2., 1.]], [[3.]]], [w], [y], [i64(3, 0)], [[.5, .25]], [[.1, -.2], [.3]], [state], loss_type=loss, l1=l1, l2=l2, num_loss_partitions=k, num_inner_iterations=n, **more)
    return [o[0]] + list(o[1]) + list(o[2])
def model(loss, labels, steps=200, **options):
    v, w = tf.Variable(tf.zeros([4]), name='v'), tf.Variable(tf.zeros([2]), name='w')
    examples = {'sparse_features': [L.SparseFeatureColumn([0, 1, 2, 2], [0, 1, 2, 3], [1., 2., .5, 1.])], 'dense_features': [tf.constant([[1., 0.], [1., .5], [1., -1.]])], 'example_labels': labels, 'example_weights': [1., 2., .5], 'example_ids': ['a', 'b', 'c']}
    m = L.SdcaModel(examples, {'sparse_features_weights': [v], 'dense_features_weights': [w]}, dict({'loss_type': loss, 'symmetric_l1_regularization': .05, 'symmetric_l2_regularization': 1.}, **options))
    step = tf.train.get_or_create_global_step()
    t = m.minimize(step); u = m.update_weights(t)
    with tf.Session() as s:
        s.run(tf.global_variables_initializer()); s.run(tf.tables_initializer())
        for _ in range(steps): s.run(t)
        s.run(u)
        return [tf.constant(x) for x in s.run([v, w, m.predictions(examples), m.unregularized_loss(examples), m.regularized_loss(examples), m.approximate_duality_gap(), step])] + [tf.constant([x.op.name for x in tf.global_variables()])]
"""

_LINES = """
ys = [tf.train.sdca_fprint(['', 'a', 'abcdefgh', 'x' * 15, 'y' * 16, 'z' * 17, 'ab' * 40, 'c' * 127, 'd' * 128, 'ef' * 99, 'g' * 300])]
v, w = tf.Variable([1., -2., .3]), tf.Variable([[.6, -.6]]); t = tf.train.sdca_shrink_l1([v, w], l1=1., l2=2.)\\nwith tf.Session() as s: s.run([v.initializer, w.initializer]); s.run(t); ys = [tf.constant(x) for x in s.run([v, w])]
tf.train.sdca_fprint([['a']])
ys = one('logistic_loss')
ys = one('logistic_loss', 0., 2., (-.4, 1., 2., 3.), k=3)
ys = one('squared_loss')
ys = one('squared_loss', -2.5, 2., (-.4, 1., 2., 3.), k=3)
ys = one('hinge_loss')
ys = one('hinge_loss', 0., 2., (-.4, 1., 2., 3.), k=3)
ys = one('smooth_hinge_loss')
ys = one('smooth_hinge_loss', 0., 2., (-.4, 1., 2., 3.), k=3)
ys = one('poisson_loss')
ys = one('poisson_loss', 4., 2., (-.4, 1., 2., 3.), k=3, l1=0.)
ys = one('logistic_loss', which='')
ys = one('squared_loss', w=0.)
ys = one('hinge_loss', 2.)
ys = one('poisson_loss', -1.)
ys = one('cubic_loss')
ys = one('squared_loss', state=(0., 0., 0.))
ys = model('logistic_loss', [1., 0., 1.])
ys = model('squared_loss', [1., -2., .5], num_table_shards=3)
ys = model('smooth_hinge_loss', [1., 0., 1.], adaptive=False)
ys = model('poisson_loss', [1., 0., 3.])
ys = model('squared_loss', [1., -2., .5], num_loss_partitions=4, symmetric_l2_regularization=3.)
model('cubic_loss', [1., 0., 1.])
model('squared_loss', [1., 0., 1.], symmetric_l1_regularization=-1.)
L.SdcaModel({}, {}, {})
L.SdcaModel({'sparse_features': [], 'dense_features': (), 'example_labels': [], 'example_weights': [], 'example_ids': []}, {'sparse_features_weights': [], 'dense_features_weights': []}, {'loss_type': 'squared_loss', 'symmetric_l1_regularization': 0., 'symmetric_l2_regularization': 1.})
"""


CASES = {line: _PRELUDE + line.replace("\\n", "\n") for line in _LINES.strip().splitlines()}
