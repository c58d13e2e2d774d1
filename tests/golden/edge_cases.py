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
ys = [tf.constant(list(inner('contrib.rnn.python.tools.checkpoint_convert').RNN_NAME_REPLACEMENTS.items()))]
"""

_SHAPES = """
V = inner('python.framework.tensor_util').constant_value_as_shape; ys = [tf.constant([str(V(tf.constant(v))) for v in (-1, [2, -1], [-3, 2], [-1., 2.], np.zeros(0, 'i'))]), tf.constant(str(V(tf.placeholder(tf.int32, [2])))), tf.constant(str(V(tf.placeholder(tf.int32))))]
inner('python.framework.tensor_util').constant_value_as_shape(tf.constant([[1], [2]])[:, 0:])
inner('python.framework.tensor_util').constant_value_as_shape(tf.constant([1.5]))
inner('python.framework.tensor_util').constant_value_as_shape(tf.constant(3))
inner('python.framework.tensor_util').constant_value_as_shape(tf.placeholder(tf.int32, []))
ys = [tf.repeat(unknown(3), 4, 0), tf.repeat(tf.constant(3), 4, 0), tf.repeat(tf.constant(3), [4], 0), tf.repeat(unknown([3, 1]), unknown([4, 2]), 0)]
tf.repeat([1], 2.)
S = inner('python.framework.tensor_util').constant_value; c = tf.constant([1, 2]); v, w = tf.get_static_value(c), S(tf.shape(c)); v += 1; w += 1; ys = [c, tf.constant(v), tf.constant(w), tf.constant(tf.get_static_value(c)), tf.constant(S(tf.shape(c)))]
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

_STRINGS = r"""
x = tf.constant(['AbCdEfG1 é', 'α9 a.b', 'a\nb\n', 'aB cD\tÉé \x0bx_1', 'Straße ς Σ', 'привет, мир! 你好。', '']); ys = [tf.strings.regex_replace(x, p, '<\0>') for p in (r'\p{Ll}', r'\pL', r'\P{Lu}', '[[:^digit:]]', r'\Qa.b\E', r'\x{61}', r'[\p{L}\d]+', r'\p{Greek}', r'\p{Han}+', r'[^\p{L}\p{N}\s]', r'\P{^L}', r'[\P{L}]', r'(?U)\w+?x')]
x = tf.constant(['aB cD\tÉé \x0bx_1', 'Straße ς Σ', 'a\nb\n']); ys = [y for p in ('$', '(?m)$', r'\s', r'\S+', r'\bc', '(?i)b', '(?i)é', 'a(?i)b|d', '(a(?i)b|D)|d', '(?i:B)d', '(?i)(?-i)D', '(?s).+', '(?U)a+', '[a-]', '[a&&b]', '[[]', '[]a]', 'a{,2}', r'\01', r'\-') for y in (tf.strings.regex_replace(x, p, '-'), tf.strings.regex_full_match(x, p))]
ys = [tf.strings.regex_replace('a', 'a[b', '')]
ys = [tf.strings.regex_replace('a', 'ab)', '')]
ys = [tf.strings.regex_replace('a', 'a|*', '')]
ys = [tf.strings.regex_replace('a', 'a*+', '')]
ys = [tf.strings.regex_replace('a', '(?=a)', '')]
ys = [tf.strings.regex_replace('a', r'\1', '')]
ys = [tf.strings.regex_replace('a', '[z-a]', '')]
ys = [tf.strings.regex_replace('a', 'a{1001}', '')]
ys = [tf.strings.regex_replace('a', r'\p{Foo}', '')]
"""

_OPS = """
tf.cond(tf.constant(True), lambda: tf.Variable(tf.zeros([]), use_resource=False).read_value(), lambda: tf.constant(1.))
tf.cond(tf.constant(True), lambda: tf.Variable(tf.zeros([]), use_resource=True).read_value(), lambda: tf.constant(1.))
ys = [tf.cond(tf.constant(True), lambda: tf.Variable(lambda: tf.zeros([]), use_resource=r).read_value(), lambda: tf.constant(1.)) for r in (False, True)]
tf.signal.rfft(np.zeros([3], 'f'), [2, 2])
tf.signal.irfft2d(np.zeros([3, 3], 'F'), [2])
inner('python.ops.io_ops').restore_v2('m', ['a', 'b', 'c'], ['', '3 4 0,1:-'], [tf.float32] * 2)
inner('python.ops.io_ops').save_v2('m', ['a', 'b'], [''], [tf.constant(1.), tf.constant(2.)])
tf.constant([1, 'a'])
ys = [tf.nn.softmax(unknown(np.float32(2)))]
ys = [tf.nn.log_softmax(unknown(np.float32(2)))]
ys = [tf.diag(unknown(np.float32(2)))]
ys = [tf.diag_part(unknown(np.float32([1, 2])))]
a, b = tf.ones([2, 3]), tf.ones([3, 4]); m = tf.matmul(a, b); S = inner('python.framework.ops').get_stats_for_node_def; g = tf.get_default_graph(); ys = [tf.constant(str([S(g, m.op.node_def, k).value for k in ('flops', 'other')]))]
"""

CASES = {line: _PRELUDE + line for line in (_CONVERSIONS + _SHAPES + _BRANCHES + _STRINGS + _OPS).strip().split("\n") if line}
