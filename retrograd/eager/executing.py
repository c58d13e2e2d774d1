"""Ops that run at once by their type alone, and values made what their attributes take: ``eager.execute``."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from retrograd.eager.graph import eager_graph
from retrograd.eager.tensor import EagerTensor
from retrograd.graph import dtypes
from retrograd.graph.apply import grouped
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REGISTRY, OpDef, import_every_op
from retrograd.graph.errors import InvalidArgumentError, NotFoundError
from retrograd.graph.raw import raw_op
from retrograd.graph.shapes import TensorShape, as_shape
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_bytes, as_text, bytes_or_text_types


def execute(
    op_name: Any, num_outputs: int, inputs: Sequence[Any], attrs: Sequence[Any] | None, ctx: Any, name: Any = None
) -> list[Tensor]:
    """The outputs of an op that runs at once.

    Args:
      op_name: the type of the op.
      num_outputs: how many outputs it has; more are taken for as many as there are.
      inputs: tensors that have their values; those of a list one by one.
      attrs: names of attributes, each with its value behind it; dtypes by their numbers.
      ctx: where ops run; there is one place.
      name: of the op, for its errors.

    Raises:
      InvalidArgumentError: inputs, outputs or attributes are not those of the op, or it fails on the values.
      NotFoundError: there is no such op.
      TypeError: an input is no tensor that has a value.
    """
    definition = _definition_of(as_text(op_name))
    for i, value in enumerate(inputs):
        if not isinstance(value, EagerTensor):
            kind = type(value).__name__
            raise TypeError(f"provided list of inputs contains objects other than 'EagerTensor'. Item {i} is {kind}")
    given = dict(zip(*[iter(attrs or ())] * 2, strict=True))
    for key in given:
        if key not in _attributes(definition):
            raise InvalidArgumentError(
                None, None, _told(definition, f"Attribute '{key}' does not exist for this operation")
            )
    wanted = sum(argument.count(given) if argument.is_list else 1 for argument in definition.inputs)
    if wanted != len(inputs):
        raise InvalidArgumentError(None, None, _told(definition, f"expected {wanted} inputs, got {len(inputs)}"))
    function = raw_op(definition.name)
    assert function is not None
    tied = {a.type_attr for a in definition.inputs} | {a.number_attr for a in definition.inputs}
    with eager_graph().as_default():
        found = function(
            *grouped(definition, given, inputs), **{k: v for k, v in given.items() if k not in tied}, name=name
        )
    outputs = _listed(found)
    if len(outputs) > num_outputs:
        told = f"Expecting {len(outputs)} outputs, but *num_retvals is {num_outputs}"
        raise InvalidArgumentError(None, None, _told(definition, told))
    return outputs


quick_execute = execute


def record_gradient(op_name: Any, inputs: Any, attrs: Any, results: Any, name: Any) -> None:
    """Nothing: tapes keep each op as it runs."""


def _definition_of(name: str) -> OpDef:
    if name not in REGISTRY:
        import_every_op()
    if name not in REGISTRY:
        raise NotFoundError(
            None, None, f"'{name}' is neither a type of a primitive operation nor a name of a function registered in "
            f"binary running on {platform.node()}. Make sure the operation or function is registered in the binary "
            "running in this process.",
        )  # fmt: skip
    return REGISTRY[name]


def _attributes(definition: OpDef) -> set[str]:
    arguments = (*definition.inputs, *definition.outputs)
    return {*definition.attrs, *(a.type_attr for a in arguments), *(a.number_attr for a in arguments)} - {None}  # type: ignore[arg-type, return-value]


def _told(definition: OpDef, text: str) -> str:
    return f"{text} [Op:{definition.name}]"


def _listed(found: Any) -> list[Tensor]:
    """The outputs one by one; an op without any gives an operation or None."""
    if isinstance(found, Tensor):
        return [found]
    if isinstance(found, list | tuple):
        return [tensor for each in found for tensor in _listed(each)]
    return []


# -- values of attributes ------------------------------------------------------------------------


def make_float(v: Any, arg_name: str) -> float:
    """``v`` as a float, or ``TypeError``."""
    if not hasattr(v, "__float__"):
        raise TypeError(f"Expected float for argument '{arg_name}' not {v!r}.")
    return float(v)


def make_int(v: Any, arg_name: str) -> int:
    """``v`` as an int, or ``TypeError``."""
    if isinstance(v, bytes_or_text_types):
        raise TypeError(f"Expected int for argument '{arg_name}' not {v!r}.")
    try:
        return int(v)
    except (ValueError, TypeError):
        raise TypeError(f"Expected int for argument '{arg_name}' not {v!r}.") from None


def make_str(v: Any, arg_name: str) -> bytes:
    """``v`` as bytes, or ``TypeError``."""
    if not isinstance(v, bytes_or_text_types):
        raise TypeError(f"Expected string for argument '{arg_name}' not {v!r}.")
    return as_bytes(v)


def make_bool(v: Any, arg_name: str) -> bool:
    """``v``, or ``TypeError`` if it is no bool."""
    if not isinstance(v, bool):
        raise TypeError(f"Expected bool for argument '{arg_name}' not {v!r}.")
    return v


def make_type(v: Any, arg_name: str) -> int:
    """The number of a dtype, or ``TypeError``."""
    try:
        return dtypes.as_dtype(v).base_dtype.as_datatype_enum
    except TypeError:
        raise TypeError(f"Expected DataType for argument '{arg_name}' not {v!r}.") from None


def make_shape(v: Any, arg_name: str) -> list[int | None] | None:
    """The sizes of a shape, None where the rank is unknown; ``TypeError`` or ``ValueError`` for what is none."""
    try:
        shape: TensorShape = as_shape(v)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Error converting {arg_name} to a TensorShape: {error}.") from None
    return None if shape.ndims is None else shape.as_list()


def make_tensor(v: Any, arg_name: str) -> Any:
    """A ``TensorProto``, also from its text, or ``TypeError``."""
    from google.protobuf import text_format
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    if isinstance(v, TensorProto):
        return v
    if isinstance(v, bytes_or_text_types):
        return text_format.Parse(as_text(v), TensorProto())
    raise TypeError(f"Don't know how to convert {v!r} to a TensorProto for argument '{arg_name}'.")


# -- values as inputs ----------------------------------------------------------------------------


def args_to_matching_eager(l: Sequence[Any], ctx: Any, default_dtype: Any = None) -> tuple[int, list[Tensor]]:  # noqa: E741
    """Values as tensors of one dtype, that of the first tensor among them, with its number."""
    preferred = None if default_dtype is None else dtypes.as_dtype(default_dtype)
    with eager_graph().as_default():
        if all(isinstance(value, EagerTensor) for value in l):
            tensors = list(l)
        else:
            dtype = next((value.dtype for value in l if isinstance(value, EagerTensor)), None)
            tensors = []
            for value in l:
                tensors.append(as_tensor(value, dtype, preferred_dtype=preferred if dtype is None else None))
                dtype = tensors[-1].dtype if dtype is None else dtype
    return tensors[0].dtype.as_datatype_enum, tensors


def convert_to_mixed_eager_tensors(values: Sequence[Any], ctx: Any) -> tuple[list[int], list[Tensor]]:
    """Values as tensors of their own dtypes, with their numbers."""
    with eager_graph().as_default():
        tensors = [as_tensor(value) for value in values]
    return [t.dtype.as_datatype_enum for t in tensors], tensors


def args_to_mixed_eager_tensors(lists: Sequence[Sequence[Any]], ctx: Any) -> tuple[list[int], list[list[Tensor]]]:
    """Lists of equal length as tensors, those at one place of one dtype.

    Raises:
      ValueError: a list is longer than the first, or shorter.
    """
    for other in lists[1:]:
        if len(other) != len(lists[0]):
            sizes = f"{len(lists[0])} != {len(other)} ({lists[0]} vs. {other})"
            raise ValueError(f"Expected list arguments to be the same length: {sizes}.")
    numbers, rows = [], []
    for row in zip(*lists, strict=True):
        number, tensors = args_to_matching_eager(row, ctx)
        numbers.append(number)
        rows.append(tensors)
    return numbers, [list(column) for column in zip(*rows, strict=True)]
