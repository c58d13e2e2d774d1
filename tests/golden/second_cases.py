"""Calls of ``tf.compat.v2``, where its arguments are not those of version 1; ``x`` is 2 x 3, ``i`` is [1, 0]."""

CASES = """
v2.convert_to_tensor([1, 2], None, tf.float32, "t")
v2.shape(x, tf.int64)
v2.size(x, tf.int64)
v2.zeros_like(x, tf.int32)
v2.ones_like(x, tf.int32, "ones")
v2.expand_dims(x, 1)
v2.squeeze(x[:, :1], [1])
v2.transpose(x, [1, 0], False, "turned")
v2.pad(x, [[0, 1], [1, 0]], "CONSTANT", 2.0)
v2.gather(x, i, None, 1)
v2.gather(x, i, None, None, 0, "taken")
v2.gather_nd(x, [[0, 1]], 0, "nd")
v2.boolean_mask(x, [True, False, True], 1)
v2.reverse_sequence(x, [2, 3], 1, 0)
v2.argmax(x, 1, tf.int32)
v2.argmin(x, None, tf.int64, "least")
v2.math.in_top_k(i, x, 1)
v2.reduce_sum(x, 1, True)
v2.reduce_mean(x, None, False, "mean")
v2.math.reduce_logsumexp(x, 0)
v2.reduce_any(x > 1.0, 1)
v2.math.count_nonzero(x, 1, True, tf.int32)
v2.norm(x, 2, 1, True)
v2.math.l2_normalize(x, 1, 1e-6, "unit")
v2.math.scalar_mul(2.0, x)
v2.math.softmax(x)
v2.math.confusion_matrix(i, [1, 1], 2, [2.0, 1.0], tf.float32, "c")
v2.image.crop_and_resize(tf.reshape(x, [1, 2, 3, 1]), [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2], "bilinear", 0, "crop")
v2.image.draw_bounding_boxes(tf.reshape(x, [1, 2, 3, 1]), [[[0.0, 0.0, 1.0, 1.0]]], [[7.0]], "drawn")
v2.image.extract_glimpse(tf.reshape(x, [1, 2, 3, 1]), [1, 1], [[0.0, 0.0]], True, True, "zero", "seen")
v2.strings.substr("abcd", i, 2, "BYTE", "part")
v2.strings.to_hash_bucket(["a", "b"], 7, "bucket")
v2.strings.to_number(["1.5"], tf.float64, "number")
tf.math.real(v2.signal.rfft2d(x))
v2.signal.irfft2d(tf.cast(x, tf.complex64), [2, 4])
v2.nn.log_softmax(x, 0)
v2.nn.softmax_cross_entropy_with_logits(x, x * 2.0, -1)
v2.nn.sparse_softmax_cross_entropy_with_logits(i, x)
v2.nn.sigmoid_cross_entropy_with_logits(x, x)
v2.cond(x[0, 0] > 0.0, lambda: [x], lambda: [x * 2.0])
v2.case([(x[0, 0] > 5.0, lambda: x)], lambda: x + 1.0)
v2.while_loop(lambda n: n < 3, lambda n: [n + 1], [tf.constant(0)])
v2.while_loop(lambda n: n < 9, lambda n: [n + 1], [tf.constant(0)], maximum_iterations=2)
v2.tuple([x, i], None, "both")
v2.gradients(x * x, x)
v2.where(x > 1.0, x, 0.0)
v2.constant(3.0, tf.float32, [2])
v2.debugging.assert_equal(x, x, "as is")
v2.debugging.assert_none_equal(x, x + 1.0)
v2.debugging.assert_greater_equal(x, 0.0, "not so small", 2, "large")
v2.debugging.assert_non_negative(x)
v2.debugging.assert_near(x, x + 1e-9, 0.1)
v2.debugging.assert_rank(x, 2, "a matrix")
v2.debugging.assert_rank_at_least(x, 1)
v2.debugging.assert_rank_in(x, [1, 2])
v2.debugging.assert_scalar(x[0, 0], "one number")
v2.debugging.assert_all_finite(x, "finite")
v2.debugging.assert_integer(i)
v2.debugging.assert_type(x, tf.float32)
v2.nn.moments(x, [1])
v2.nn.dropout(x, 0.0)
""".strip().splitlines()


def recorded(tf, call):
    """The nodes that a call builds, and the values of what it returns."""
    with tf.Graph().as_default() as graph:
        v2 = tf.compat.v2
        names = {"tf": tf, "v2": v2, "x": tf.constant([[0.5, 2.0, 1.0], [3.0, 0.0, 4.0]]), "i": tf.constant([1, 0])}
        before = len(graph.get_operations())
        try:
            result = eval(call, names)
        except Exception as error:
            return {"error": type(error).__name__ + ": " + str(error).splitlines()[0]}
        nodes = [
            "%s = %s(%s)" % (op.name, op.type, ", ".join(t.name for t in op.inputs))
            for op in graph.get_operations()[before:]
        ]
        with tf.Session() as session:
            value = None if result is None else session.run(result)
        return {"nodes": nodes, "value": listed(value)}


def listed(value):
    if isinstance(value, (list, tuple)):
        return [listed(v) for v in value]
    return value.tolist() if hasattr(value, "tolist") else value
