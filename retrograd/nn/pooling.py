"""Pooling composed from that of images and volumes: of lines, of any rank, dilated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.convolution import with_space_to_batch
from retrograd.ops import arrays, max_pooling, pooling
from retrograd.ops.convolution import per_dimension


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    padding: str,
    dilation_rate: Any = None,
    strides: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """The largest (``"MAX"``) or mean (``"AVG"``) element of windows that may have holes.

    Raises:
      ValueError: strides come with dilations, strides are larger than windows, or the shapes do not fit.
    """
    dilation_rate = deprecated_argument_lookup("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        x = as_tensor(input, name="input")
        count = len(window_shape)
        if not 1 <= count <= 3:
            raise ValueError("It is required that 1 <= num_spatial_dims <= 3.")
        x.shape.with_rank(count + 2)
        strides, rates = _steps(count, strides, dilation_rate)
        if padding == "SAME" and any(r > 1 for r in rates):
            raise ValueError("pooling with SAME padding is not implemented for dilation_rate > 1")
        if any(s > w for s, w in zip(strides, window_shape, strict=True)):
            raise ValueError(
                "strides > window_shape not supported due to inconsistency between CPU and GPU implementations"
            )
        functions: dict[tuple[str, bool], Callable[..., Tensor]] = {
            ("MAX", False): max_pooling.max_pool, ("MAX", True): max_pooling.max_pool3d,
            ("AVG", False): pooling.avg_pool, ("AVG", True): pooling.avg_pool3d,
        }  # fmt: skip
        if (pooling_type, count == 3) not in functions:
            raise ValueError(f"{count}-D {pooling_type} pooling is not supported.")
        function = functions[pooling_type, count == 3]
        first = data_format is not None and data_format.startswith("NC")

        def sized(values: Any) -> list[int]:
            inner = [1] * (count == 1) + list(values)
            return [1, 1, *inner] if first else [1, *inner, 1]

        formats = {1: ("NHWC", "NCHW"), 2: (data_format or "NHWC",) * 2, 3: (data_format or "NDHWC",) * 2}[count]

        def pooled(part: Tensor, _: int, inner_padding: str) -> Tensor:
            if count == 1:
                part = arrays.expand_dims(part, 2 if first else 1)
            result = function(
                part, sized(window_shape), sized(strides), inner_padding, data_format=formats[first], name=scope
            )
            return arrays.squeeze(result, [2 if first else 1]) if count == 1 else result

        return with_space_to_batch(x, rates, padding, pooled, data_format=data_format)


def _steps(count: int, strides: Any, dilation_rate: Any) -> tuple[list[int], list[int]]:
    """The strides and the rates of ``count`` sides, of which one kind must be 1."""
    values = []
    for name, given in (("dilation_rate", dilation_rate), ("strides", strides)):
        if given is not None and len(given) != count:
            raise ValueError(f"len({name})={len(given)} but should be {count}")
        given = [1] * count if given is None else [int(v) for v in given]
        if any(v < 1 for v in given):
            raise ValueError(f"all values of {name} must be positive")
        values.append(given)
    rates, steps = values
    if any(s > 1 for s in steps) and any(r > 1 for r in rates):
        raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
    return steps, rates


# -- of lines ----------------------------------------------------------------------------------


def _line_pool(
    function: Callable[..., Tensor], scope: str, input: Any, ksize: Any, strides: Any, padding: Any,
    data_format: str | None, name: str | None,
) -> Tensor:  # fmt: skip
    """``function`` of lines, as images of height 1."""
    with name_scope(name, scope, [input]) as name:
        data_format = "NWC" if data_format is None else data_format
        first = data_format.startswith("NC")
        axis = 2 if first else 1
        sizes = [
            [1, *per_dimension(value, 1, 1 if first else 2, what)]
            for what, value in (("ksize", ksize), ("strides", strides))
        ]
        images = arrays.expand_dims(input, axis)
        result = function(images, *sizes, padding, data_format="NCHW" if first else "NHWC", name=name)
        return arrays.squeeze(result, axis)


def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NWC", name: str | None = None
) -> Tensor:
    """The largest element of each window of lines (batch, width, channels)."""
    return _line_pool(max_pooling.max_pool, "MaxPool1d", input, ksize, strides, padding, data_format, name)


def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NWC", name: str | None = None
) -> Tensor:
    """The mean of each window of lines (batch, width, channels)."""
    return _line_pool(pooling.avg_pool, "AvgPool1D", input, ksize, strides, padding, data_format, name)


# -- of any rank -------------------------------------------------------------------------------


def max_pool_v2(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """The largest element of each window of lines, images or volumes, by the rank of ``input``.

    Raises:
      ValueError: the rank is none of these.
    """
    function = _by_rank(input, (max_pool1d, max_pooling.max_pool, max_pooling.max_pool3d))
    return _with_format(function, input, ksize, strides, padding, data_format, name)


def avg_pool_v2(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """The mean of each window of lines, images or volumes, by the rank of ``input``.

    Raises:
      ValueError: the rank is none of these.
    """
    function = _by_rank(input, (avg_pool1d, pooling.avg_pool, pooling.avg_pool3d))
    return _with_format(function, input, ksize, strides, padding, data_format, name)


def _by_rank(input: Any, functions: tuple[Callable[..., Tensor], ...]) -> Callable[..., Tensor]:
    rank = len(input.shape)
    if not 3 <= rank <= 5:
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {rank}.")
    return functions[rank - 3]


def _with_format(
    function: Callable[..., Tensor], input: Any, ksize: Any, strides: Any, padding: str, data_format: str | None,
    name: str | None,
) -> Tensor:  # fmt: skip
    options = {} if data_format is None else {"data_format": data_format}
    return function(input, ksize, strides, padding, name=name, **options)
