"""Graphs changed after they were built."""

import numpy as np
import pytest

from retrograd import tf
from retrograd.graph.order import in_order

ge = tf.contrib.graph_editor


@pytest.fixture
def graph():
    """y = tanh(a * b) + c."""
    with tf.Graph().as_default() as g:
        a, b, c = (tf.constant(v, name=n) for n, v in (("a", 2.0), ("b", 3.0), ("c", 1.0)))
        with tf.name_scope("inner"):
            product = tf.multiply(a, b, name="product")
        tf.add(tf.tanh(product, name="bent"), c, name="y")
        yield g


def names(ops):
    return [op.name for op in ops]


def test_selections(graph):
    y, product = graph.get_tensor_by_name("y:0"), graph.get_tensor_by_name("inner/product:0")
    assert sorted(names(ge.get_backward_walk_ops([y]))) == ["a", "b", "bent", "c", "inner/product", "y"]
    assert names(ge.get_backward_walk_ops([y], inclusive=False, stop_at_ts=[product])) == ["bent", "c"]
    assert names(ge.get_forward_walk_ops([product.op])) == ["inner/product", "bent", "y"]
    assert names(ge.get_forward_walk_ops([product])) == ["bent", "y"]
    within = graph.get_operations()[:4]
    assert names(ge.get_forward_walk_ops(graph.get_operation_by_name("a"), within_ops=within)) == ["a", "inner/product"]
    between = ge.get_walks_intersection_ops([graph.get_tensor_by_name("a:0")], [y])
    assert names(between) == ["inner/product", "bent", "y"]
    assert names(ge.filter_ops_from_regex(graph, "^b")) == ["b", "bent"]
    assert [t.name for t in ge.filter_ts_from_regex(graph, "inner")] == ["inner/product:0"]
    assert names(ge.select_ops("^inner/", graph=graph)) == ["inner/product"]
    assert [t.name for t in ge.select_ts("(?#ts)^y", graph=graph)] == ["y:0"]
    assert names(ge.get_name_scope_ops(graph, "inner/")) == ["inner/product"]
    with pytest.raises(ValueError, match="Use the keyword argument 'graph' to use regex"):
        ge.select_ops("^inner/")
    with pytest.raises(ValueError, match="Wrong keywords argument: grph"):
        ge.select_ops("x", grph=graph)


def test_a_view(graph):
    view = ge.sgv(ge.select_ops("product|bent", graph=graph))
    assert [t.name for t in view.inputs] == ["a:0", "b:0"]
    assert [t.name for t in view.outputs] == ["bent:0"]
    assert names(view.consumers()) == ["y"]
    assert [t.name for t in view.remap_inputs([1]).inputs] == ["b:0"]
    with pytest.raises(ValueError, match=r"Out of \[0, 2\[ range: 5"):
        view.remap_inputs([5])


def test_other_inputs(graph):
    a, c, product = (graph.get_tensor_by_name(n) for n in ("a:0", "c:0", "inner/product:0"))
    y = graph.get_tensor_by_name("y:0")
    with tf.Session() as session:
        assert session.run(y) == pytest.approx(np.tanh(6.0) + 1.0)
        assert ge.reroute_ts(a, c, can_modify=[y.op]) == 1
        assert session.run(y) == pytest.approx(np.tanh(6.0) + 2.0)
        assert ge.swap_ts([a], [c]) == 2  # the product reads c, y reads c no less
        assert session.run(y) == pytest.approx(np.tanh(3.0) + 1.0)
        ge.add_control_inputs(product.op, [c.op])
        assert product.op.control_inputs == [c.op]
        with pytest.raises(ValueError, match="c is already a control_input of inner/product"):
            ge.reroute.add_control_inputs(product.op, c.op)
        ge.remove_control_inputs(product.op, c.op)
        assert product.op.control_inputs == []
    with pytest.raises(ValueError, match="different sizes: 2 != 1"):
        ge.reroute_ts([a, c], [a])


def test_a_copy_reads_other_tensors(graph):
    a, y = graph.get_tensor_by_name("a:0"), graph.get_tensor_by_name("y:0")
    ten = tf.constant(0.1)
    ops = ge.get_walks_intersection_ops([a], [y])
    view, info = ge.copy_with_input_replacements(ge.sgv(ops), {a: ten}, dst_scope="again")
    assert names(view.ops) == ["again/inner/product", "again/bent", "again/y"]
    assert info.transformed(y).name == "again/y:0"
    assert info.original(info.transformed(y)) is y
    assert info.transformed(y.op).name == "again/y"
    assert info.transformed(a) is None
    with tf.Session() as session:
        assert session.run(info.transformed(y)) == pytest.approx(np.tanh(0.3) + 1.0)
        assert session.run(ge.graph_replace(y, {a: ten}, dst_scope="third")) == pytest.approx(np.tanh(0.3) + 1.0)
    with pytest.raises(ValueError, match="not connected"):
        ge.graph_replace(a, {y: ten})


def test_a_copy_in_another_graph(graph):
    with tf.Graph().as_default() as other:
        view, info = ge.copy(ge.select_ops("product|bent", graph=graph), dst_graph=other, dst_scope="there")
    assert names(other.get_operations()) == ["there/geph__a_0", "there/geph__b_0", "there/inner/product", "there/bent"]
    x, y = other.get_tensor_by_name("there/geph__a_0:0"), other.get_tensor_by_name("there/geph__b_0:0")
    with tf.Session(graph=other) as session:
        assert session.run(view.outputs[0], {x: 1.0, y: 0.5}) == pytest.approx(np.tanh(0.5))
    assert info.transformed(graph.get_tensor_by_name("bent:0")).graph is other


def test_a_loop_is_copied():
    with tf.Graph().as_default() as graph:
        n = tf.constant(3, name="n")
        last = tf.while_loop(lambda i: i < 10, lambda i: i * n, [tf.constant(1)])
        copied = ge.graph_replace(last, {n: tf.constant(4)}, dst_scope="again")
        assert copied.op.type == "Exit"
        with tf.Session(graph=graph) as session:
            assert session.run([last, copied]) == [27, 16]


def test_ops_that_wait_for_each_other_have_no_order():
    with tf.Graph().as_default():
        a = tf.identity(tf.constant(1.0), name="a")
        b = tf.identity(a, name="b")
        a.op._update_input(0, b)
        with pytest.raises(tf.errors.InvalidArgumentError, match="contains a cycle, including: a"):
            in_order([a.op, b.op])
