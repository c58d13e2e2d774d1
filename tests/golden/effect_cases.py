"""Small programs over random, host, checking and string ops: each sets ``ys``, a list of tensors and ops.

They are run by ``record_effects.py`` under TensorFlow 1.15.5, and by ``tests/test_effects.py`` here.
"""

_DYNAMIC = """
i = lambda *v: tf.placeholder_with_default(np.array(v, 'i'), [None])
f = lambda *v: tf.placeholder_with_default(np.array(v, 'f'), [None])
u = lambda *v: tf.placeholder_with_default(np.array(v, 'f'), None)
s = lambda *v: tf.placeholder_with_default(list(v), [None])
"""

_RANDOM = """
tf.set_random_seed(7); ys = [tf.random_uniform([4]), tf.random_normal([2, 3]), tf.truncated_normal([5], seed=3)]
ys = [tf.random_uniform((2, tf.Dimension(3)), seed=1), tf.random_uniform(tf.TensorShape([2]), -1, 1, seed=2)]
ys = [tf.random_uniform([2, tf.placeholder_with_default(3, [])], seed=1, dtype=tf.float64)]
ys = [tf.random_uniform([6], 0, 10, tf.int32, seed=1), tf.random_uniform([3], -5, 2**40, tf.int64, seed=2, name='n')]
ys = [tf.random_uniform(tf.shape(f(1., 2.)), seed=1, name='x'), tf.random_uniform([], seed=4), tf.random_uniform((), seed=4)]
ys = [tf.random_normal([3], 1., 2., tf.float16, seed=1), tf.random_normal([2], f(1., 2.), 2., seed=1)]
ys = [tf.random_normal([3, 1], [1., 2.], dtype=tf.float64, seed=5), tf.random.normal(np.array([2, 1], np.int64), seed=6)]
ys = [tf.truncated_normal([2, 2], 1., 2., tf.float64, seed=1)]
ys = [tf.random_shuffle(tf.range(6), seed=1), tf.random_shuffle([[1, 2], [3, 4], [5, 6]], seed=2), tf.random_shuffle(3)]
ys = [tf.random_crop(np.arange(25).reshape(5, 5), [2, 3], seed=1), tf.random_crop(u(1., 2., 3.), [2], seed=2, name='c')]
ys = [tf.multinomial([[0., 1., 2.], [5., 1., 0.]], 6, seed=1), tf.multinomial([[0., 1.]], 4, seed=2, output_dtype=tf.int32, name='m')]
ys = [tf.random.categorical([[0., 1., 2.]], 6, seed=1), tf.random.categorical([[0., 1., 2.]], 3, tf.int32, 1)]
ys = [tf.random_gamma([3], 2., seed=1), tf.random_gamma([2], [.5, 3.], [[1.], [2.]], seed=1), tf.random_gamma([2], 1., dtype=tf.float64, seed=3)]
a = tf.constant([1., 2.]); b = tf.constant(3.); ys = tf.gradients(tf.random_gamma([3], a, b, seed=1), [a, b])
ys = [tf.random_poisson(3., [4], seed=1), tf.random_poisson([1., 20.], [3], tf.int32, seed=2), tf.random.poisson([2.], [2], tf.float64, 3)]
ys = [tf.random.stateless_uniform([3], [1, 2]), tf.random.stateless_uniform([3], [1, 2], 0, 10, tf.int32, name='z')]
ys = [tf.random.stateless_normal([3], tf.constant([1, 2])), tf.random.stateless_truncated_normal([3], [3, -4], 1., 2.)]
ys = [tf.random.stateless_multinomial([[1., 2.]], 5, [1, 2]), tf.random.stateless_categorical([[1., 2.]], 3, [1, 2], tf.int32)]
x = tf.constant([1., 2.]); ys = tf.gradients(tf.random_normal([2], x, x, seed=1), x)
ys = [tf.random_uniform([2], dtype=tf.int32)]
ys = [tf.random_uniform([2], maxval=3, dtype=tf.int8)]
ys = [tf.random_uniform(3)]
ys = [tf.random_uniform([2.])]
ys = [tf.random_uniform([2, None])]
ys = [tf.random_uniform(tf.placeholder_with_default([-1], [1]))]
ys = [tf.random_uniform([2], 5, 1, tf.int32)]
ys = [tf.random_uniform([2], [0, 1], [3, 4], tf.int32)]
ys = [tf.random_normal([2], dtype=tf.int32)]
ys = [tf.random_crop(u(1., 2.), [3])]
ys = [tf.multinomial([1., 2.], 2)]
ys = [tf.multinomial([[1., 2.]], tf.placeholder_with_default(-1, []))]
ys = [tf.multinomial(tf.zeros([2, 0]), 3)]
ys = [tf.random_gamma([-1], 1.)]
ys = [tf.random_gamma([1], 1, dtype=tf.int32)]
ys = [tf.random_poisson(1., f(1.))]
ys = [tf.random.stateless_uniform([2], [1, 2, 3])]
ys = [tf.random.stateless_uniform([2], [1., 2.])]
x = tf.constant([1., 2.]); tf.gradients(tf.random_shuffle(x), x)
x = tf.constant([1., 2.]); tf.gradients(tf.random_poisson(x, [2]), x)
"""

_HOST = """
x = tf.constant([1., 2.]); ys = [tf.py_func(lambda a: a * 2, [x], tf.float32)] + tf.py_func(lambda a, b: (a, b), [x, 3], [tf.float32, tf.int32], name='P')
ys = [tf.py_func(lambda: np.float64(2), [], tf.float64, stateful=False), tf.py_func(lambda: 'text', [], tf.string)]
ys = [tf.py_func(lambda a: a, [['ab', 'c']], tf.string), tf.numpy_function(lambda a: a[::-1], [[1., 2.]], [tf.float32])[0]]
ys = [tf.py_func(lambda: None, [], [])]
x = tf.constant([1., 2.]); ys = [tf.constant(0)] if tf.gradients(tf.py_func(lambda a: a, [x], tf.float32), x) == [None] else []
ys = [tf.py_func(lambda: 1 / 0, [], tf.float32)]
ys = [tf.py_func(lambda: {}['k'], [], tf.float32)]
ys = [tf.py_func(lambda: int('x'), [], tf.float32)]
ys = [tf.py_func(lambda: next(iter([])), [], tf.float32)]
ys = [tf.py_func(lambda a: a, [], tf.float32)]
ys = [tf.py_func(lambda: {}, [], tf.float32)]
ys = [tf.py_func(3, [], tf.float32)]
ys = [tf.py_func(lambda a: a, 1., tf.float32)]
ys = [tf.Print(f(1.), ['a', f(1.)], 'message', first_n=0, summarize=4), tf.Print([1.], [2.], first_n=0)]
x = f(1.); ys = tf.gradients(tf.Print(x, [x], first_n=0), x)
ys = [tf.strings.format('a {} b {}', [f(1., 2.5), 3]), tf.strings.format('@', s('x', 'y'), '@', summarize=1)]
ys = [tf.strings.format('{}', tf.reshape(tf.range(343), [7, 7, 7])), tf.strings.format('{}', tf.zeros([2, 0]))]
ys = [tf.strings.format('{} {} {}', [np.float32([1e10, 1e-5, 3.14159274, .1]), np.float64([1 / 3., 1e20, .1]), np.float16([1 / 3.])])]
ys = [tf.strings.format('{} {} {}', [True, [False], [float('nan'), float('inf')]]), tf.strings.format('{}', [['a"b\\n\\\\']])]
ys = [tf.strings.format('a {} {}', [1])]
y = tf.print(f(1.), 'abc', 3, {'b': i(1), 'a': [i(2), 'z']}, summarize=5, sep='|', end='!', name='nm'); ys = []
y = tf.print(s('x')[0]); y = tf.print('{', 1.5, None, [1, (2,)]); ys = []
ys = [tf.Assert(True, ['x']), tf.Assert(i(1)[0] > 0, ['y', i(1, 2)], summarize=1, name='A')]
ys = [tf.Assert(i(1)[0] > 1, ['a"b\\nc', i(1, 2, 3, 4), 2])]
ys = [tf.Assert(i(1)[0] > 1, [f(1., 2., 3., 4.)], summarize=-1)]
ys = [tf.Assert(i(1)[0] > 1, [tf.reshape(i(1, 2, 3, 4), [2, 2])])]
ys = [tf.Assert(i(0, 1) > 0, ['x'])]
ys = [tf.Assert(1, ['x'])]
ys = [tf.Assert(True, 'x')]
ys = [tf.check_numerics(f(1., 2.), 'm'), tf.verify_tensor_all_finite(f(1.), 'm'), tf.verify_tensor_all_finite(x=[1.], message='m', name='v')]
x = f(1., 2.); ys = tf.gradients(tf.check_numerics(x, 'm'), x)
x = f(1., 2.); y = tf.cast(x * 2., tf.int32); ys = [tf.add_check_numerics_ops()]
ys = [tf.check_numerics(f(1., float('nan')), 'm')]
ys = [tf.check_numerics(f(1., -float('inf')), 'm')]
ys = [tf.check_numerics(f(float('nan'), float('inf')), 'm')]
ys = [tf.verify_tensor_all_finite(f(float('nan')), 'm')]
ys = [tf.check_numerics(1, 'm')]
ys = [tf.verify_tensor_all_finite(1.)]
ys = [tf.verify_tensor_all_finite(1., 'm', x=1.)]
"""

_CHECKS = """
ys = [tf.assert_equal(i(1, 2), i(1, 2)), tf.assert_none_equal(i(1), 2), tf.assert_less(i(1), 2), tf.assert_less_equal(i(1), 1)]
ys = [tf.assert_greater(i(1), 0), tf.assert_greater_equal(i(1), [1], message='m', data=['d', 1], summarize=5, name='n')]
x = i(1); ys = [tf.assert_equal(x, x)]
ys = [tf.assert_equal(f(1.), f(1.)), tf.assert_near(f(1.), 1.), tf.assert_near(f(1.), 1., rtol=.1, atol=.2, message='M', summarize=3)]
ys = [tf.assert_equal([1, 2], [1, 2]), tf.assert_less([1, 2], [2, 3])]
ys = [tf.assert_positive(i(1)), tf.assert_negative(i(-1)), tf.assert_non_positive(i(0)), tf.assert_non_negative(i(0), data=['d'])]
ys = [tf.assert_positive(tf.constant([1, 2]), message='m', name='p')]
ys = [tf.assert_equal([1, 2], [1, 3])]
ys = [tf.assert_equal([1, 2], [1, 3], message='m', data=[tf.constant(7)])]
ys = [tf.assert_less(2, 1)]
ys = [tf.assert_none_equal('a', 'a', message='m')]
ys = [tf.assert_non_positive([1, -1], message='m')]
ys = [tf.assert_equal(i(1, 2), [1, 3], message='m')]
ys = [tf.assert_equal(i(1, 2, 3), i(1, 3))]
ys = [tf.assert_positive(i(1, -1))]
ys = [tf.assert_non_positive(i(1, -1))]
ys = [tf.assert_near(f(1., 2.), 1.)]
ys = [tf.assert_near(i(1), i(1))]
ys = [tf.assert_less(tf.constant([1, 2, 3]), [1, 2])]
ys = [tf.assert_greater(1., [1, 3])]
ys = [tf.assert_rank([1, 2], 1), tf.assert_rank(u(1.), 1), tf.assert_rank(f(1.), tf.placeholder_with_default(1, [])), tf.assert_rank(f(1.), tf.placeholder_with_default(1, None))]
ys = [tf.assert_rank_at_least(f(1.), 1), tf.assert_rank_at_least(u(1.), 1, data=['a'], summarize=7, name='n')]
ys = [tf.assert_rank_in(f(1.), (1, 2)), tf.assert_rank_in(u(1.), (1, 3)), tf.assert_rank_in(f(1.), (2, tf.placeholder_with_default(1, [])))]
ys = [tf.assert_rank(f(1.), 2, message='m')]
ys = [tf.assert_rank(f(1.), 2)]
ys = [tf.assert_rank_at_least(f(1.), 2)]
ys = [tf.assert_rank_in(f(1.), (2, 3))]
ys = [tf.assert_rank(f(1.), [1, 2])]
ys = [tf.assert_rank(f(1.), 1.)]
ys = [tf.assert_rank(u(1., 2.), 2, message='m')]
ys = [tf.assert_rank_at_least(u(1., 2.), 2)]
ys = [tf.assert_rank_in(u(1., 2.), (2, 3))]
ys = [tf.assert_scalar(tf.constant(1)), tf.assert_scalar(3), tf.assert_integer(i(1)), tf.assert_type(i(1), tf.int32)]
ys = [tf.assert_scalar(f(1.))]
ys = [tf.assert_scalar(u(1.), message='m')]
ys = [tf.assert_integer(f(1.), message='m')]
ys = [tf.assert_type(i(1), tf.float32, message='m')]
ys = [tf.assert_type(3, tf.float32)]
ys = [tf.constant([tf.is_numeric_tensor(x) for x in (f(1.), i(1), s('a'), tf.constant(True), 3, tf.constant(1j))])]
tf.debugging.assert_same_float_dtype([f(1.), tf.constant(1., tf.float64)])
tf.debugging.assert_same_float_dtype([i(1)])
tf.debugging.assert_same_float_dtype([f(1.)], tf.float64)
tf.assert_proper_iterable('a')
tf.assert_proper_iterable(3)
tf.assert_proper_iterable(np.zeros(2))
ys = [tf.ensure_shape(f(1., 2.), [2]), tf.ensure_shape([1, 2], [None], name='e')]
ys = [tf.ensure_shape(tf.zeros([3, 2]), [2, None])]
ys = [tf.ensure_shape(f(1., 2.), [3])]
ys = [tf.debugging.assert_shapes([(tf.zeros([2, 3]), ('N', 'Q')), (tf.zeros([2, 4]), ('N', 'D'))])]
ys = [tf.debugging.assert_shapes({f(1., 2.): 'N'}), tf.debugging.assert_shapes([])]
ys = [tf.debugging.assert_shapes([(f(1., 2.), 'N'), (tf.placeholder_with_default([[1.]], [None, None]), ('M', 'M'))], message='m', name='n')]
ys = [tf.debugging.assert_shapes([(f(1., 2.), 'N'), (f(1.), 'N')])]
ys = [tf.debugging.assert_shapes([(tf.zeros([2, 3]), ('N', 'Q')), (tf.zeros([3, 4]), ('N', 'D'))], message='m')]
ys = [tf.debugging.assert_shapes([(tf.zeros([2, 3]), ('N', 4))])]
ys = [tf.debugging.assert_shapes([(tf.zeros([2, 3]), ('N',))])]
ys = [tf.debugging.assert_shapes([(tf.zeros([3]), ())])]
ys = [tf.debugging.assert_shapes([(tf.zeros([2, 3]), (None, '.'))]), tf.debugging.assert_shapes([(tf.zeros([2, 3]), ('...', 3))])]
ys = [tf.debugging.assert_shapes([(tf.zeros([2, 3]), 3)])]
"""

_VALUES = """
ys = [tf.is_non_decreasing(f(1., 1., 2.)), tf.is_non_decreasing([[1, 3], [2, 4]]), tf.is_non_decreasing(f())]
ys = [tf.is_strictly_increasing(f(1., 1., 2.)), tf.is_strictly_increasing([[1, 2], [3, 4]]), tf.is_strictly_increasing([5])]
"""

_STRINGS = """
ys = [tf.string_join([['a', 'b'], 'c', s('d', 'e')], '-'), tf.string_join([s('a'), 'b'], name='j')]
ys = [tf.string_join([s('a'), s('b', 'c')])]
ys = [tf.reduce_join([['a', 'b'], ['c', 'd']], 0), tf.reduce_join([['a', 'b'], ['c', 'd']], [0, 1], separator='.'), tf.reduce_join([['a', 'b'], ['c', 'd']], [1, 0])]
ys = [tf.reduce_join([['a', 'b'], ['c', 'd']]), tf.reduce_join([['a', 'b'], ['c', 'd']], -1, keep_dims=True), tf.reduce_join([['a', 'b']], reduction_indices=[])]
ys = [tf.reduce_join(tf.placeholder_with_default([['a', 'b']], None))]
ys = [tf.reduce_join([['a']], tf.placeholder_with_default([2], [1]))]
ys = [tf.reduce_join([['a']], [0, 0])]
ys = list(tf.string_split(['a b  c', '', 'd'])) if False else [tf.sparse.to_dense(t, '-') for t in ()] + [tf.string_split(['a b  c', '', 'd']).values, tf.string_split(['a,b.c'], ',.').indices]
ys = [tf.string_split(['a,b,,c'], ',', skip_empty=False).values, tf.string_split(['abc', ''], '').dense_shape]
ys = [tf.strings.split([' a  b ', 'c'], maxsplit=1).values, tf.strings.split(['a--b--c'], '--').values]
ys = [tf.strings.length(['abc', b'\\xc3\\xa9'.decode('utf-8')]), tf.strings.length([b'\\xc3\\xa9'.decode('utf-8')], unit='UTF8_CHAR', name='n')]
ys = [tf.substr(['hello', 'world'], 1, 3), tf.substr(['hello', 'world'], -3, 2), tf.substr(['hello', 'world'], [1, 2], [3, 1]), tf.substr('hello', 0, 100)]
ys = [tf.strings.substr(b'h\\xc3\\xa9llo'.decode('utf-8'), 1, 2, unit='UTF8_CHAR')]
ys = [tf.substr(['hello', 'wo'], 4, 3)]
ys = [tf.strings.substr('hello', 7, 2, unit='UTF8_CHAR')]
ys = [tf.substr(['a', 'b'], 1, [1, 2])]
ys = [tf.string_to_hash_bucket(['a', 'b', 'hello', 'x' * 30], 1000), tf.string_to_hash_bucket_strong(['a', 'b', 'hello', 'x' * 30], 1000, [123, 456])]
ys = [tf.string_to_hash_bucket_fast([c * n for c in 'ab' for n in (0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200)], 2**31)]
ys = [tf.strings.lower(['ABC'], name='l'), tf.strings.upper([b'abc\\xc3\\xa9'.decode('utf-8')], encoding='utf-8'), tf.strings.upper([b'abc\\xc3\\xa9'.decode('utf-8')])]
ys = [tf.strings.upper(['a'], encoding='x')]
ys = [tf.regex_replace(['aabb', 'ab'], 'a', 'x'), tf.regex_replace(['aabb'], 'a', 'x', replace_global=False), tf.regex_replace(['aabb'], '(a)(b)', r'\\2\\1\\0\\\\')]
ys = [tf.regex_replace(['baac', 'a.b'], tf.constant('a*'), 'x'), tf.regex_replace(['a.b9'], '[[:alpha:]]|[[:digit:]]', 'x'), tf.regex_replace(['ab'], r'\\w', '')]
ys = [tf.strings.regex_full_match(['aabb', 'ab', 'abc', 'a'], 'a.*b'), tf.strings.regex_full_match(['ab'], tf.constant('a'))]
ys = [tf.string_strip(['  a b ', 'x']), tf.encode_base64(['a', 'ab', 'abc', '>?>?']), tf.encode_base64(['a', 'ab'], pad=True)]
ys = [tf.decode_base64(['YQ', 'YWI=', 'YWJj', 'Pj8-Pw'])]
ys = [tf.decode_base64(['Y'])]
ys = [tf.decode_base64(['YQ==='])]
ys = [tf.decode_base64(['+/4'])]
N = [0., 1., -1.5, 3.14159265, 1e10, 1e-10, float('nan'), float('inf')]; ys = [tf.as_string(N), tf.as_string(np.float64(N)), tf.as_string(N, precision=2), tf.as_string(N, scientific=True), tf.as_string(N, shortest=True)]
N = [1.5, -1.5, float('nan')]; ys = [tf.as_string(N, width=10, fill=c) for c in ('', '0', '-', '+', ' ')] + [tf.as_string(N, shortest=True, precision=3, name='q')]
ys = [tf.as_string([1, -2], width=5, fill='0'), tf.as_string([True, False]), tf.as_string([1 + 2j]), tf.as_string(np.int64([2**40])), tf.as_string([1 + 2j], precision=2, width=6)]
ys = [tf.as_string([1], precision=3)]
ys = [tf.as_string([1.], fill='xy')]
ys = [tf.as_string([1.], fill='x', width=3)]
ys = [tf.as_string([1.], scientific=True, shortest=True)]
ys = [tf.string_to_number(['1', '1.5', '-3', '1e3', ' 2 ', 'nan', 'inf', '0x10', '1.', '.5', '+4', '1e400']), tf.string_to_number('0.1', tf.float64)]
ys = [tf.string_to_number(['1', ' -3 '], tf.int32), tf.string_to_number('99999999999', out_type=tf.int64, name='q')]
ys = [tf.string_to_number('1_000')]
ys = [tf.string_to_number('')]
ys = [tf.string_to_number('99999999999', tf.int32)]
ys = [tf.string_to_number('1.5', tf.int32)]
"""

CASES = {}
for _kind, _programs in (
    ("random", _RANDOM), ("host", _HOST), ("check", _CHECKS), ("values", _VALUES), ("string", _STRINGS),
):
    for _line in _programs.strip().split("\n"):
        CASES[_kind + ": " + _line] = _DYNAMIC + _line


def outcome(tf, np, code, nodes_of, error_of):
    """What a case gives: its graph's nodes, the values of two runs of ``ys``, or an error."""
    result = {}
    with tf.Graph().as_default() as graph:
        space = {"tf": tf, "np": np}
        try:
            exec(code, space)
            ys = space.get("ys", [])
            result["nodes"] = nodes_of(graph)
            with tf.Session() as session:
                result["values"] = [plain(np, v) for _ in range(2) for v in session.run(ys)]
        except Exception as error:
            result["error"] = error_of(error)
            result.setdefault("nodes", nodes_of(graph))
    return result


def plain(np, value):
    """A value as JSON: dtype, shape and elements."""
    array = np.asarray(value)
    if array.dtype.kind in "SUO":
        items = [v.decode() if isinstance(v, bytes) else str(v) for v in array.ravel().tolist()]
        return ["object", list(array.shape), items]
    if array.dtype.kind == "c":
        return [array.dtype.name, list(array.shape), [str(v) for v in array.ravel().tolist()]]
    items = [v if v == v and abs(v) != float("inf") else str(v) for v in array.ravel().tolist()]
    return [array.dtype.name, list(array.shape), items]
