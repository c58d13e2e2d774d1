"""What is refused or accepted at the edges of common functions, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def unknown(value): return tf.placeholder_with_default(value, None)
"""

_CONVERSIONS = """
tf.constant(np.array([1, 2], 'i'), tf.string)
tf.constant(np.float32(2.5), tf.string)
tf.constant(np.array([True]), tf.resource)
tf.constant(np.array(['a']), tf.bool)
ys = [tf.constant(np.array(['0', '2']), tf.bool), tf.constant(np.zeros([0, 2]), tf.string), tf.convert_to_tensor(np.array([1, 2], 'i'), preferred_dtype=tf.string), tf.convert_to_tensor(np.int64(3), preferred_dtype=tf.variant)]
"""

_SHAPES = """
V = inner('python.framework.tensor_util').constant_value_as_shape; ys = [tf.constant([str(V(tf.constant(v))) for v in (-1, [2, -1], [-3, 2], [-1., 2.], np.zeros(0, 'i'))]), tf.constant(str(V(tf.placeholder(tf.int32, [2])))), tf.constant(str(V(tf.placeholder(tf.int32))))]
inner('python.framework.tensor_util').constant_value_as_shape(tf.constant([[1], [2]])[:, 0:])
inner('python.framework.tensor_util').constant_value_as_shape(tf.constant([1.5]))
inner('python.framework.tensor_util').constant_value_as_shape(tf.constant(3))
inner('python.framework.tensor_util').constant_value_as_shape(tf.placeholder(tf.int32, []))
ys = [tf.repeat(unknown(3), 4, 0), tf.repeat(tf.constant(3), 4, 0), tf.repeat(tf.constant(3), [4], 0), tf.repeat(unknown([3, 1]), unknown([4, 2]), 0)]
tf.repeat([1], 2.)
r = tf.ragged.stack_dynamic_partitions(tf.ragged.constant([['a', 'b'], ['c']]), 3, 5); ys = [r.flat_values] + list(r.nested_row_splits)
"""

_BRANCHES = """
S = inner('python.framework.smart_cond').smart_case; x = tf.constant(1) > 0; one, two = (lambda: tf.constant(1)), (lambda: tf.constant(2)); ys = [S(pairs, d, exclusive=e) for pairs in ([(True, one), (False, two)], [(False, one), (x, two)], [(x, one), (False, two)]) for d in (two, None) for e in (True, False)]
tf.cond(tf.constant([True]), lambda: tf.constant(1), lambda: tf.constant(2))
tf.cond(tf.placeholder(tf.bool, [None]), lambda: tf.constant(1), lambda: tf.constant(2))
inner('python.ops.control_flow_ops').switch(tf.constant(1.), tf.constant([True, False]))
tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x), [tf.constant(0.), tf.constant(1)], [tf.TensorSpec([], tf.int32), tf.TensorShape([])])
tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x), [tf.constant(0), tf.constant([1.])], [tf.TensorShape([]), tf.TensorSpec([4], tf.float32)])
tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x), [tf.constant(0), tf.constant([1.])], [tf.TensorShape([]), tf.SparseTensorSpec([4], tf.float32)])
ys = list(tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.concat([x, x], 0)), [tf.constant(0), tf.constant([1.])], [tf.TensorSpec([], tf.int32), tf.TensorSpec([None], tf.float32)]))
"""

CASES = {line: _PRELUDE + line for line in (_CONVERSIONS + _SHAPES + _BRANCHES).strip().split("\n") if line}
