"""Names that hardly a program uses, where nodes are our own or nothing of TensorFlow's can be recorded."""

import numpy as np
import pytest

from retrograd import tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_a_map_over_rows_is_one_op_with_gradients():
    x, w = tf.constant(np.arange(6.0).reshape(2, 3)), tf.Variable(np.eye(3))
    squares, products = tf.vectorized_map(
        lambda t: (tf.reduce_sum(t[0] * t[0]), tf.matmul(t[0][None], w) + t[1]), (x, tf.constant([1.0, 2.0], "float64"))
    )
    assert squares.op.type == "Vectorized"
    assert (squares.shape, products.shape) == ((2,), (2, 1, 3))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(sess.run(squares), [5, 50])
        np.testing.assert_array_equal(sess.run(products), [[[1, 2, 3]], [[5, 6, 7]]])
        np.testing.assert_array_equal(sess.run(tf.gradients(products, w)[0]), [[3] * 3, [5] * 3, [7] * 3])
    with pytest.raises(ValueError, match="goes over rows"):
        tf.vectorized_map(lambda t: t, 1.0)


def test_rings_of_filters_have_the_numbers_of_the_diagonal():
    w = tf.constant(np.arange(50.0, dtype="f").reshape(5, 5, 1, 2))
    even = tf.constant(np.arange(16.0, dtype="f").reshape(4, 4, 1, 1))
    with tf.Session() as sess:
        odd, four = sess.run([tf.keras.constraints.RadialConstraint()(made) for made in (w, even)])
    assert odd[:, :, 0, 0].tolist() == [[36] * 5, [36, 24, 24, 24, 36], [36, 24, 12, 24, 36], [36, 24, 24, 24, 36],
                                        [36] * 5]  # fmt: skip
    assert four[:, :, 0, 0].tolist() == [[15] * 4, [15, 5, 5, 15], [15, 5, 5, 15], [15] * 4]


def test_a_session_bundle_is_a_graph_with_signatures_beside_a_checkpoint(tmp_path):
    from retrograd.tf.contrib.session_bundle import exporter, gc, manifest_pb2

    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.layers.dense(x, 1, name="dense")
    step = tf.train.create_global_step()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        writer = exporter.Exporter(tf.train.Saver())
        with pytest.raises(RuntimeError, match="init must be called first"):
            writer.export(str(tmp_path), step, sess)
        signature = exporter.generic_signature({"in": x, "out": y})
        writer.init(default_graph_signature=signature, named_graph_signatures={"s": signature}, clear_devices=True)
        for _ in range(3):
            writer.export(str(tmp_path), step, sess, exports_to_keep=gc.largest_export_versions(2))
            sess.run(step.assign_add(1))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["00000001", "00000002"]
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        saver = tf.train.import_meta_graph(str(tmp_path / "00000002" / "export.meta"))
        saver.restore(sess, str(tmp_path / "00000002" / "export"))
        assert sess.run("global_step:0") == 2
        signatures = manifest_pb2.Signatures()
        graph.get_collection("serving_signatures")[0].Unpack(signatures)
    assert signatures.named_signatures["s"].generic_signature.map["out"].tensor_name == "dense/BiasAdd:0"


def test_a_handler_of_fetches_gives_values_their_structure():
    from retrograd.tf.python.client.session import _FetchHandler

    a, b = tf.constant(1), tf.no_op()
    handler = _FetchHandler(tf.get_default_graph(), {"x": [a, b], "y": a}, {})
    assert (handler.fetches(), handler.targets()) == ([a], [b])
    assert handler.build_results(None, [5]) == {"x": [5, None], "y": 5}


def test_generators_draw_as_recorded_and_keep_their_place():
    g = tf.random.experimental.Generator.from_seed(5)
    uniform, few, whole, normal = g.uniform([3]), g.uniform([3], 0, 9, tf.int32), g.uniform_full_int([2]), g.normal([3])
    g.skip(10)
    skip = next(op for op in tf.get_default_graph().get_operations() if op.type == "RngSkip")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_allclose(sess.run(uniform), [0.567016, 0.2077086, 0.18223882], rtol=1e-6)
        assert sess.run(g.state).tolist() == [5 + 3 * 256, 0, 0]
        assert sess.run(few).tolist() == [8, 8, 3]
        assert sess.run(whole).tolist() == [7696859957720904827, 6224646658231736348]
        sess.run(g.state.assign([2309 + 768, 0, 0]))
        np.testing.assert_allclose(sess.run(normal), [0.15505491, 0.7020327, 1.1720693], rtol=1e-6)
        sess.run(skip)
        assert sess.run(g.state).tolist() == [3845 + 2560, 0, 0]


def test_sections_do_not_share_a_resource_that_one_has_to_itself():
    v = tf.get_variable("v", [], use_resource=True, initializer=tf.zeros_initializer())
    section, other = tf.CriticalSection(), tf.CriticalSection(shared_name="other")
    steps = [section.execute(lambda: v.assign_add(1.0)) for _ in range(3)]
    with pytest.raises(ValueError, match="This execution would access resources"):
        other.execute(v.read_value)
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sorted(sess.run(steps)) == [1.0, 2.0, 3.0]


def test_a_reversible_block_has_the_gradients_of_the_ordinary_one():
    x = tf.constant(np.random.RandomState(0).randn(2, 8).astype("f"))
    side = [tf.constant(np.random.RandomState(1).randn(2, 4).astype("f"))]

    def f(x, side):
        return tf.tanh(x * side[0] * tf.get_variable("w", [4], initializer=tf.ones_initializer()))

    found = []
    for is_training in (True, False):
        with tf.variable_scope("block", reuse=not is_training):
            block = tf.contrib.layers.RevBlock(
                f, lambda x, side: x * x + side[0], 3, side, side, use_efficient_backprop=is_training, name="rev",
                _reuse=not is_training,
            )  # fmt: skip
            ys = block.forward(x[:, :4], x[:, 4:])
        found.append([*ys, *tf.gradients([y * y for y in ys], [x, *side, *tf.trainable_variables()])])
        back = tf.concat(block.backward(*ys), 1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        kept, ordinary = sess.run(found)
        np.testing.assert_allclose(sess.run(back), sess.run(x), rtol=1e-3, atol=1e-3)
    assert len(kept) == 7
    for mine, theirs in zip(kept, ordinary, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-3)
