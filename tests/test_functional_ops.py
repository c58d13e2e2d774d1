"""Ops that call functions of the graph: ``functional_ops``, and ``Case``."""

from __future__ import annotations

import numpy as np
import pytest

from retrograd import tf
from retrograd.graph import errors
from retrograd.state.defun import Defun
from retrograd.tf.python.ops import control_flow_ops, functional_ops, gen_functional_ops


@Defun(tf.float32)
def Twice(x):
    return x * 2


@Defun(tf.float32)
def Square(x):
    return x * x + 1


@pytest.fixture
def sess():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def test_if_calls_one_of_two(sess) -> None:
    x, p = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.bool, [])
    (y,) = functional_ops.If(p, [x], Twice, Square)
    assert (y.op.type, y.op.name, y.shape.ndims) == ("If", "If", None)
    assert {f.signature.name for f in tf.get_default_graph().as_graph_def().library.function} == {
        Twice.name, Square.name,
    }  # fmt: skip
    assert sess.run(y, {x: [1, 3], p: True}).tolist() == [2, 6]
    assert sess.run(y, {x: [1, 3], p: False}).tolist() == [2, 10]


@pytest.mark.parametrize(
    ("value", "holds"),
    [(0, False), (2, True), (0.5, True), ("", False), ("a", True), ([], False), ([0], True)],
)
def test_what_is_not_zero_or_not_empty_holds(sess, value, holds) -> None:
    (y,) = functional_ops.If(tf.constant(value), [3.0], Twice, Square)
    assert sess.run(y) == (6 if holds else 10)


def test_case_calls_the_last_for_an_index_outside(sess) -> None:
    i = tf.placeholder(tf.int32, [])
    (y,) = gen_functional_ops.case(i, [3.0], [tf.float32], [Twice, Square, Twice], name="my_case")
    assert [sess.run("my_case:0", {i: k}) for k in (0, 1, 2, 9, -1)] == [6, 10, 6, 6, 6]
    assert [f.name for f in y.op.get_attr("branches")] == [Twice.name, Square.name, Twice.name]


def test_ops_name_concrete_functions(sess) -> None:
    scale = tf.constant([2.0, 3.0])

    @tf.function
    def double(x, y, factor=2):
        return x * factor + y

    @tf.function
    def scaled(x, y):
        return x * scale + y

    branches = [f.get_concrete_function(scale, y=np.float32(0)) for f in (double, scaled)]
    assert branches[0].captured_inputs == []
    assert branches[1].captured_inputs == [scale]
    assert branches[0].name.startswith("__inference_double_")
    (y,) = gen_functional_ops.case(0, [scale, 1.0], [tf.float32], branches[:1])
    assert sess.run(y).tolist() == [5, 7]
    assert sess.run(branches[0](scale, tf.constant(1.0))).tolist() == [5, 7]
    (y,) = gen_functional_ops.partitioned_call([scale], [tf.float32], double.get_concrete_function(scale, 1.0, 3))
    assert sess.run(y).tolist() == [7, 10]


def test_choices_have_derivatives_of_every_order(sess) -> None:
    x, p = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
    for y in (functional_ops.If(p, [x], Square, Twice)[0],
              gen_functional_ops.case(tf.cast(~p, tf.int32), [x], [tf.float32], [Square, Twice])[0]):  # fmt: skip
        (dx,) = tf.gradients(y, x)
        (ddx,) = tf.gradients(dx, x)
        assert sess.run([dx, ddx], {x: 3.0, p: True}) == [6, 2]
        assert sess.run([dx, ddx], {x: 3.0, p: False}) == [2, 0]


def test_while_and_for_repeat(sess) -> None:
    @Defun(tf.float32, tf.float32)
    def more(n, x):
        return n > 0

    v = tf.Variable(1.0)

    @Defun(tf.float32, tf.float32)
    def step(n, x):
        return n - 1, x + n + v

    @Defun(tf.int32, tf.float32)
    def add(i, x):
        return x + tf.cast(i, tf.float32) + v

    sess.run(tf.global_variables_initializer())
    assert sess.run(functional_ops.While([4.0, 0.0], more, step)) == [0, 14]
    for rewrite in (False, True):
        for limits, total in (((1, 5, 1), 14), ((5, 1, -2), 10), ((3, 3, 0), 0)):
            if limits[2] or not rewrite:
                assert sess.run(functional_ops.For(*limits, [0.0], add, rewrite_with_while=rewrite)) == [total]
    assert [op.type for op in tf.get_default_graph().get_operations() if op.name in ("While", "For")] == [
        "While",
        "For",
    ]
    with pytest.raises(errors.InvalidArgumentError, match="Invalid start/limit/delta: 0 10 -1"):
        sess.run(functional_ops.For(0, 10, -1, [0.0], add))
    with pytest.raises(errors.InvalidArgumentError, match=r"While loop body returned 1 arguments\. Expected: 2"):
        sess.run(functional_ops.While([1.0, 0.0], more, more))
    with pytest.raises(LookupError, match=r"No gradient defined for operation 'For' \(op type: For\)"):
        tf.gradients(tf.get_default_graph().get_tensor_by_name("For:0"), v)


def test_a_loop_writes_variables(sess) -> None:
    v = tf.Variable(1.0, use_resource=True)

    @Defun(tf.int32)
    def double(i):
        v.assign_add(v)

    assert functional_ops.For(0, 3, 1, [], double) == []
    sess.run(tf.global_variables_initializer())
    sess.run("For")
    assert sess.run(v) == 8


def test_random_numbers_in_calls_go_on(sess) -> None:
    @Defun(tf.float32)
    def noise(x):
        return x + tf.random_uniform([3], seed=1)

    (y,) = functional_ops.remote_call("/cpu:0", [2.0], [tf.float32], noise)
    first, second = sess.run(y), sess.run(y)
    assert not np.array_equal(first, second)
    assert not np.array_equal(sess.run([y, tf.constant(1)])[0], first)


def test_partitioned_calls(sess) -> None:
    x = tf.constant([1.0, 2.0])
    (y,) = functional_ops.partitioned_call([x], Square)
    assert (y.op.type, y.shape) == ("PartitionedCall", [2])
    assert sess.run([y, *tf.gradients(y, x)])[1].tolist() == [2, 4]
    other = functional_ops.partitioned_call([x], Square, executor_type="OTHER")
    with pytest.raises(errors.NotFoundError, match="OTHER"):
        sess.run(other)


def test_functions_write_resource_variables(sess) -> None:
    v = tf.Variable(1.0, use_resource=True)

    @Defun()
    def changed():
        with tf.control_dependencies([v.assign(3.0)]):
            return v.assign_sub(1.0)

    (y,) = functional_ops.partitioned_call(changed.captured_inputs, changed)
    assert (y.op.type, y.shape) == ("StatefulPartitionedCall", [])
    assert [(n.name, n.op, list(n.input)) for n in changed.definition.node_def] == [
        ("Const", "Const", []),
        ("AssignVariableOp", "AssignVariableOp", ["assignvariableop_placeholder", "Const:output:0"]),
        ("Const_1", "Const", ["^AssignVariableOp"]),
        ("AssignSubVariableOp", "AssignSubVariableOp", ["assignvariableop_placeholder", "Const_1:output:0"]),
        ("ReadVariableOp", "ReadVariableOp", ["assignvariableop_placeholder", "^AssignSubVariableOp"]),
    ]

    @Defun()
    def more():
        v.assign_add(5.0)

    op = functional_ops.partitioned_call(more.captured_inputs, more)
    assert (op.name, op.type) == ("PartitionedFunctionCall", "StatefulPartitionedCall")
    sess.run(tf.global_variables_initializer())
    assert sess.run(y) == 2
    sess.run(op)
    assert sess.run(v) == 7


def _branches_and_a_loop() -> None:
    x, y = tf.constant(2), tf.constant(5)

    def inner():
        return tf.cond(y > 3, lambda: x + 1, lambda: tf.constant(4))

    tf.cond(tf.less(x, y), lambda: tf.multiply(x, 17) + inner(), lambda: tf.add(y, 23))
    tf.while_loop(lambda i: i < 10, lambda i: i + y, [x], maximum_iterations=3)


def test_contexts_as_messages(sess) -> None:
    _branches_and_a_loop()
    true, false = tf.get_collection(tf.GraphKeys.COND_CONTEXT)
    (loop,) = tf.get_collection(tf.GraphKeys.WHILE_CONTEXT)
    proto = true.to_proto()
    assert dict(proto.values_def.external_values) == {
        "Const:0": "cond/Mul/Switch:1", "Const_1:0": "cond/Greater/Switch:1", "cond/pred_id:0": "cond/pred_id:0",
    }  # fmt: skip
    (nested, other) = (n.cond_ctxt for n in proto.nested_contexts)
    assert list(nested.values_def.values) == [
        "Const:0", "cond/Mul/Switch:1", "cond/cond/add/Switch:1", "cond/cond/add/y:0", "cond/cond/add:0",
        "cond/cond/pred_id:0", "cond/cond/switch_t:0",
    ]  # fmt: skip
    assert nested.values_def.external_values["cond/Mul/Switch:1"] == "cond/Mul/Switch:1"
    assert (nested.branch, other.branch, other.context_name) == (1, 0, "cond/cond/cond_text_1")
    assert loop.to_proto().maximum_iterations_name == "while/maximum_iterations:0"
    assert false.to_proto(export_scope="elsewhere") is None
    for context in (true, false, loop):
        written = context.to_proto()
        assert type(context).from_proto(written).to_proto() == written


def test_a_loop_that_was_read_has_a_derivative(sess) -> None:
    x = tf.constant(2.0)
    y = tf.while_loop(lambda z: z < 100.0, lambda z: z * x, [x])
    loop = y.op.context
    assert type(loop).from_proto(loop.to_proto()) is y.op.context
    assert sess.run(tf.gradients(y, x)) == [7 * 2.0**6]


def test_names_of_contexts_lie_in_scopes(sess) -> None:
    class Context(control_flow_ops.ControlFlowContext):
        pass

    inside = [tf.constant(i, name=name) for i, name in enumerate(("a", "b", "scope/a", "scope/b"))]
    context = Context()
    context._values, context._external_values = ["a", "b"], {"a": inside[1]}
    again = Context(values_def=context._to_values_def(), import_scope="scope")
    assert (again._values, again._external_values) == ({"scope/a", "scope/b"}, {"scope/a": inside[3]})
    assert again._to_values_def(export_scope="scope") == context._to_values_def()
