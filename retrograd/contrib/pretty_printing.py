"""``print_op`` of ``tf.contrib.framework``: what a tensor is and holds, printed whenever it is read."""

from __future__ import annotations

from typing import Any

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, constants, printing, ranking
from retrograd.state.variables import Variable

_KINDS = ((SparseTensor, "SparseTensor"), (Tensor, "Tensor"), (TensorArray, "TensorArray"), (Variable, "Variable"))


def _described(t: Any, with_name: bool, with_type: bool, with_shape: bool, with_first: bool) -> list[Any]:
    """What is printed of one value."""
    kind = next((word for type_, word in _KINDS if isinstance(t, type_)), None)
    rows: list[Any] = []
    if with_name and kind == "Tensor":
        rows.append(f"Name: {t.name}")
    if with_type:
        if kind is None:
            raise ValueError("t must be a Tensor, SparseTensor, TensorArray or Variable.")
        rows.append(f"Type: {kind} ({t.dtype.name})")
    if with_shape and kind == "SparseTensor":
        rows += ["Shape:", t.dense_shape]
    elif with_shape and kind == "Tensor":
        rows.append(f"Shape: {t.get_shape().dims}")
    elif with_shape and kind == "TensorArray":
        rows += ["Size:", t.size()]
    if with_first and t.dtype == dtypes.bool:
        rows += ["First True in Boolean tensor at:", ranking.argmax(casts.cast(t, dtypes.uint8), 0)]
    if kind == "SparseTensor":
        rows += ["Sparse indices:", t.indices, "Sparse values:", t.values]
    elif kind == "Tensor":
        rows += ["Value:", t]
    elif kind == "TensorArray":
        rows += ["Value:", t.stack()]
    return [constants.constant(row) if isinstance(row, str) else row for row in rows]


def print_op(
    input_: Any, data: Any = None, message: str | None = None, first_n: int | None = None, summarize: int = 20,
    print_tensor_name: bool = True, print_tensor_type: bool = True, print_shape: bool = True,
    summarize_indicator_vector: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """``input_``; whenever it is read, ``message``, what it is and holds are printed, and the same of ``data``.

    Args:
      input_: a tensor, sparse tensor or ``TensorArray``; of the last nothing is printed unless it is among ``data``.
      first_n: how many times it is printed; None for always.
      summarize: how many elements are printed of each tensor.
      summarize_indicator_vector: whether to print where the first true element of booleans is.

    Raises:
      ValueError: ``input_`` is of another kind.
    """
    refused = ValueError("input_ must be of type Tensor, SparseTensor or TensorArray")
    if input_ is None:
        raise refused
    shown = print_tensor_name, print_tensor_type, print_shape, summarize_indicator_vector
    rows = [row for t in (input_, *(data or ())) for row in _described(t, *shown)]

    def printed(x: Any) -> Any:
        return printing.Print(x, rows, message or "", first_n, summarize, name)

    if isinstance(input_, Tensor | Variable) and not isinstance(input_, SparseTensor):
        return printed(input_)
    if not isinstance(input_, SparseTensor | TensorArray):
        raise refused
    shown_first = printed(constants.constant([]))
    if isinstance(input_, TensorArray):
        return input_  # no op of it waits for the printing, as in TensorFlow: it would read the elements
    with control_dependencies([shown_first]):
        return SparseTensor(*(arrays.identity(x) for x in (input_.indices, input_.values, input_.dense_shape)))
