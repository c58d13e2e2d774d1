"""Bijectors of single numbers, and those made of others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.nn.distributions import arguments, vectors
from retrograd.nn.distributions.bijector import Bijector
from retrograd.ops import activations, arrays, casts, checks, constants, exponentials, reductions, rounding, softmax
from retrograd.ops.control import with_dependencies


class Identity(Bijector):
    """``y = x``."""

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        return x

    def _inverse(self, y: Any) -> Any:
        return y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return constants.constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return constants.constant(0.0, dtype=x.dtype)


class PowerTransform(Bijector):
    """``y = (1 + c * x)^(1 / c)`` for ``c = power``, and ``exp(x)`` for ``c = 0``."""

    def __init__(self, power: Any = 0.0, validate_args: bool = False, name: str = "power_transform") -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        with self._name_scope("init", [power]):
            power = constant_value(as_tensor(power, name="power"))
        if power is None or power < 0:
            raise ValueError("`power` must be a non-negative TF constant.")
        self._power = power
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def power(self) -> Any:
        return self._power

    def _forward(self, x: Any) -> Any:
        x = self._valid_x(x)
        return (
            exponentials.exp(x)
            if self.power == 0.0
            else exponentials.exp(exponentials.log1p(x * self.power) / self.power)
        )

    def _inverse(self, y: Any) -> Any:
        y = self._valid_y(y)
        return (
            exponentials.log(y)
            if self.power == 0.0
            else exponentials.expm1(exponentials.log(y) * self.power) / self.power
        )

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._valid_y(y)
        return (self.power - 1.0) * exponentials.log(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._valid_x(x)
        return x if self.power == 0.0 else (1.0 / self.power - 1.0) * exponentials.log1p(x * self.power)

    def _valid_x(self, x: Any) -> Any:
        if not self.validate_args or self.power == 0.0:
            return x
        message = f"Forward transformation input must be at least {-1.0 / self.power}."
        return with_dependencies([checks.assert_non_negative(1.0 + self.power * x, message=message)], x)

    def _valid_y(self, y: Any) -> Any:
        if not self.validate_args:
            return y
        message = "Inverse transformation input must be greater than 0."
        return with_dependencies([checks.assert_positive(y, message=message)], y)


class Exp(PowerTransform):
    """``y = exp(x)``."""

    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(validate_args=validate_args, name=name)


class Softplus(Bijector):
    """``y = c * log(1 + exp(x / c))`` for ``c = hinge_softness``."""

    def __init__(self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus") -> None:
        with name_scope(name, values=[hinge_softness]):
            if hinge_softness is not None:
                hinge_softness = as_tensor(hinge_softness, name="hinge_softness")
                if validate_args:
                    zero = as_tensor(0, dtype=hinge_softness.dtype)
                    message = "hinge_softness must be non-zero"
                    nonzero = checks.assert_none_equal(zero, hinge_softness, message=message)
                    hinge_softness = with_dependencies([nonzero], hinge_softness)
            self._hinge_softness = hinge_softness
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def hinge_softness(self) -> Any:
        return self._hinge_softness

    def _scaled(self, function: Callable[[Any], Any], x: Any) -> Any:
        if self.hinge_softness is None:
            return function(x)
        softness = casts.cast(self.hinge_softness, x.dtype)
        return softness * function(x / softness)

    def _forward(self, x: Any) -> Any:
        return self._scaled(activations.softplus, x)

    def _inverse(self, y: Any) -> Any:
        return self._scaled(arguments.softplus_inverse, y)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        if self.hinge_softness is not None:
            y /= casts.cast(self.hinge_softness, y.dtype)
        return -exponentials.log(-exponentials.expm1(-y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self.hinge_softness is not None:
            x /= casts.cast(self.hinge_softness, x.dtype)
        return -activations.softplus(-x)


class Sigmoid(Bijector):
    """``y = 1 / (1 + exp(-x))``."""

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        return exponentials.sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return exponentials.log(y) - exponentials.log1p(-y)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -exponentials.log(y) - exponentials.log1p(-y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -activations.softplus(-x) - activations.softplus(x)


class SoftmaxCentered(Bijector):
    """``y = softmax([x, 0])``: one more number than ``x`` has, on the simplex."""

    def __init__(self, validate_args: bool = False, name: str = "softmax_centered") -> None:
        self._graph_parents = []
        self._name = name
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        if input_shape.ndims is None or input_shape[-1] is None:
            return input_shape
        return TensorShape([input_shape[-1] + 1])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return (input_shape[-1] + 1)[..., None]

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        if output_shape.ndims is None or output_shape[-1] is None:
            return output_shape
        if output_shape[-1] <= 1:
            raise ValueError(f"output_shape[-1] = {output_shape[-1]} <= 1")
        return TensorShape([output_shape[-1] - 1])

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        if self.validate_args:
            several = checks.assert_greater(output_shape[-1], 1, message="Need last dimension greater than 1.")
            output_shape = with_dependencies([several], output_shape)
        return (output_shape[-1] - 1)[..., None]

    def _forward(self, x: Any) -> Any:
        y = vectors.pad(x, axis=-1, back=True)
        if x.shape.ndims is not None:
            y.set_shape(x.shape[:-1].concatenate(x.shape[-1] + 1))
        return softmax.softmax(y)

    def _inverse(self, y: Any) -> Any:
        x = exponentials.log(y)
        of_last = (-x[..., -1])[..., None]
        x = x[..., :-1] + of_last
        if y.shape.ndims is not None:
            x.set_shape(y.shape[:-1].concatenate(y.shape[-1] - 1))
        return x

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -reductions.reduce_sum(exponentials.log(y), axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        normalization = activations.softplus(reductions.reduce_logsumexp(x, axis=-1, keepdims=True))
        rest = -normalization + reductions.reduce_sum(x - normalization, axis=-1, keepdims=True)
        return arrays.squeeze(rest, axis=-1)


class AffineScalar(Bijector):
    """``y = scale * x + shift``, number by number."""

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = "affine_scalar"
    ) -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        with self._name_scope("init", [scale, shift]):
            self._shift = None if shift is None else as_tensor(shift, name="shift")
            self._scale = None if scale is None else as_tensor(scale, name="scale")
            if self._scale is not None and validate_args:
                zero = constants.zeros([], dtype=self._scale.dtype)
                self._scale = with_dependencies([checks.assert_none_equal(self._scale, zero)], self._scale)
            super().__init__(
                forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name
            )

    @property
    def shift(self) -> Any:
        return self._shift

    @property
    def scale(self) -> Any:
        return self._scale

    def _forward(self, x: Any) -> Any:
        y = arrays.identity(x)
        if self.scale is not None:
            y *= self.scale
        if self.shift is not None:
            y += self.shift
        return y

    def _inverse(self, y: Any) -> Any:
        x = arrays.identity(y)
        if self.shift is not None:
            x -= self.shift
        if self.scale is not None:
            x /= self.scale
        return x

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self.scale is None:
            return constants.constant(0.0, dtype=x.dtype.base_dtype)
        return exponentials.log(rounding.abs_(self.scale))


class AbsoluteValue(Bijector):
    """``y = |x|``, of which two ``x`` have the same."""

    def __init__(self, validate_args: bool = False, name: str = "absolute_value") -> None:
        self._graph_parents = []
        self._name = name
        with self._name_scope("init"):
            super().__init__(
                forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name
            )

    @property
    def _is_injective(self) -> bool:
        return False

    def _forward(self, x: Any) -> Any:
        return rounding.abs_(x)

    def _inverse(self, y: Any) -> Any:
        if self.validate_args:
            y = with_dependencies([checks.assert_non_negative(y, message="Argument y was negative")], y)
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        zeros = constants.constant(0.0, dtype=y.dtype)
        if self.validate_args:
            zeros = with_dependencies([checks.assert_non_negative(y, message="Argument y was negative")], zeros)
        return zeros, zeros


class Invert(Bijector):
    """The inverse of another bijector."""

    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None) -> None:
        if not bijector._is_injective:
            raise NotImplementedError("Invert is not implemented for non-injective bijectors.")
        self._bijector = bijector
        super().__init__(
            graph_parents=bijector.graph_parents,
            forward_min_event_ndims=bijector.inverse_min_event_ndims,
            inverse_min_event_ndims=bijector.forward_min_event_ndims,
            is_constant_jacobian=bijector.is_constant_jacobian,
            validate_args=validate_args,
            dtype=bijector.dtype,
            name=name or f"invert_{bijector.name}",
        )

    @property
    def bijector(self) -> Bijector:
        return self._bijector

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self.bijector._inverse_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self.bijector._inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return self.bijector._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self.bijector._forward_event_shape_tensor(output_shape)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        return self.bijector._inverse(x, **kwargs)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        return self.bijector._forward(y, **kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self.bijector._forward_log_det_jacobian(y, **kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self.bijector._inverse_log_det_jacobian(x, **kwargs)


class Inline(Bijector):
    """A bijector of functions that are given."""

    def __init__(
        self,
        forward_fn: Callable[..., Any] | None = None,
        inverse_fn: Callable[..., Any] | None = None,
        inverse_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_event_shape_fn: Callable[..., Any] | None = None,
        forward_event_shape_tensor_fn: Callable[..., Any] | None = None,
        inverse_event_shape_fn: Callable[..., Any] | None = None,
        inverse_event_shape_tensor_fn: Callable[..., Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str = "inline",
    ) -> None:
        super().__init__(
            forward_min_event_ndims=forward_min_event_ndims,
            inverse_min_event_ndims=inverse_min_event_ndims,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )
        self._forward_fn = forward_fn
        self._inverse_fn = inverse_fn
        self._inverse_log_det_jacobian_fn = inverse_log_det_jacobian_fn
        self._forward_log_det_jacobian_fn = forward_log_det_jacobian_fn
        shapes = {
            "_forward_event_shape": forward_event_shape_fn,
            "_forward_event_shape_tensor": forward_event_shape_tensor_fn,
            "_inverse_event_shape": inverse_event_shape_fn,
            "_inverse_event_shape_tensor": inverse_event_shape_tensor_fn,
        }
        for method, function in shapes.items():
            if function is not None:
                setattr(self, method, function)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        if not callable(self._forward_fn):
            raise NotImplementedError("forward_fn is not a callable function.")
        return self._forward_fn(x, **kwargs)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        if not callable(self._inverse_fn):
            raise NotImplementedError("inverse_fn is not a callable function.")
        return self._inverse_fn(y, **kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        if not callable(self._inverse_log_det_jacobian_fn):
            raise NotImplementedError("inverse_log_det_jacobian_fn is not a callable function.")
        return self._inverse_log_det_jacobian_fn(y, **kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        if not callable(self._forward_log_det_jacobian_fn):
            raise NotImplementedError("forward_log_det_jacobian_fn is not a callable function.")
        return self._forward_log_det_jacobian_fn(x, **kwargs)


def _least_rank(bijectors: Sequence[Bijector], forward: bool) -> int:
    """The least rank of an event that the whole chain treats as one."""
    least = within = 0
    for b in reversed(bijectors) if forward else bijectors:
        before, after = b.forward_min_event_ndims, b.inverse_min_event_ndims
        if not forward:
            before, after = after, before
        least += max(0, before - within)
        within = max(before, within) - (before - after)
    return least


class Chain(Bijector):
    """One bijector after the other, the last of the list first."""

    def __init__(
        self, bijectors: Sequence[Bijector] | None = None, validate_args: bool = False, name: str | None = None
    ) -> None:
        self._bijectors = bijectors = bijectors if bijectors is not None else ()
        for b in bijectors:
            if not b._is_injective:
                raise NotImplementedError(f"Invert is not implemented for non-injective bijector ({b.name})")
        types = {b.dtype for b in bijectors} - {None}
        if len(types) > 1:
            raise ValueError(f"incompatible dtypes: {list({b.dtype for b in bijectors})}")
        super().__init__(
            graph_parents=list(itertools.chain.from_iterable(b.graph_parents for b in bijectors)),
            forward_min_event_ndims=_least_rank(bijectors, forward=True),
            inverse_min_event_ndims=_least_rank(bijectors, forward=False),
            is_constant_jacobian=all(b.is_constant_jacobian for b in bijectors),
            validate_args=validate_args,
            dtype=next(iter(types), None),
            name=name or ("_of_".join(["chain", *(b.name for b in bijectors)]) if bijectors else "identity"),
        )

    @property
    def bijectors(self) -> Sequence[Bijector]:
        return self._bijectors

    def _forward_event_shape(self, input_shape: Any) -> Any:
        for b in reversed(self.bijectors):
            input_shape = b.forward_event_shape(input_shape)
        return input_shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        for b in reversed(self.bijectors):
            input_shape = b.forward_event_shape_tensor(input_shape)
        return input_shape

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        for b in self.bijectors:
            output_shape = b.inverse_event_shape(output_shape)
        return output_shape

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        for b in self.bijectors:
            output_shape = b.inverse_event_shape_tensor(output_shape)
        return output_shape

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        for b in reversed(self.bijectors):
            x = b.forward(x, **kwargs.get(b.name, {}))
        return x

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        for b in self.bijectors:
            y = b.inverse(y, **kwargs.get(b.name, {}))
        return y

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self._summed("inverse", y, self.inverse_min_event_ndims, self.bijectors, kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self._summed("forward", x, self.forward_min_event_ndims, self.bijectors[::-1], kwargs)

    def _summed(self, way: str, x: Any, event_ndims: Any, bijectors: Sequence[Bijector], kwargs: Any) -> Any:
        """The sum of the log-determinants, each where its bijector is reached."""
        x = as_tensor(x, name="y" if way == "inverse" else "x")
        total = casts.cast(0.0, dtype=x.dtype.base_dtype)
        if not bijectors:
            return total

        def is_static() -> bool:
            return x.shape.is_fully_defined() and isinstance(event_ndims, int)

        if is_static():
            shape = x.shape[x.shape.ndims - event_ndims :]
        else:
            shape = arrays.shape(x)[arrays.rank(x) - event_ndims :]
        for b in bijectors:
            own = kwargs.get(b.name, {})
            total += getattr(b, f"{way}_log_det_jacobian")(x, event_ndims=event_ndims, **own)
            if is_static():
                shape = getattr(b, f"{way}_event_shape")(shape)
                event_ndims = shape.ndims
            else:
                shape = getattr(b, f"{way}_event_shape_tensor")(shape)
                event_ndims = arrays.size(shape)
                known = self._maybe_get_static_event_ndims(event_ndims)
                event_ndims = event_ndims if known is None else known
            x = getattr(b, way)(x, **own)
        return total
