"""Sizes, paddings and data formats of layers, as their arguments say them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers.added_losses import nearest
from retrograd.ops import conditions
from retrograd.state.variables import VariableV2


def normalize_tuple(value: Any, n: int, name: str) -> tuple[int, ...]:
    """``n`` integers: those given, or the one given again and again.

    Raises:
      ValueError: they are no integers, or not so many.
    """
    if isinstance(value, int):
        return (value,) * n
    wrong = f"The `{name}` argument must be a tuple of {n} integers. Received: {value}"
    try:
        values = tuple(value)
    except TypeError:
        raise ValueError(wrong) from None
    if len(values) != n:
        raise ValueError(wrong)
    for element in values:
        try:
            int(element)
        except (ValueError, TypeError):
            raise ValueError(f"{wrong} including element {element} of type {type(element)}") from None
    return values


def normalize_data_format(value: str) -> str:
    """``"channels_first"`` or ``"channels_last"``, in lower case."""
    return _one_of("data_format", value, ("channels_first", "channels_last"))


def normalize_padding(value: str) -> str:
    """``"valid"`` or ``"same"``, in lower case."""
    return _one_of("padding", value, ("valid", "same"))


def padding_of_keras(value: str, allowed: tuple[str, ...] = ("valid", "same")) -> str:
    """``normalize_padding`` in the words of Keras."""
    if value.lower() not in allowed:
        raise ValueError(
            'The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", only for `Conv1D). '
            f"Received: {value.lower()}"
        )
    return value.lower()


def _one_of(argument: str, value: str, allowed: tuple[str, str]) -> str:
    if value.lower() not in allowed:
        raise ValueError(
            f'The `{argument}` argument must be one of "{allowed[0]}", "{allowed[1]}". Received: {value.lower()}'
        )
    return value.lower()


def convert_data_format(data_format: str, ndim: int) -> str:
    """The ops' word for a layer's data format: ``NHWC`` for channels last in four dimensions."""
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Invalid data_format:", data_format)
    if ndim not in (3, 4, 5):
        raise ValueError("Input rank not supported:", ndim)
    space = "DHW"[5 - ndim :]
    return f"N{space}C" if data_format == "channels_last" else f"NC{space}"


def conv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int, dilation: int = 1
) -> int | None:
    """The size of a convolution's output along one dimension."""
    if input_length is None:
        return None
    reach = (filter_size - 1) * dilation
    length = {"same": input_length, "valid": input_length - reach, "full": input_length + reach}[padding]
    return (length + stride - 1) // stride


def conv_input_length(output_length: int | None, filter_size: int, padding: str, stride: int) -> int | None:
    """The size of the input, given that of the output."""
    if output_length is None:
        return None
    pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * pad + filter_size


def deconv_output_length(input_length: Any, filter_size: int, padding: str, stride: int) -> Any:
    """The least size of a transposed convolution's output along one dimension: an integer, a tensor or None."""
    return grown_length(input_length, filter_size, padding, stride=stride)


def grown_length(
    input_length: Any, filter_size: int, padding: str, output_padding: int | None = None, stride: int = 0,
    dilation: int = 1,
) -> Any:  # fmt: skip
    """The size of a transposed convolution's output along one dimension: the least, or ``output_padding`` more."""
    if input_length is None:
        return None
    filter_size += (filter_size - 1) * (dilation - 1)
    if output_padding is not None:
        pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
        return (input_length - 1) * stride + filter_size - 2 * pad + output_padding
    if padding == "same":
        return input_length * stride
    more = max(filter_size - stride, 0) if padding == "valid" else -(stride + filter_size - 2)
    return input_length * stride + more


def static_size(x: Any, axis: int) -> int | None:
    """The size of ``x`` along ``axis``, if it is known."""
    return None if x.dims is None else x.dims[axis]


def smart_cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """The branch that ``pred`` chooses, now if it is known, else by ``cond``; a variable is never known."""
    if isinstance(pred, VariableV2):
        return conditions.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return conditions.smart_cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)


def constant_value(pred: Any) -> Any:
    """What is known of ``pred``: True, False, the value of a tensor, or None.

    Raises:
      TypeError: it is no tensor, boolean, 0 or 1.
    """
    if isinstance(pred, Tensor):
        return static_value(pred)
    return None if isinstance(pred, VariableV2) else conditions.smart_constant_value(pred)


def get_reachable_from_inputs(inputs: Sequence[Any], targets: Any = ()) -> set[Any]:
    """The tensors that are computed of ``inputs``, and these; the nearest ones until all ``targets`` are there."""
    return nearest(inputs, targets, _computed_of)


def _computed_of(x: Any) -> list[Tensor]:
    return [y for op in (x.readers if isinstance(x, Tensor) else [x.op]) for y in op.outputs]
