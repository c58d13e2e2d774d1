"""A graph, and transforms of it by ``tensorflow.tools.graph_transforms``."""

import numpy as np

CASES = [
    "strip_unused_nodes",
    'strip_unused_nodes(type=float, shape="2,4,4,3")',
    "remove_nodes(op=Identity, op=CheckNumerics)",
    "remove_attribute(attribute_name=T, op_name=Mul)",
    "remove_attribute",
    "fold_batch_norms",
    "fold_old_batch_norms",
    "sort_by_execution_order",
    "remove_device",
    'set_device(device="/gpu:0", if_default=true)',
    "rename_attribute(old_attribute_name=T, new_attribute_name=TT)",
    "rename_op(old_op_name=Mul, new_op_name=Foo)",
    "rename_op",
    "remove_control_dependencies",
    "obfuscate_names",
    "round_weights(num_steps=16)",
    "quantize_weights(minimum_size=4)",
    "remove_nodes",
    "nonsense",
]
CHAIN = ["strip_unused_nodes remove_nodes(op=Identity)", "fold_constants(ignore_errors=true)", "merge_duplicate_nodes"]


def graph_def(tf):
    """A small network with two normalizations, a name that is read twice, and a node that nobody reads."""

    def const(name, *dims):
        return tf.constant(draw.rand(*dims).astype(np.float32), name=name)

    draw = np.random.RandomState(0)
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2, 4, 4, 3], name="x")
        y = tf.nn.conv2d(x, tf.identity(const("w", 2, 2, 3, 2), name="w/read"), [1, 1, 1, 1], "SAME", name="conv")
        parts = [const(name, 2) for name in ("gamma", "beta", "mean", "var")]
        y = tf.nn.fused_batch_norm(y, *parts, is_training=False, name="bn")[0]
        y = tf.nn.conv2d(y, const("w2", 1, 1, 2, 2), [1, 1, 1, 1], "SAME", name="conv2")
        y = tf.multiply(y, const("factor", 2), name="mul")
        k1, k2 = [tf.add(tf.constant(2.0), tf.constant(3.0)) for _ in range(2)]
        with tf.control_dependencies([k2]):
            y = tf.check_numerics(y, "m", name="checked")
        with tf.device("/cpu:0"):
            out = tf.multiply(tf.multiply(tf.identity(y), k1), k2, name="out")
        tf.square(out, name="dead")
        tf.reduce_sum(parts[0], name="out2")
    return graph.as_graph_def()


def recorded(tf, transform, case):
    """The nodes after a transform, or what is raised."""
    from google.protobuf import text_format

    try:
        result = transform(graph_def(tf), ["x"], ["out", "out2"], [case])
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)  # noqa: UP031 - read by Python 3.7 too
    return {
        n.name: [n.op, list(n.input), n.device, {k: text_format.MessageToString(n.attr[k]) for k in sorted(n.attr)}]
        for n in result.node
    }


def computed(tf, transform, cases):
    """What the graph computes after some transforms, and the ops that it is made of."""
    result = transform(graph_def(tf), ["x"], ["out", "out2"], cases)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(result, name="")
        x = np.linspace(0, 1, 96).astype(np.float32).reshape(2, 4, 4, 3)
        values = sess.run(["out:0", "out2:0"], {"x:0": x})
    return [sorted(n.op for n in result.node if n.op != "Const"), [np.asarray(v).ravel().tolist() for v in values]]
