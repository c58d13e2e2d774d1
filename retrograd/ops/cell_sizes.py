"""What a run says of the inputs of recurrent blocks whose sizes do not belong together."""

from __future__ import annotations

from typing import Any

from retrograd.graph.errors import invalid
from retrograd.graph.shapes import shape_text

_ROWS = ("batch_size", "cell_size")
_LSTM = {
    "cs_prev": ("dims", _ROWS), "h_prev": ("dims", _ROWS),
    "w": ("dim_size", ("input_size + cell_size", "cell_size * 4")),
    "wci": ("dim_size", ("cell_size",)), "wcf": ("dim_size", ("cell_size",)), "wco": ("dim_size", ("cell_size",)),
    "b": ("dim_size", ("cell_size * 4",)),
}  # fmt: skip
_LSTM_SLOPES = {
    **dict.fromkeys(("i", "cs", "f", "o", "ci", "co"), ("dim_size", _ROWS)),
    **dict.fromkeys(("cs_grad_tensor", "h_grad_tensor"), ("dims", _ROWS)),
}
_GRU = {
    "h_prev": ("dims", _ROWS), "w_ru": ("dim_size", ("input_size + cell_size", "cell_size * 2")),
    "w_c": ("dim_size", ("input_size + cell_size", "cell_size")), "b_ru": ("dim_size", ("cell_size * 2",)),
    "b_c": ("dim_size", ("cell_size",)),
}  # fmt: skip
_GRU_SLOPES = dict.fromkeys(("r", "u", "c", "d_h"), ("dims", _ROWS))


def check_lstm(x: Any, *inputs: Any, use_peephole: bool) -> None:
    """Raise unless the inputs of an LSTM's step or of its gradient, or of all steps, fit ``x``.

    The weights of the peepholes count where they are used.

    Raises:
      InvalidArgumentError: they do not.
    """
    table = {**_LSTM, **(_LSTM_SLOPES if len(inputs) > len(_LSTM) else {})}
    unused = () if use_peephole else ("wci", "wcf", "wco")
    _check(x, inputs[0], {k: v for k, v in zip(table.items(), inputs, strict=True) if k[0] not in unused})


def check_lstm_steps(
    x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any, kept: tuple[Any, ...],
    use_peephole: bool,
) -> None:  # fmt: skip
    """Raise unless the inputs of the gradient of all steps fit ``x``; ``kept`` is what each step has given.

    Raises:
      InvalidArgumentError: they do not.
    """
    cell = cs_prev.shape[-1] if cs_prev.ndim else 0
    if w.shape[0] != x.shape[2] + cell:
        raise invalid(f"w matrix rows don't match: {x.shape[2] + cell} vs. {w.shape[0]}")
    if b.ndim != 1 or b.shape[0] != cell * 4:
        raise invalid(f"w and b cell_size don't match: {cell} vs. {b.shape[0] if b.ndim else 0}")
    check_lstm(x, cs_prev, h_prev, w, wci, wcf, wco, b, use_peephole=use_peephole)
    for values in kept:
        if values.shape != (*x.shape[:2], cell):
            wanted, found = shape_text((*x.shape[:2], cell)), shape_text(values.shape)
            raise invalid(f"what a step has given must be of shape {wanted}, but is of shape {found}")


def check_gru(x: Any, *inputs: Any) -> None:
    """Raise unless the inputs of a GRU's step or of its gradient fit ``x``.

    Raises:
      InvalidArgumentError: they do not.
    """
    table = {**_GRU, **(_GRU_SLOPES if len(inputs) > len(_GRU) else {})}
    _check(x, inputs[0], dict(zip(table.items(), inputs, strict=True)))


def _check(x: Any, state: Any, inputs: dict[tuple[str, tuple[str, tuple[str, ...]]], Any]) -> None:
    if x.ndim < 2:
        rows = len(x) if x.ndim else 0
        if state.ndim and len(state) != rows:
            raise invalid(f"{next(iter(inputs))[0]}.dims(0) != batch_size: {len(state)} vs. {rows}")
        raise invalid("x must be 2D")
    cell = state.shape[1] if state.ndim == 2 else state.shape[-1] if state.ndim else 0
    sizes = {
        "batch_size": x.shape[-2], "cell_size": cell, "input_size + cell_size": x.shape[-1] + cell,
        "cell_size * 2": cell * 2, "cell_size * 4": cell * 4,
    }  # fmt: skip
    for (name, (word, labels)), value in inputs.items():
        for d, label in enumerate(labels[: value.ndim]):
            if value.shape[d] != sizes[label]:
                raise invalid(f"{name}.{word}({d}) != {label}: {value.shape[d]} vs. {sizes[label]}")
        if value.ndim != len(labels):
            raise invalid(f"{name} must be {len(labels)}D")
