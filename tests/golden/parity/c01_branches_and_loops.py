import tensorflow as tf
x = tf.placeholder(tf.float32, [2], name="x")
p = tf.placeholder(tf.bool, name="p")
v = tf.Variable(1.0)
y = tf.cond(p, lambda: x * 2, lambda: x + v)
z = tf.cond(p, lambda: (x, tf.constant(3.0)), lambda: (x * x, v))
op = tf.cond(p, lambda: tf.group(v.assign_add(1.0)), lambda: tf.no_op())
i, a = tf.while_loop(lambda i, a: i < 10, lambda i, a: [i + 1, a * x], [0, x], maximum_iterations=5)
with tf.control_dependencies([v.initializer]):
    w = tf.cond(tf.less(v, 2.0), lambda: tf.while_loop(lambda i: i < 3.0, lambda i: i + v, [v]), lambda: v * 1.0)


def body(i, s):
    with tf.control_dependencies([tf.identity(i)]):
        def inner():
            return tf.while_loop(lambda j: j < i, lambda j: j + 1, [0], name="inner")
        r = tf.cond(tf.equal(i % 2, 0), lambda: s + x, lambda: s * tf.cast(inner(), tf.float32))
    with tf.control_dependencies([v.initializer]):
        c = tf.constant(1.0)
    return i + 1, r * c


shapes = [tf.TensorShape([]), tf.TensorShape([None])]
q = tf.while_loop(body=body, cond=lambda i, s: i < 4, loop_vars=[tf.constant(0), x], shape_invariants=shapes)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for chosen in (True, False):
        feeds = {p: chosen, x: [1.0, 2.0]}
        print(sess.run([y, z], feeds), sess.run([i, a], feeds), sess.run(w, feeds), sess.run(q, feeds))
        sess.run(op, feeds)
        print(sess.run(v))
