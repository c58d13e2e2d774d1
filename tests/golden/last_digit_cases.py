"""Functions of a few numbers, compared to the last digit."""

VALUES = [[0.3, -1.7, 2.0, 1e-3], [-0.6, 0.2, 1.4, 8.5], [-3.0, 0.7, -0.01, 5.25], [0.0, 1.0, 30.0, -9.5]]
POSITIVE = [[0.3, 1.7, 2.0, 1e-3], [0.6, 0.2, 1.4, 8.5], [3.0, 0.7, 0.01, 5.25], [0.5, 1.0, 100.0, 9.5]]
FUNCTIONS = {
    "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tanh": "tanh", "sigmoid": "sigmoid",
    "softmax": "nn.softmax", "log_softmax": "nn.log_softmax", "l2_loss": "nn.l2_loss", "cube": None,
}  # fmt: skip


def results(tf):
    """The bytes of each function of each row, as hexadecimal numbers."""
    found = {}
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [4])
        for name, path in FUNCTIONS.items():
            function = tf
            for part in (path or "").split("."):
                function = getattr(function, part) if part else None
            y = x**3 if function is None else function(x)
            rows = POSITIVE if name == "log" else VALUES
            found[name] = [sess.run(y, {x: row}).tobytes().hex() for row in rows]
        halves = tf.nn.softplus(tf.cast(x, tf.float16))
        found["softplus of halves"] = [sess.run(halves, {x: row}).tobytes().hex() for row in VALUES]
        terms = [tf.constant([0.1 * i + 1e-4 * i * i, (-0.3) ** i]) for i in range(1, 24)]
        for count in (2, 9, 10, 17, 23):
            found[f"add_n of {count}"] = [sess.run(tf.add_n(terms[:count])).tobytes().hex()]
        step = tf.placeholder(tf.int64, [])
        for base in (0.9, 0.999):
            y = tf.pow(tf.constant(base), tf.cast(step, tf.float32))
            found[f"powers of {base}"] = [sess.run(y, {step: i}).tobytes().hex() for i in range(1, 13)]
    return found
