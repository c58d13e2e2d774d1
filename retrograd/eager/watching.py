"""What watches ops that run at once: functions that are called after each, for infinities and NaNs by default."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.eager.graph import eager_graph
from retrograd.graph import log

ExecutionFunction = Callable[..., Any]  # (op_type, op_name, attrs, inputs, outputs)


class ExecutionCallback(enum.Enum):
    """What to do about a number that is infinite or not a number."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"


class InfOrNanError(Exception):
    """An output holds an infinity or a NaN."""

    def __init__(self, op_type: str, op_name: str | None, output_index: int, num_outputs: int, value: Any) -> None:
        infinite, not_numbers = int(np.isinf(value).sum()), int(np.isnan(value).sum())
        found = [f"{n} {word}(s)" for n, word in ((infinite, "inf"), (not_numbers, "nan")) if n]
        super().__init__(
            f"Output {output_index + 1} of {num_outputs} of TFE operation {op_type} (name: {op_name}) contains "
            f"{' and '.join(found)} out of a total of {np.size(value)} element(s). Tensor value: {value}"
        )
        self.op_type, self.op_name, self.output_index, self.value = op_type, op_name, output_index, value


def add_execution_callback(callback: ExecutionFunction) -> None:
    """Call ``callback(op_type, op_name, attrs, inputs, outputs)`` after each op that runs at once."""
    eager_graph().watchers.append(callback)


def clear_execution_callbacks() -> None:
    """Call none any more."""
    eager_graph().watchers.clear()


def inf_nan_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Sequence[Any], op_name: str | None, check_inf: bool = True,
    check_nan: bool = True, action: Any = ExecutionCallback.WARN,
) -> None:  # fmt: skip
    """Look for infinities and NaNs among the outputs of an op, and warn, print or raise.

    Raises:
      InfOrNanError: there are some, and ``action`` says so.
    """
    action = ExecutionCallback(action)
    for i, output in enumerate(outputs):
        if not output.dtype.is_floating:
            continue
        value = output.numpy()
        if not ((check_inf and np.isinf(value).any()) or (check_nan and np.isnan(value).any())):
            continue
        error = InfOrNanError(op_type, op_name, i, len(outputs), value)
        if action is ExecutionCallback.RAISE:
            raise error
        if action is ExecutionCallback.WARN:
            log.warning(str(error))
        elif action is ExecutionCallback.PRINT:
            print(f"Warning: {error}")


def inf_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Sequence[Any], op_name: str | None,
    action: Any = ExecutionCallback.WARN,
) -> None:  # fmt: skip
    """The same for infinities alone."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, True, False, action)


def nan_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Sequence[Any], op_name: str | None,
    action: Any = ExecutionCallback.WARN,
) -> None:  # fmt: skip
    """The same for NaNs alone."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, False, True, action)


_set: dict[str, Any] = {"inf_or_nan": ExecutionCallback.IGNORE}


def _watch(op_type: str, op_name: str | None, attrs: Any, inputs: Any, outputs: Sequence[Any]) -> None:
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, action=_set["inf_or_nan"])


def seterr(inf_or_nan: ExecutionCallback | str | None = None) -> dict[str, Any]:
    """Say what is to be done about infinities and NaNs; the result is what was done before.

    Raises:
      ValueError: it is no ``ExecutionCallback``.
    """
    before = dict(_set)
    if inf_or_nan is not None:
        _set["inf_or_nan"] = ExecutionCallback(inf_or_nan)
        watchers = eager_graph().watchers
        if _watch in watchers:
            watchers.remove(_watch)
        if _set["inf_or_nan"] is not ExecutionCallback.IGNORE:
            watchers.append(_watch)
    return before


@contextlib.contextmanager
def errstate(inf_or_nan: ExecutionCallback | str | None = None) -> Iterator[None]:
    """The same for a block."""
    before = seterr(inf_or_nan)
    try:
        yield
    finally:
        seterr(before["inf_or_nan"])
