"""Jacobians under the names and arguments of TensorFlow's ``parallel_for.gradients``."""

from __future__ import annotations

from typing import Any

from retrograd.derivatives import jacobians
from retrograd.graph import nest
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, checks


def jacobian(output: Tensor, inputs: Any, use_pfor: bool = True, parallel_iterations: int | None = None) -> Any:
    """J[i.., j..] = d output[i..] / d inputs[j..]: ``retrograd.jacobian``.

    Args:
      output: a tensor.
      inputs: a tensor or a nesting of tensors.
      use_pfor, parallel_iterations: change nothing.

    Returns:
      A nesting like ``inputs`` of tensors of shape ``output.shape + input.shape``; None for an input that the output
      does not depend on.
    """
    found = jacobians.jacobian(output, nest.flatten(inputs))
    return nest.pack_sequence_as(inputs, found)


def batch_jacobian(output: Tensor, inp: Tensor, use_pfor: bool = True, parallel_iterations: int | None = None) -> Any:
    """J[b, i.., j..] = d output[b, i..] / d inp[b, j..]: ``retrograd.batch_jacobian``.

    Raises:
      ValueError: the first dimensions of ``output`` and ``inp`` differ.
      InvalidArgumentError: they differ when it runs.
    """
    if not output.shape[0].is_compatible_with(inp.shape[0]):
        raise ValueError(f"Need first dimension of output shape ({output.shape}) and inp shape ({inp.shape}) to match.")
    found = jacobians.batch_jacobian(output, inp)
    if found is None:
        return None
    with control_dependencies([checks.assert_equal(arrays.shape(output)[0], arrays.shape(inp)[0])]):
        return arrays.identity(found)
