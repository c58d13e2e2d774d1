"""Conversions of ``autograph_functions``, in the form of ``layer_cases``; run by ``record_cases.py``.

TensorFlow orders the variables of a branch or loop by their hashes, which differ from run to run: where there are
several, ``VALUES`` says that only values are compared.
"""

_PRELUDE = """
try: from golden import autograph_functions as A
except ImportError: import autograph_functions as A
A.tf = tf
G, F = tf.autograph.to_graph, tf.autograph.experimental.Feature
def f(v): return tf.placeholder_with_default(np.float32(v), np.shape(v))
def u(v): return tf.placeholder_with_default(np.float32(v), None)
def i(v): return tf.placeholder_with_default(np.int32(v), np.shape(v))
def b(v): return tf.placeholder_with_default(v, [])
def both(function, *values): return [G(function)(f(v)) for v in values]
"""

_NODES = """
ys = both(A.branch, 2., -3.)
ys = both(A.branches, 4., 1.5, .5)
G(A.effects)(f(2.)); ys = []
ys = both(A.choice, 2., -3.)
ys = [G(A.logic)(b(p), b(q)) for p in (True, False) for q in (True, False)]
ys = [G(A.either)(b(p), b(False), b(r)) for p in (True, False) for r in (True, False)]
ys = [G(A.neither)(b(True)), G(A.logic)(True, b(False))]
ys = [G(A.loop)(i(5)), tf.constant(G(A.loop)(5))]
ys = both(A.loop_of_two, 2., 5.)
ys = [G(A.numbers)(i(5)), G(A.numbers)(0)]
ys = [G(A.numbers_from)(i(6)), G(A.numbers_from)(i(0))]
ys = [G(A.backwards)(i(5), i(-2)), G(A.backwards)(i(5), -3)]
ys = [G(A.rows)(f([[1, 2], [3, 4]])), G(A.rows)(u([1, 2, 3]))]
ys = [G(A.nested)(f([[1, -2], [3, 4]]))]
ys = [G(A.skipping)(f([1, -2, 3, 4]))]
ys = [G(A.plain)(f(2.), 5)]
ys = both(A.attribute, 2., 20.)
ys = both(A.element, 2., -3.)
x, n = G(A.conversions)(f([2.5, -3.5])); ys = [x, tf.constant(n)]
ys = list(G(A.conversions)(u([2.5, -3.5])))
ys = [G(A.equality, experimental_optional_features=F.EQUALITY_OPERATORS)(f(v)) for v in (3., 4.)] + both(A.equality, 3.)
ys = [G(A.branch, experimental_optional_features=F.NAME_SCOPES)(f(2.))]
G(A.checked, experimental_optional_features=F.ASSERT_STATEMENTS)(f(2.)); ys = []
ys = both(A.with_try, 2., -3.)
G(A.unequal_branches)(f(1.))
G(A.missing_branch)(f(1.))
G(A.missing_return)(f(1.))
G(A.undefined_loop)(f(1.))
G(A.changing_loop)(f(1.))
G(A.growing_loop)(f([1.]))
G(A.returning_loop)(f(1.))
tf.autograph.to_graph(3)
x = f(3.); ys = tf.gradients(G(A.branch)(x), x)
"""

_VALUES = """
x = f(3.); ys = tf.gradients(G(A.loop_of_two)(x), x)
ys = both(A.branch_that_returns, 2., -3.)
ys = [G(A.broken)(f([1, 2, 3, 4, 5]))]
ys = [G(A.broken_while)(i(v)) for v in (3, 30)]
ys = both(A.calls, 2., -3., 5.)
ys = both(A.shadowed, 2., -3.)
ys = both(A.tuple_branch, 2., -3.)
ys = [G(A.over_dataset)(tf.data.Dataset.range(5)), G(A.over_dataset_with_break)(tf.data.Dataset.range(9))]
ys = [tf.data.Dataset.range(8).map(A.mapped).batch(8).repeat().make_one_shot_iterator().get_next()]
ys = [tf.data.Dataset.range(8).filter(A.between).map(A.mapped).batch(8).repeat().make_one_shot_iterator().get_next()]
ys = [tf.function(A.mapped)(i(v)) for v in (1, 4)] + [tf.function(A.branch)(f(-2.))]
ys = [tf.data.Dataset.range(8).reduce(tf.constant(0, tf.int64), A.branch_of_numbers)]
C = tf.autograph.to_graph(A.Counter); ys = [C(f(2.)).count(f(3.)), C(f(2.)).count(f(-3.))]
tf.autograph.experimental.do_not_convert(lambda: tf.data.Dataset.range(3).map(A.mapped))()
ys = [tf.contrib.eager.defun(A.branch_that_returns)(f(2.))]
tf.function(A.branch, autograph=False)(f(1.))
ys = [A.model()(f(v)) for v in ([[1., 2.]], [[-3., 2.]])]
"""

CASES = {
    text: (_PRELUDE + text).replace("\\n", "\n")
    for text in (_NODES + _VALUES).strip().splitlines() if text
}
VALUES = frozenset(_VALUES.strip().splitlines())
