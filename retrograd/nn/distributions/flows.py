"""Normalizing flows: maps by networks whose Jacobians are triangular, and permutations between them.

Sources: masked autoregressive flows, https://arxiv.org/abs/1705.07057; real-valued non-volume-preserving ones,
https://arxiv.org/abs/1605.08803; masked networks, https://arxiv.org/abs/1502.03509.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.flow.loops import while_loop
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import dimension_value
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.bijector import Bijector
from retrograd.nn.layers import core
from retrograd.ops import (
    activations,
    arrays,
    checks,
    clipping,
    constants,
    exponentials,
    indexing,
    joining,
    permuting,
    ranking,
    reductions,
)
from retrograd.ops.control import with_dependencies
from retrograd.state import initializers
from retrograd.state.scopes import get_variable_scope, variable_scope
from retrograd.state.template import Template, make_template


class Permute(Bijector):
    """``y[..., i] = x[..., permutation[i]]``.

    Raises:
      TypeError: the permutation does not hold integers.
      ValueError: it is known, and no permutation.
    """

    def __init__(self, permutation: Any, validate_args: bool = False, name: str | None = None) -> None:
        with name_scope(name, "permute", values=[permutation]):
            permutation = as_tensor(permutation, name="permutation")
            if not permutation.dtype.is_integer:
                raise TypeError(f"permutation.dtype ({permutation.dtype.name}) should be `int`-like.")
            known, message = constant_value(permutation), "Permutation over `d` must contain exactly one of each of "
            message += "`{0, 1, ..., d}`."
            if known is not None:
                if set(known) != set(np.arange(known.size)):
                    raise ValueError(message)
            elif validate_args:
                p, _ = ranking.top_k(-permutation, k=arrays.shape(permutation)[-1], sorted=True)
                check = checks.assert_equal(-p, constants.range_(arrays.size(p)), message=message)
                permutation = with_dependencies([check], permutation)
            self._permutation = permutation
            super().__init__(
                forward_min_event_ndims=1, is_constant_jacobian=True, validate_args=validate_args,
                name=name or "permute",
            )  # fmt: skip

    @property
    def permutation(self) -> Tensor:
        return self._permutation

    def _forward(self, x: Any) -> Tensor:
        return indexing.gather(x, self.permutation, axis=-1)

    def _inverse(self, y: Any) -> Tensor:
        return indexing.gather(y, permuting.invert_permutation(self.permutation), axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Tensor:
        return constants.constant(0.0, dtype=y.dtype.base_dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Tensor:
        return constants.constant(0.0, dtype=x.dtype.base_dtype)


def _scaled_and_moved(x: Any, shift: Any, log_scale: Any) -> Any:
    if log_scale is not None:
        x *= exponentials.exp(log_scale)
    return x if shift is None else x + shift


def _moved_and_scaled_back(y: Any, shift: Any, log_scale: Any) -> Any:
    if shift is not None:
        y -= shift
    return y if log_scale is None else y * exponentials.exp(-log_scale)


class MaskedAutoregressiveFlow(Bijector):
    """``y[i] = x[i] * exp(log_scale[i]) + shift[i]``, both functions of ``y[:i]``.

    The inverse is one call of ``shift_and_log_scale_fn``, the map one call for each element of an event.
    """

    def __init__(
        self,
        shift_and_log_scale_fn: Callable[..., Any],
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        unroll_loop: bool = False,
        name: str | None = None,
    ) -> None:
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        self._unroll_loop = unroll_loop
        super().__init__(
            forward_min_event_ndims=1, is_constant_jacobian=is_constant_jacobian, validate_args=validate_args,
            name=name or "masked_autoregressive_flow",
        )  # fmt: skip

    def _forward(self, x: Any) -> Tensor:
        known = dimension_value(x.shape.with_rank_at_least(1)[-1])
        if self._unroll_loop:
            if known is None:
                raise ValueError(
                    "The final dimension of `x` must be known at graph construction time if `unroll_loop=True`. "
                    f"`x.shape: {x.shape!r}`"
                )
            y = constants.zeros_like(x, name="y0")
            for _ in range(known):
                y = _scaled_and_moved(x, *self._shift_and_log_scale_fn(y))
            return y
        size = arrays.shape(x)[-1]
        start = constants.zeros_like(x, name="y0")
        self._shift_and_log_scale_fn(start)  # makes the variables outside of the loop

        def step(i: Any, y: Any) -> tuple[Any, Any]:
            with variable_scope(get_variable_scope()) as scope:
                if scope.caching_device is None and not default_graph().is_eager:
                    scope.set_caching_device(lambda op: op.device)
                shift, log_scale = self._shift_and_log_scale_fn(y)
            y = _scaled_and_moved(x, shift, log_scale)
            return i + 1, y

        _, y = while_loop(lambda i, _: i < size, step, (0, start), maximum_iterations=known)
        return y

    def _inverse(self, y: Any) -> Tensor:
        return _moved_and_scaled_back(y, *self._shift_and_log_scale_fn(y))

    def _inverse_log_det_jacobian(self, y: Any) -> Tensor:
        _, log_scale = self._shift_and_log_scale_fn(y)
        if log_scale is None:
            return constants.constant(0.0, dtype=y.dtype, name="ildj")
        return -reductions.reduce_sum(log_scale, axis=-1)


class RealNVP(Bijector):
    """``y = x`` for the first ``num_masked`` elements, ``y = x * exp(log_scale) + shift``, functions of these, behind.

    Raises:
      ValueError: ``num_masked`` is not positive, or an event has no more elements.
      NotImplementedError: the size of an event is unknown.
    """

    def __init__(
        self,
        num_masked: int,
        shift_and_log_scale_fn: Callable[..., Any],
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        if num_masked <= 0:
            raise ValueError("num_masked must be a positive integer.")
        self._num_masked, self._shift_and_log_scale_fn = num_masked, shift_and_log_scale_fn
        self._input_depth: int | None = None
        super().__init__(
            forward_min_event_ndims=1, is_constant_jacobian=is_constant_jacobian, validate_args=validate_args,
            name=name or "real_nvp",
        )  # fmt: skip

    def _others(self, x: Any) -> int:
        """How many elements are not masked."""
        if self._input_depth is None:
            self._input_depth = _known_depth(x)
            if self._num_masked >= self._input_depth:
                raise ValueError("Number of masked units must be smaller than the event size.")
        return self._input_depth - self._num_masked

    def _forward(self, x: Any) -> Tensor:
        others = self._others(x)
        masked, x = x[:, : self._num_masked], x[:, self._num_masked :]
        y = _scaled_and_moved(x, *self._shift_and_log_scale_fn(masked, others))
        return joining.concat([masked, y], axis=-1)

    def _inverse(self, y: Any) -> Tensor:
        others = self._others(y)
        masked, y = y[:, : self._num_masked], y[:, self._num_masked :]
        x = _moved_and_scaled_back(y, *self._shift_and_log_scale_fn(masked, others))
        return joining.concat([masked, x], axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Tensor:
        log_scale = self._log_scale(y)
        if log_scale is None:
            return constants.constant(0.0, dtype=y.dtype, name="ildj")
        return -reductions.reduce_sum(log_scale, axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Tensor:
        log_scale = self._log_scale(x)
        if log_scale is None:
            return constants.constant(0.0, dtype=x.dtype, name="fldj")
        return reductions.reduce_sum(log_scale, axis=-1)

    def _log_scale(self, x: Any) -> Any:
        others = self._others(x)
        return self._shift_and_log_scale_fn(x[:, : self._num_masked], others)[1]


def _known_depth(x: Any) -> int:
    depth = dimension_value(x.shape.with_rank_at_least(1)[-1])
    if depth is None:
        raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
    return int(depth)


def real_nvp_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: Any = activations.relu,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Template:
    """A network for ``RealNVP``: dense layers of these sizes, then the shift and the logarithm of the scale."""
    with name_scope(name, "real_nvp_default_template"):

        def network(x: Any, output_units: int) -> tuple[Any, Any]:
            for units in hidden_layers:
                x = core.dense(x, units, activation, *args, **kwargs)
            x = core.dense(x, (1 if shift_only else 2) * output_units, None, *args, **kwargs)
            if shift_only:
                return x, None
            shift, log_scale = joining.split(x, 2, axis=-1)
            return shift, log_scale

        return make_template("real_nvp_default_template", network)


def _mask(num_blocks: int, inputs: int, outputs: int, exclusive: bool) -> np.ndarray:
    """1 where an output may read an input: of an earlier block, or of its own one too."""
    mask = np.zeros([inputs, outputs], np.float32)
    wide, high = inputs // num_blocks, outputs // num_blocks
    for block in range(num_blocks):
        first = (block + 1 if exclusive else block) * high
        mask[block * wide : (block + 1) * wide, first:] = 1
    return mask


def masked_dense(
    inputs: Any,
    units: int,
    num_blocks: int | None = None,
    exclusive: bool = False,
    kernel_initializer: Any = None,
    reuse: bool | None = None,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Tensor:
    """A dense layer whose k-th block of outputs reads the first k blocks of inputs, without the k-th if exclusive.

    Raises:
      NotImplementedError: the last size of ``inputs`` is unknown.
    """
    depth = _known_depth(inputs)
    mask = _mask(depth if num_blocks is None else num_blocks, depth, units, exclusive)
    initializer = kernel_initializer or initializers.glorot_normal_initializer()

    def masked_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return mask * initializer(shape, dtype, partition_info)

    with name_scope(name, "masked_dense", [inputs, units, num_blocks]):
        options: dict[str, Any] = {
            "kernel_initializer": masked_initializer, "kernel_constraint": lambda x: mask * x, "name": name,
            "dtype": inputs.dtype.base_dtype, "_scope": name, "_reuse": reuse,
        }  # fmt: skip
        layer = core.Dense(units, *args, **(kwargs | options))
        return layer.apply(inputs)


def masked_autoregressive_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: Any = activations.relu,
    log_scale_min_clip: float = -5.0,
    log_scale_max_clip: float = 3.0,
    log_scale_clip_gradient: bool = False,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Template:
    """A network for ``MaskedAutoregressiveFlow``: masked dense layers, then shifts and logarithms of scales.

    Args:
      log_scale_clip_gradient: no gradient flows where the logarithm of a scale is clipped.
    """
    name = name or "masked_autoregressive_default_template"
    with name_scope(name, values=[log_scale_min_clip, log_scale_max_clip]):

        def network(x: Any) -> tuple[Any, Any]:
            depth = _known_depth(x)
            shape: Any = np.int32(x.shape.as_list()) if x.shape.is_fully_defined() else arrays.shape(x)
            for i, units in enumerate(hidden_layers):
                x = masked_dense(x, units, depth, i == 0, *args, activation=activation, **kwargs)
            x = masked_dense(x, (1 if shift_only else 2) * depth, depth, *args, activation=None, **kwargs)
            if shift_only:
                return arrays.reshape(x, shape=shape), None
            x = arrays.reshape(x, shape=joining.concat([shape, [2]], axis=0))
            shift, log_scale = joining.unstack(x, num=2, axis=-1)
            clip = clipping.clip_by_value if log_scale_clip_gradient else _clipped_with_gradient
            return shift, clip(log_scale, log_scale_min_clip, log_scale_max_clip)

        return make_template(name, network)


def _clipped_with_gradient(x: Any, least: Any, most: Any) -> Tensor:
    """Clipped, with the gradient of what is not."""
    with name_scope(None, "clip_by_value_preserve_grad", [x, least, most]):
        clipped = clipping.clip_by_value(x, least, most)
        return x + arrays.stop_gradient(clipped - x)
