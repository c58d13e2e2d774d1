"""Effects in branches and loops of tf.function, recorded under TensorFlow 1.15.5: python record_turns.py"""

import json
from pathlib import Path


def functions(tf):
    v, w = (tf.Variable(0.0, use_resource=True) for _ in range(2))

    @tf.function
    def f(x):
        v.assign(1.0)
        if x > 0:
            v.assign(v * 10.0 + x)
        else:
            w.assign(v + 100.0)
        for i in tf.range(3):
            v.assign_add(1.0)
        y = v.read_value()
        v.assign(0.5)
        return y

    @tf.function
    def g(n):
        y = tf.constant(2.0)
        i = 0
        while i < n:
            if i % 2 == 0:
                for j in tf.range(i + 1):
                    v.assign_add(tf.cast(j, tf.float32) + 1.0)
            else:
                w.assign(v * 2.0)
                y = y + w
            i = i + 1
        return y, v + 0.0, w + 0.0

    @tf.function
    def h(x):
        y = x
        if x > 1.0:
            v.assign(7.0)
            y = x
        z = v + 0.0
        if z > 6.0:
            v.assign_sub(1.0)
        return y, z

    @tf.function
    def k(x):
        while x > 0.0:
            x = x - 1.0
            v.assign_add(1.0)
            if x < 2.0:
                break
        f(x)
        v.assign_add(1000.0)
        return x

    @tf.function
    def m(x):
        for i in tf.range(4):
            if tf.equal(i, 2):
                continue
            v.assign_add(tf.cast(i, tf.float32) + x)

    @tf.function
    def gr(x):
        y = x
        for i in tf.range(3):
            y = y * x
            v.assign_add(y)
        return tf.gradients(y, x)[0]

    return v, w, [f, g, h, k, m, gr]


def results(tf):
    """For each function and pair of arguments what it gives, and the variables behind it."""
    v, w, (f, g, h, k, m, gr) = functions(tf)
    x, n = tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])
    calls = [f(x), g(n), h(x), k(x), m(x), gr(x)]
    found = []
    with tf.Session() as sess:
        for a in (3.0, -2.0, 1.5):
            for b in (0, 1, 4):
                for call in calls:
                    sess.run(tf.global_variables_initializer())
                    given = sess.run([call], {x: a, n: b})[0]
                    found.append(json.loads(json.dumps([given, sess.run([v, w])], default=float)))
    return found


if __name__ == "__main__":
    import tensorflow

    with open(Path(__file__).parent / "turns.json", "w") as f:
        json.dump(results(tensorflow), f)
