"""A model whose profiles are recorded: the reports as printed, and the numbers of the protos."""

import contextlib
import io
import sys


def rows(node):
    """Name, own and total numbers of a node and of what is below it, children by name."""
    own = (node.parameters, node.float_ops, node.total_parameters, node.total_float_ops)
    found = [[node.name, *own]]
    for child in sorted(node.children, key=lambda c: c.name):
        found += rows(child)
    return found


def outcome(tf, printed):
    """The rows of three profiles and what each prints, by names; ``printed(call)`` gives a call's output."""
    tf = tf.compat.v1
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [8, 16, 16, 3], name="x")
        with tf.variable_scope("net"):
            h = tf.layers.conv2d(x, 4, 3, name="c1", padding="same", activation=tf.nn.relu)
            h = tf.nn.avg_pool(tf.layers.max_pooling2d(h, 2, 2), [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
            h = tf.nn.depthwise_conv2d(h, tf.get_variable("dw", [3, 3, 4, 2]), [1, 1, 1, 1], "SAME")
            h = tf.layers.dense(tf.reshape(h, [8, -1]), 10, name="d1")
            h = tf.nn.softmax(tf.layers.batch_normalization(h, name="bn"))
            h = tf.matmul(h, tf.get_variable("m", [10, 5])) + 1.0
        loss = tf.reduce_mean(tf.squared_difference(h, 1.0)) + tf.nn.l2_loss(h)
        tf.train.AdamOptimizer().minimize(loss)
        builder = tf.profiler.ProfileOptionBuilder
        found = []
        for cmd, options in (
            ("scope", builder.trainable_variables_parameter()),
            ("scope", builder(builder.float_operation()).order_by("name").build()),
            ("op", builder(builder.float_operation()).order_by("name").build()),
            ("scope", builder(builder.float_operation()).order_by("name").with_max_depth(3).build()),
            (
                "scope",
                builder(builder.trainable_variables_parameter()).with_node_names(hide_name_regexes=[".*bn.*"]).build(),
            ),
        ):
            text, proto = printed(lambda: tf.profiler.profile(graph, cmd=cmd, options=options))
            found.append({"rows": rows(proto), "text": text})
        return found


def small(tf):
    """Two products and their gradients; each statement stands on one line."""
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    with tf.variable_scope("a"):
        y = tf.matmul(x, tf.get_variable("w", [3, 4]), name="y")
    with tf.variable_scope("b"):
        z = tf.matmul(tf.nn.relu(y, name="r"), tf.get_variable("v", [4, 1]), name="z")
    loss = tf.reduce_sum(z, name="loss")
    tf.gradients(loss, tf.trainable_variables())
    tf.global_variables_initializer()


def views(tf):
    """The rows of profiles by what ops read, and by lines of this file."""
    tf = tf.compat.v1
    with tf.Graph().as_default() as graph:
        small(tf)
    builder = tf.profiler.ProfileOptionBuilder

    def found(cmd, options, depth=1000, start=".*", show=".*", displayed=True):
        made = builder(options).with_max_depth(depth).with_empty_output().account_displayed_op_only(displayed)
        names = {"start_name_regexes": [start], "show_name_regexes": [show]}
        return rows(tf.profiler.profile(graph, cmd=cmd, options=made.with_node_names(**names).build()))

    flops, params = builder.float_operation(), builder.trainable_variables_parameter()
    lines = ".*profiler_cases.py.*(small|views).*"
    return (
        [found("graph", flops, depth) for depth in (2, 3, 4, 5, 6, 1000)]
        + [found("graph", params), found("graph", flops, start="loss"), found("graph", flops, show="b/.*")]
        + [found("graph", flops, displayed=False)]
        + [found("code", flops, show=lines), found("code", params, show=lines)]
    )


def of_file_descriptor(call):
    """What a call prints from C++ too."""
    import os
    import tempfile

    sys.stdout.flush()
    with tempfile.TemporaryFile() as file:
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            result = call()
        finally:
            os.dup2(kept, 1)
        file.seek(0)
        return file.read().decode(), result


def of_stdout(call):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        result = call()
    return text.getvalue(), result
