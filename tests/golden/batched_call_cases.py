"""Functions of batches (``nondifferentiable_batch_function``), in the form of ``layer_cases``."""

NODES = False  # their attributes hold names of functions that differ from run to run
_PRELUDE = """
B = tf.nondifferentiable_batch_function
"""

_PROGRAMS = """
ys = B(1, 10, 1000)(lambda a: a + 1)(tf.constant([1, 2]))
ys = B(1, 10, 1000, [4, 10])(lambda a: tf.cumsum(a, reverse=True))(tf.constant([5, 2]))
ys = B(1, 10, 1000, [4, 10])(lambda a, b: (a * 2, tf.reduce_sum(b) + 0 * b))(tf.constant([[5., 2]]), tf.constant([3.]))
c = tf.constant(3); ys = B(1, 10, 1000, [1, 10])(lambda a: a + c)(tf.constant([1]))
ys = B(1, 2, 1000)(lambda a: a + 1)(tf.constant([1, 2, 3]))
ys = B(1, 10, 1000)(lambda a: tf.reduce_sum(a))(tf.constant([1, 2, 3]))
ys = B(1, 10, 1000)(lambda a: a[:1])(tf.constant([1, 2, 3]))
ys = B(1, 10, 1000)(lambda a: a)(tf.constant(1))
ys = B(1, 10, 1000)(lambda a, b: a)(tf.constant([1]), tf.constant([1, 2]))
ys = B(1, 10, 1000, [4, 3])(lambda a: a)(tf.constant([1]))
ys = B(1, 10, 1000, [4, 8])(lambda a: a)(tf.constant([1]))
ys = B(1, 10, 1000)(lambda a: a)(3)
x = tf.constant([1.]); tf.gradients(B(1, 10, 1000)(lambda a: a * a)(x), x)
"""

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().splitlines()}
