"""A linear map of joined arguments, whose variables stand in the scope that it is made in."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes, nest
from retrograd.graph.tensor import Tensor
from retrograd.ops import biases, constants, joining, matrices
from retrograd.state.initializers import constant_initializer
from retrograd.state.scopes import get_variable, get_variable_scope, variable_scope


class Linear:
    """``concat(args, 1) @ kernel + bias``.

    Raises:
      ValueError: there are no arguments, or one is no matrix with a known number of columns.
    """

    def __init__(
        self,
        args: Any,
        output_size: Any,
        build_bias: bool,
        bias_initializer: Any = None,
        kernel_initializer: Any = None,
    ) -> None:
        self._build_bias = build_bias
        if args is None or (nest.is_nested(args) and not args):
            raise ValueError("`args` must be specified")
        args = args if nest.is_nested(args) else [args]
        shapes = [a.shape for a in args]
        for shape in shapes:
            if shape.ndims != 2:
                raise ValueError(f"linear is expecting 2D arguments: {shapes}")
            if shape[1].value is None:
                raise ValueError(f"linear expects shape[1] to be provided for shape {shape}, but saw {shape[1]}")
        rows, dtype = sum(shape[1].value for shape in shapes), args[0].dtype
        with variable_scope(get_variable_scope()) as outer:
            self._weights = get_variable("kernel", [rows, output_size], dtype=dtype, initializer=kernel_initializer)
            if build_bias:
                with variable_scope(outer) as inner:
                    inner.set_partitioner(None)
                    start = constant_initializer(0.0, dtype=dtype) if bias_initializer is None else bias_initializer
                    self._biases = get_variable("bias", [output_size], dtype=dtype, initializer=start)

    def __call__(self, args: Any) -> Tensor:
        args = args if nest.is_nested(args) else [args]
        if len(args) > 1:
            axis = constants.constant(1, dtype=dtypes.int32)
            args = [joining.concat(args, axis)]
        result = matrices.matmul(args[0], self._weights)
        return biases.bias_add(result, self._biases) if self._build_bias else result


def linear(
    args: Any, output_size: Any, bias: bool, bias_initializer: Any = None, kernel_initializer: Any = None
) -> Tensor:
    """``Linear`` made and applied."""
    return Linear(args, output_size, bias, bias_initializer, kernel_initializer)(args)
