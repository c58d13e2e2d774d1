"""Small programs over TensorArray, map_fn, scan and the folds: each sets ``ys``, a list of tensors and ops.

They are run by ``record_tensor_arrays.py`` under TensorFlow 1.15.5, and by ``tests/test_tensor_array.py`` here.
"""

_DYNAMIC = """
f = lambda *v: tf.placeholder_with_default(np.array(v, 'f'), [None])
u = lambda *v: tf.placeholder_with_default(np.array(v, 'f'), None)
k = lambda v: tf.placeholder_with_default(v, [])
M = np.arange(6, dtype='f').reshape(3, 2) - 1.5
A = lambda *a, **b: tf.TensorArray(tf.float32, *a, **b)
"""

_ARRAYS = """
a = A(3).write(0, [1., 2.]).write(2, [3., 4.]); ys = [a.read(0), a.read(1), a.size(), a.flow]
a = A(3, clear_after_read=False).unstack(M); ys = [a.stack(), a.read(1), a.concat(), a.gather([2, 0, 2]), a.gather([1])]
a = A(2, element_shape=[2]).unstack(M[:2]); ys = [a.stack(name='s')]
a = A(0, dynamic_size=True, infer_shape=False); a = a.write(1, 3.).write(0, [1.]); ys = [a.read(1), a.read(0), a.size()]
a = A(3, infer_shape=False).split(M, [2, 0, 1]); ys = [a.read(0), a.read(1), a.read(2)]
a = A(3, clear_after_read=False).split(M, [1, 1, 1], name='c'); ys = [a.read(0), a.concat(name='d'), a.stack()]
a = A(0, dynamic_size=True, clear_after_read=False).scatter([1, 3], M[:2]); ys = [a.stack(), a.concat(), a.size()]
a = A(k(2)).write(k(1), u(1., 2.)).write(k(0), u(3., 4.)); ys = [a.stack()]
a = A(2, tensor_array_name='n', name='m'); b = a.write(0, 1., name='w').write(1, 2., name='v'); ys = [b.read(0, name='r'), b.gather([1], name='g')]
a = tf.TensorArray(tf.int32, 2).write(0, 1).write(1, 5); ys = [a.stack()]; b = tf.TensorArray(tf.int64, 1).write(0, 7); ys += [b.read(0)]
a = tf.TensorArray(tf.string, 3).write(0, 'a').write(1, 'bc').write(2, 'd'); ys = [a.stack()]
a = tf.TensorArray(tf.string, 2).unstack(['x', 'yz']); ys = [a.read(1), a.read(0)]
a = tf.TensorArray(tf.complex64, 2).unstack(np.array([1 + 2j, 3 - 1j], 'F')); ys = [a.stack()]
a = tf.TensorArray(tf.bool, 2).unstack([True, False]); ys = [a.stack()]
a = A(2); b = a.identity(); c = A(2); ys = [b.write(0, 2.).read(0), c.write(1, 1.).read(1)]
a = A(3, element_shape=[2]); ys = [a.stack(), a.concat(), a.read(0)]
a = A(0, element_shape=[2]); ys = [a.stack()]
a = A(0, element_shape=[3, 2]); ys = [a.stack(), a.concat()]
a = A(1); ys = [a.close()]
a = A(2, colocate_with_first_write_call=False); x = tf.constant(2.); a = a.write(0, x).write(1, tf.identity(x)); ys = [a.stack()]
x = tf.constant(2., name='x'); y = tf.constant(3., name='y'); a = A(2).write(0, x).write(1, y); ys = [a.stack()]
a = A(2); b = tf.TensorArray(tf.float32, handle=a.handle, flow=a.flow, infer_shape=False); ys = [b.write(0, 1.).read(0)]
a = A(3, infer_shape=False, element_shape=[None, 2]); a = a.write(0, tf.ones([2, 2])).write(1, tf.ones([1, 2])).write(2, tf.ones([3, 2])); ys = [a.concat()]
a = A(2, element_shape=[None, 2]); p = a.element_shape; a = a.write(0, u(*M)); ys = [a.read(0)]; a.element_shape
with tf.device('/cpu:0'): a = A(2)
a = A(2); g = a.grad('s'); w = g.write(1, 2.).write(1, 3.); ys = [w.read(1), a.write(0, 1.).read(0)]
a = A(2).unstack([1., 2.]); g = a.grad('s', flow=a.flow, name='n'); w = g.write(0, 2.); ys = [w.read(0), w.size()]
"""

_GRADIENTS = """
x = tf.constant(M); a = A(3, clear_after_read=False).unstack(x); y = a.read(0) * a.read(2); ys = tf.gradients(y, x)
x = tf.constant(M); a = A(3, clear_after_read=False).unstack(x); y = a.stack() ** 2; ys = tf.gradients([y, a.concat(), a.read(1)], x)
x = tf.constant(M); a = A(3).unstack(x); ys = tf.gradients(a.gather([0, 2, 0]), x, [M])
x = tf.constant(M); a = A(3).unstack(x); ys = tf.gradients(a.gather([0, 2]), x, [M[1:]])
x = tf.constant(M); a = A(2, infer_shape=False).split(x, [1, 2]); ys = tf.gradients(a.read(1) ** 2, x)
x = tf.constant(M); a = A(2, infer_shape=False).split(x, [1, 2]); ys = tf.gradients(a.concat() ** 2, x)
x = tf.constant(5.); y = tf.constant(7.); a = A(2).write(0, x).write(1, y); ys = tf.gradients(a.read(0), [x, y])
x = tf.constant(5.); y = tf.constant(7.); a = A(2).write(0, x).write(1, y); ys = tf.gradients(a.stack(), [x, y], [[2., 3.]])
x = tf.constant(M); a = A(0, dynamic_size=True).scatter([1, 4, 2], x); ys = tf.gradients(a.read(4), x)
x = tf.constant(M); a = A(3).unstack(x); ys = tf.gradients(tf.gather(a.read(0), [1, 1]), x)
x = tf.constant(M); a = A(3).unstack(x); r = a.read(1); ys = tf.gradients(r * r, x) + tf.gradients(r, [x, a.flow][:1])
x = tf.constant(M); a = A(3).unstack(tf.stop_gradient(x)); ys = [tf.constant(0)] if tf.gradients(a.read(0), x) == [None] else []
x = tf.constant(M); ys = tf.gradients(A(3).unstack(x).read(0), x, colocate_gradients_with_ops=True)
x = f(1., 2., 3.); a = A(3).unstack(x); ys = tf.gradients(a.read(0) * 3., x, name='gradients_of_x')
x = tf.constant(M); a = tf.TensorArray(tf.complex64, 3).unstack(tf.complex(x, x)); ys = tf.gradients(tf.abs(a.read(1)), x)
"""

_SHARING = """
def after(first, build):
    with tf.control_dependencies(first): return build()
w = A(3, clear_after_read=False, infer_shape=False, tensor_array_name='foo').write(0, 1.).write(1, 2.)
"""

_SHARED = """
g = w.grad('s').write(0, 3.); h = after([g.flow], lambda: w.grad('s').write(0, 4.)); ys = [h.read(0)]
g = w.grad('s').write(0, 3.); h = after([g.flow], lambda: w.grad('t').write(0, 4.)); ys = [h.read(0)]
g = w.grad('s').write(0, 3.); h = after([g.flow], lambda: w.grad('s').write(1, 4.)); ys = after([h.flow], lambda: [g.read(1), h.read(0), g.size()])
g = w.grad('gradients').write(0, 3.); h = after([g.flow], lambda: w.grad('gradients').write(0, 4.)); ys = [h.read(0)]
g = w.grad('s').write(0, 3.); h = after([g.flow], lambda: w.grad('s', flow=g.flow).write(0, 4.)); ys = [w.grad('s', flow=g.flow + h.flow).read(0)]
g = w.grad('s').scatter([0, 2], [3., 1.]); h = after([g.flow], lambda: w.grad('s').scatter([2, 1], [5., 6.])); ys = [h.gather([2, 0, 1])]
g = w.grad('s'); _, f = tf.while_loop(lambda i, f: i < 4, lambda i, f: (i + 1, w.grad('s', flow=f).write(1, tf.cast(i, tf.float32)).flow), [1, g.flow]); ys = after([f], lambda: [w.grad('s').read(1)])
g = w.grad('s').write(0, 3.); r = after([g.flow], lambda: g.read(0)); ys = [after([r], lambda: w.grad('s').write(0, 4.)).flow]
g = w.grad('s').write(0, 3.); r = after([g.flow], lambda: g.read(0)); ys = [after([r], lambda: w.grad('s').read(0))]
ys = [A(2).grad('s').read(0)]
"""

_MAPS = """
ys = [tf.map_fn(lambda v: v * v, tf.constant(M)), tf.map_fn(lambda v: v + 1, [1, 2, 3])]
ys = [tf.map_fn(lambda v: v * v, f(1., 2.)), tf.map_fn(lambda v: v * v, u(1., 2.))]
ys = list(tf.map_fn(lambda v: (v[0] * v[1], v[0] + 1), (M, tf.constant([1., 2., 3.])), name='both'))
ys = [tf.map_fn(lambda v: v[0] + v[1], (M, M), dtype=tf.float32, parallel_iterations=3, back_prop=False, swap_memory=True)]
ys = list(tf.map_fn(lambda v: [tf.cast(v, tf.int32), -v], tf.constant(M), dtype=[tf.int32, tf.float32]))
r = tf.map_fn(lambda v: {'b': v['a'] * 2}, {'a': tf.constant(M)}, dtype={'b': tf.float32}); ys = [r['b']]
ys = [tf.map_fn(lambda v: tf.map_fn(lambda w: w * w, v), tf.constant(M))]
w = tf.constant(3.); ys = [tf.map_fn(lambda v: v * w, tf.constant(M), infer_shape=False)]
ys = [tf.map_fn(lambda v: tf.strings.length(v), tf.constant(['a', 'bcd']), dtype=tf.int32)]
ys = [tf.map_fn(lambda v: v * tf.get_variable('w', [2], initializer=tf.ones_initializer()), tf.constant(M)), tf.get_variable_scope().caching_device or 0]; ys = ys[:0]
ys = [tf.map_fn(lambda v: v * tf.get_variable('w', [2], initializer=tf.ones_initializer(), use_resource=True), tf.constant(M))][:0]
ys = [tf.map_fn(lambda v: v, tf.zeros([0, 2]))]
ys = [tf.scan(lambda a, v: a * v, tf.constant(M)), tf.scan(lambda a, v: a + v, tf.constant(M), reverse=True)]
ys = [tf.scan(lambda a, v: a + v, f(1., 2.)), tf.scan(lambda a, v: a + v, f(1., 2.), reverse=True, name='back')]
ys = [tf.scan(lambda a, v: a + tf.reduce_sum(v), tf.constant(M), initializer=tf.constant(10.))]
ys = [tf.scan(lambda a, v: a + tf.reduce_sum(v), tf.constant(M), 10., reverse=True, infer_shape=False)]
ys = list(tf.scan(lambda a, _: (a[1], a[0] + a[1]), tf.zeros([6]), (0., 1.)))
ys = list(tf.scan(lambda a, v: (a[0] * v[0], a[1] + v[1]), (tf.constant(M), tf.constant([1., 2., 3.]))))
r = tf.scan(lambda a, v: [a[0] + v, {'q': a[1]['q'] * 2.}], tf.constant([1., 2.]), [0., {'q': 1.}]); ys = [r[0], r[1]['q']]
ys = [tf.foldl(lambda a, v: a + v * v, tf.constant(M)), tf.foldl(lambda a, v: a - v, f(1., 2., 3.), 1., name='l')]
ys = [tf.foldr(lambda a, v: a + v * v, tf.constant(M)), tf.foldr(lambda a, v: a - v, f(1., 2., 3.), 1., name='r')]
ys = list(tf.foldl(lambda a, v: (a[0] + v[0], a[1] * v[1]), (tf.constant(M), tf.constant([1., 2., 3.]))))
ys = list(tf.foldr(lambda a, v: (a[0] + v, a[1] * v), tf.constant([1., 2., 3.]), (0., 1.), parallel_iterations=2))
ys = [tf.foldl(lambda a, v: a + v, np.array([1., 2., 3.])), tf.foldr(lambda a, v: a + v, np.array([1., 2., 3.]))]
a = A(3); _, a = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a.write(i, tf.cast(i, tf.float32) * 2.)), (0, a)); ys = [a.stack()]
x = tf.constant(M); a = A(0, dynamic_size=True, infer_shape=False); i, a = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a.write(i, x[i])), (0, a)); ys = [a.stack(), a.size(), i]
x = tf.constant(M); a = A(3).unstack(x); _, s = tf.while_loop(lambda i, _: i < 3, lambda i, s: (i + 1, s + a.read(i)), (0, tf.zeros([2]))); ys = [s]
a = A(4, clear_after_read=False).write(0, 1.); _, a = tf.while_loop(lambda i, _: i < 4, lambda i, a: (i + 1, a.write(i, a.read(i - 1) * 2.)), (1, a)); ys = [a.stack()]
a = A(2); p = k(True); b = tf.cond(p, lambda: a.write(0, 1.), lambda: a.write(0, 2.)); ys = [b.read(0)]
p = k(False); b = tf.cond(p, lambda: A(2).write(0, 1.).stack(), lambda: A(2).write(1, 2.).stack()); ys = [b]
"""

_LOOP_GRADIENTS = """
x = tf.constant(M); y = tf.map_fn(lambda v: v * v * v, x); ys = tf.gradients(y, x)
x = tf.constant(M); w = tf.constant(3.); y = tf.map_fn(lambda v: v * v * w, x); ys = tf.gradients(y, [x, w])
x = tf.constant(M); y = tf.map_fn(lambda v: tf.map_fn(lambda w: w ** 3 * v[0], v), x); ys = tf.gradients(y, x)
x = tf.constant(M); y = tf.map_fn(lambda v: v[0] * v[1], (x, x * 2.), dtype=tf.float32); ys = tf.gradients(y, x)
x = tf.constant(M); y = tf.scan(lambda a, v: a * v, x); ys = tf.gradients(y, x)
x = tf.constant(M); y = tf.scan(lambda a, v: a * v + v, x, reverse=True); ys = tf.gradients(y, x)
x = tf.constant(M); a = tf.constant([2., 3.]); y = tf.scan(lambda a, v: tf.sin(a) * v, x, a); ys = tf.gradients(y, [x, a])
x = tf.constant(M); y = tf.scan(lambda a, v: (a[0] * v, a[1] + a[0]), x, (tf.ones([2]), x[0])); ys = tf.gradients(list(y), x)
x = tf.constant(M); y = tf.foldl(lambda a, v: a * v + a, x); ys = tf.gradients(y, x)
x = tf.constant(M); a = tf.constant([2., 3.]); y = tf.foldr(lambda a, v: a * v + tf.cos(a), x, a); ys = tf.gradients(y, [x, a])
x = f(1., 2., 3.); y = tf.scan(lambda a, v: a * v, x); z = tf.foldl(lambda a, v: a + v * v, y); ys = tf.gradients(z, x)
x = tf.constant(2.); a = A(4, clear_after_read=False).write(0, x); _, a = tf.while_loop(lambda i, _: i < 4, lambda i, a: (i + 1, a.write(i, a.read(i - 1) * x)), (1, a)); ys = tf.gradients(a.stack(), x)
x = tf.constant(M); a = A(0, dynamic_size=True); _, a = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a.write(i, x[i] ** 2)), (0, a)); ys = tf.gradients(a.stack(), x)
x = tf.constant(M); a = A(3, clear_after_read=False).unstack(x); _, s = tf.while_loop(lambda i, _: i < 3, lambda i, s: (i + 1, s * a.read(i) + a.read(2 - i)), (0, tf.ones([2]))); ys = tf.gradients(s, x)
x = tf.constant(3.); p = k(True); a = A(2); b = tf.cond(p, lambda: a.write(0, x * 2.), lambda: a.write(0, x * 5.)); ys = tf.gradients(b.read(0), x)
x = tf.constant(M); y = tf.map_fn(lambda v: tf.cond(v[0] > 0., lambda: v * v, lambda: v * 3.), x); ys = tf.gradients(y, x)
"""

_ERRORS = """
A()
A(3, handle=tf.constant(1))
A(3, handle=A(3).handle)
A(handle=A(3).handle)
A(handle=A(3).handle, flow=tf.constant(0.), dynamic_size=True)
A(handle=A(3).handle, flow=tf.constant(0.), element_shape=[])
A(handle=A(3).handle, flow=tf.constant(0.), clear_after_read=True)
A(handle=A(3).handle, tensor_array_name='q')
A([3])
A(2).write(0, [1.]).write(1, [1., 2.])
A(2, element_shape=[2]).write(0, 1.)
A(2, infer_shape=False, element_shape=[None, 2]).write(0, tf.ones([2, 3]))
A(2).unstack(1.)
A(2).scatter(1, [1.])
A(2).read([0])
ys = [A(2, tensor_array_name='foo').read(0)]
ys = [A(2, tensor_array_name='foo').read(2)]
ys = [A(2, tensor_array_name='foo').read(-1)]
ys = [A(2, tensor_array_name='foo').write(2, 1.).flow]
ys = [A(2, tensor_array_name='foo').write(-1, 1.).flow]
ys = [A(2, tensor_array_name='foo').write(1, 1.).write(1, 2.).flow]
ys = [A(k(-1)).flow]
a = A(2, tensor_array_name='foo').unstack([1., 2.]); r = a.read(0); ys = [tf.identity(r)]; c = tf.control_dependencies([r]); c.__enter__(); ys += [a.read(0)]
ys = [A(2, tensor_array_name='foo').unstack(u(1., 2., 3.)).flow]
ys = [A(2, tensor_array_name='foo').scatter(tf.placeholder_with_default([0], None), u(1., 2.)).flow]
ys = [A(2, tensor_array_name='foo', infer_shape=False).write(0, u(1., 2.)).write(1, u(1.)).stack()]
ys = [A(2, tensor_array_name='foo').write(0, u(1., 2.)).write(1, u(1.)).flow]
ys = [A(2, tensor_array_name='foo', infer_shape=False).write(0, u(1., 2.)).write(1, tf.ones([2, 2])).concat()]
ys = [A(1, tensor_array_name='foo', infer_shape=False).write(0, k(1.)).concat()]
ys = [A(0, infer_shape=False).stack()]
ys = [A(0, infer_shape=False).concat()]
ys = [A(2).split(u(1., 2., 3.), [1, 1]).flow]
ys = [A(3).split(u(1., 2., 3.), [1, 2]).flow]
ys = [A(1).split(k(1.), [1]).flow]
ys = [A(1).split([1.], tf.placeholder_with_default(1, None)).flow]
a = A(2, tensor_array_name='foo', clear_after_read=False); c = tf.control_dependencies([a.close()]); c.__enter__(); ys = [a.write(0, 1.).flow]
a = A(2, tensor_array_name='foo'); g = a.grad('s'); ys = [g.write(0, u(1.)).write(0, u(1., 2.)).flow]
tf.map_fn(3, [1.])
tf.map_fn(lambda v: v, 1.)
tf.map_fn(lambda v: v[0], (1., 2.))
tf.map_fn(lambda v: (v, v), [1., 2.])
tf.map_fn(lambda v: v, (M, M), dtype=tf.float32)
tf.map_fn(lambda v: v, tf.SparseTensor([[0]], [1.], [2]))
tf.map_fn(lambda v: v[0], (M, M[:2]), dtype=tf.float32)
tf.scan(3, [1.])
tf.scan(lambda a, v: (a, v), tf.constant([1., 2.]))
tf.scan(lambda a, v: a, tf.constant(M), (1., 2.))
tf.scan(lambda a, v: a[0] + v, tf.constant(M), (1., 2.))
tf.foldl(3, [1.])
tf.foldr(3, [1.])
tf.foldl(lambda a, v: tf.reduce_sum(a), tf.constant(M))
ys = [tf.map_fn(lambda v: v[0] + v[1], (M, u(*M[:2])), dtype=tf.float32)]
"""

CASES = {}
for _kind, _programs in (
    ("array", _ARRAYS), ("gradient", _GRADIENTS), ("map", _MAPS), ("loop gradient", _LOOP_GRADIENTS),
    ("error", _ERRORS),
):
    for _line in _programs.strip().split("\n"):
        CASES[_kind + ": " + _line] = _DYNAMIC + _line
CASES.update({"shared: " + line: _DYNAMIC + _SHARING + line for line in _SHARED.strip().split("\n")})
