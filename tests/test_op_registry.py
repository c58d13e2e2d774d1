"""The registry of op types as programs read it."""

from retrograd.tf.python.framework import op_def_registry, ops


def test_the_descriptions_of_ops_are_made_once() -> None:
    first = op_def_registry.get_registered_ops()["MatMul"]
    assert op_def_registry.get_registered_ops()["MatMul"] is first
    with ops.Graph().as_default():
        assert ops.convert_to_tensor(1.0).op.op_def.name == "Const"
