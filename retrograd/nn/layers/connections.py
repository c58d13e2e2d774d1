"""Which places of an input a convolution connects with which places of its output."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.graph.errors import taught
from retrograd.nn.layers.sizes import conv_output_length


def conv_connected_inputs(
    input_shape: tuple[int, ...],
    kernel_shape: tuple[int, ...],
    output_position: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
) -> list[range]:
    """The places of the input that the output's place ``output_position`` sees, for each dimension of space."""
    ranges = []
    for place, n, k, stride in zip(output_position, input_shape, kernel_shape, strides, strict=True):
        first = place * stride if padding == "valid" else place * stride - k // 2
        ranges.append(range(max(0, first), min(n, first + k)))
    return ranges


def connected_places(input_shape: Any, kernel_shape: Any, strides: Any, padding: str) -> Iterator[tuple[Any, Any]]:
    """Each place of the output with the places of the input that it sees, in order.

    Raises:
      NotImplementedError: a padding other than ``"same"`` and ``"valid"``.
      ValueError: strides or windows of another rank than the input.
    """
    input_shape, kernel_shape, strides = _of_one_rank(input_shape, kernel_shape, strides, padding)
    for place in itertools.product(*(range(n) for n in output_space(input_shape, kernel_shape, strides, padding))):
        ranges = conv_connected_inputs(input_shape, kernel_shape, place, strides, padding)
        yield place, itertools.product(*ranges)


def _of_one_rank(input_shape: Any, kernel_shape: Any, strides: Any, padding: str) -> tuple[Any, Any, Any]:
    if padding not in ("same", "valid"):
        error = NotImplementedError(f'Padding type {padding} not supported. Only "valid" and "same" are implemented.')
        raise taught(error, fix='padding="same"')
    rank = len(input_shape)
    kernel_shape = (kernel_shape,) * rank if isinstance(kernel_shape, int) else kernel_shape
    strides = (strides,) * rank if isinstance(strides, int) else strides
    if not len(kernel_shape) == len(strides) == rank:
        raise ValueError(
            f"Number of strides, input and kernel dimensions must all match. Received: {len(kernel_shape)}, "
            f"{len(strides)}, {rank}."
        )
    return tuple(input_shape), tuple(kernel_shape), tuple(strides)


def output_space(input_shape: Any, kernel_shape: Any, strides: Any, padding: str) -> tuple[Any, ...]:
    """The sizes of the output's space; where there is no input, there is no output."""
    given = zip(input_shape, kernel_shape, strides, strict=True)
    return tuple(0 if n == 0 else conv_output_length(n, k, padding, s) for n, k, s in given)


def conv_kernel_mask(input_shape: Any, kernel_shape: Any, strides: Any, padding: str) -> np.ndarray:
    """True where a place of the input (the first indices) is seen by a place of the output (the last).

    Raises:
      NotImplementedError: a padding other than ``"same"`` and ``"valid"``.
      ValueError: strides or windows of another rank than the input.
    """
    sizes = _of_one_rank(input_shape, kernel_shape, strides, padding)
    mask = np.zeros((*sizes[0], *output_space(*sizes, padding)), bool)
    for place, window in connected_places(*sizes, padding):
        for source in window:
            mask[(*source, *place)] = True
    return mask


def conv_kernel_idxs(
    input_shape: Any, kernel_shape: Any, strides: Any, padding: str, filters_in: int, filters_out: int,
    data_format: str,
) -> Iterator[tuple[int, int]]:  # fmt: skip
    """Pairs of connected elements, with their channels: the number in the flat output, and in the flat input.

    Raises:
      NotImplementedError: a padding other than ``"same"`` and ``"valid"``.
      ValueError: strides or windows of another rank than the input, or another data format.
    """
    sizes = _of_one_rank(input_shape, kernel_shape, strides, padding)
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(
            f'Data format {data_format} not recignized.`data_format` must be "channels_first" or "channels_last".'
        )
    first = data_format == "channels_first"
    space = output_space(*sizes, padding)

    def number(place: Any, channel: int, sized: Any, channels: int) -> int:
        where, whole = ((channel, *place), (channels, *sized)) if first else ((*place, channel), (*sized, channels))
        return int(np.ravel_multi_index(where, whole))

    for place, window in connected_places(*sizes, padding):
        for source in window:
            for f_in, f_out in itertools.product(range(filters_in), range(filters_out)):
                yield number(place, f_out, space, filters_out), number(source, f_in, sizes[0], filters_in)
