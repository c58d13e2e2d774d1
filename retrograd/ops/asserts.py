"""Ops that fail a run: ``tf.Assert`` and the checks for NaN and infinity."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor, convert_n_to_tensor
from retrograd.graph.definition import REQUIRED, Effect, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import conditions, control, kinds, printing, shape_rules
from retrograd.ops.requirements import require


def _assert(xp: Any, condition: Any, data: list[Any], *, summarize: int) -> list[Any]:
    if np.ndim(condition):
        raise InvalidArgumentError(None, None, f"In[0] should be a scalar: {shapes.shape_text(np.shape(condition))}")
    if xp is not np:
        require(condition)
    elif not condition:
        texts = " ".join(f"[{printing.summary(x, summarize)}]" for x in data)
        raise InvalidArgumentError(None, None, f"assertion failed: {texts}")
    return []


ASSERT = define(
    "Assert", "condition: bool, data: *T", "", attrs={"summarize": 3}, kernel=_assert, effect=Effect.CHECK,
)  # fmt: skip


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Operation:
    """An op that fails unless ``condition`` holds, and shows ``summarize`` elements (3) of each ``data``.

    Data other than strings and int32 is only looked at where the assertion fails: inside a ``cond``.

    Raises:
      InvalidArgumentError: ops run at once, and it does not hold.
    """
    if default_graph().is_eager:
        if not condition:
            texts = "\n".join(str(as_tensor(x)._numpy()) for x in data)  # type: ignore[attr-defined]
            raise InvalidArgumentError(None, None, f"Expected '{condition}' to be true. Summarized data: {texts}")
        return control.no_op()
    with name_scope(name, "Assert", [condition, *data]):
        tensors = convert_n_to_tensor(data)
        if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
            return apply(ASSERT, condition, data, summarize=3 if summarize is None else summarize, name="Assert")
        condition = as_tensor(condition, name="Condition")

        def fail() -> Operation:
            return apply(ASSERT, condition, data, summarize=3 if summarize is None else summarize, name="Assert")

        return conditions.cond(condition, control.no_op, fail, name="AssertGuard").op


# -- NaN and infinity --------------------------------------------------------------------------


def _check_numerics(xp: Any, x: Any, *, message: str) -> Any:
    if xp is not np:
        require(xp.isfinite(x))
    elif not np.all(np.isfinite(x)):
        found = [word for word, test in (("Inf", np.isinf), ("NaN", np.isnan)) if np.any(test(x))]
        raise InvalidArgumentError(None, None, f"{message} : Tensor had {' and '.join(found)} values")
    return x


def _check_numerics_gradient(op: Any, dy: Any) -> list[Any]:
    """The gradient is held to the same."""
    message = op.attrs["message"].encode()
    return [check_numerics(dy, f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message!r}")]


CHECK_NUMERICS = define(
    "CheckNumerics", "tensor: T", "output: T", attrs={"message": REQUIRED}, types={"T": kinds.FLOATING},
    shape=shape_rules.same, kernel=_check_numerics, effect=Effect.CHECK, gradient=_check_numerics_gradient,
)  # fmt: skip


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """``tensor``; a run in which it has a NaN or an infinity fails with ``message``."""
    if not isinstance(message, str | bytes):
        raise TypeError(f"Expected string for argument 'message' not {message!r}.")
    return apply(CHECK_NUMERICS, tensor, message=message, name=name)


def verify_tensor_all_finite(
    t: Any = None, msg: str | None = None, name: str | None = None, x: Any = None, message: str | None = None
) -> Tensor:
    """``x``; a run in which it has a NaN or an infinity fails with ``message``."""
    x = deprecated_argument_lookup("x", x, "t", t)
    message = deprecated_argument_lookup("message", message, "msg", msg)
    with name_scope(name, "VerifyFinite", [x]):
        x = as_tensor(x, name="x")
        with colocate_with(x):
            checked = check_numerics(x, message)
            return control.with_dependencies([checked], x)


def add_check_numerics_ops() -> Operation:
    """An op that checks every float tensor of the default graph, one after the other.

    Raises:
      RuntimeError: ops run at once.
      ValueError: a tensor is inside of a loop or a branch.
    """
    if default_graph().is_eager:
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's and NaN's under eager "
            "execution, call tfe.seterr(inf_or_nan='raise') once before executing the checked operations."
        )
    checks: list[Tensor] = []
    for op in default_graph().get_operations():
        for output in op.outputs:
            if output.dtype in _CHECKED:
                if op._get_control_flow_context() is not None:
                    raise ValueError(
                        "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations such "
                        "as `tf.cond()` or `tf.while_loop()`."
                    )
                with control_dependencies(checks[-1:]):
                    checks.append(check_numerics(output, output.name))
    return control.group(*checks[-1:])


_CHECKED = (dtypes.float16, dtypes.float32, dtypes.float64)
