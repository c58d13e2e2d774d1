"""The registry of op types as programs read it."""

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

from retrograd.tf.python.framework import op_def_registry, ops


def test_the_descriptions_of_ops_are_made_once() -> None:
    first = op_def_registry.get_registered_ops()["MatMul"]
    assert op_def_registry.get_registered_ops()["MatMul"] is first
    with ops.Graph().as_default():
        assert ops.convert_to_tensor(1.0).op.op_def.name == "Const"


def test_no_description_of_an_op_takes_jax() -> None:
    code = (
        "import sys; from retrograd.tf.python.ops import gen_nn_ops; from retrograd.tf import raw_ops\n"
        "from retrograd.tf.python.framework import op_def_registry\n"
        "assert callable(gen_nn_ops.relu_grad) and callable(raw_ops.Acos) and not hasattr(raw_ops, 'NoSuchOp')\n"
        "assert 'Relu' in op_def_registry.get_registered_ops() and not hasattr(gen_nn_ops, '__wrapped__')\n"
        "print('jax' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_bare_functions_take_the_arguments_that_tensorflow_s_take() -> None:
    """An op that is missing is missing with its function; one whose module has not been made is, too."""
    wrong, held = [], 0
    for row in (Path(__file__).parent / "golden" / "bare.tsv").read_text().splitlines():
        path, theirs = row.split("\t")
        module, name = path.split(".")
        try:
            function = getattr(importlib.import_module(f"retrograd.tf.python.ops.{module}"), name)
        except (AttributeError, ImportError):
            continue
        parameters = inspect.signature(function).parameters.values()
        ours = " ".join(p.name + ("" if p.default is p.empty else "=") for p in parameters)
        held += 1
        if ours != theirs:
            wrong.append((path, theirs, ours))
    assert not wrong
    assert held > 850
