"""Bijectors of single numbers and of vectors: ``tf.contrib.distributions.bijectors``.

Source: order of nodes from TensorFlow 1.15.5; ordered vectors as in Stan's reference manual.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value, constant_value_as_shape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.bijector import Bijector
from retrograd.ops import (
    arrays,
    casts,
    checks,
    comparison,
    constants,
    exponentials,
    indexing,
    joining,
    powers,
    reductions,
    rounding,
    scans,
)
from retrograd.ops.control import with_dependencies

_ABOVE_0 = "Inverse transformation input must be greater than 0."
_UP_TO_1 = "Inverse transformation input must be less than or equal to 1."


def _in_unit_interval(y: Any) -> Any:
    checked = [
        checks.assert_non_negative(y, message=_ABOVE_0),
        checks.assert_less_equal(y, constants.constant(1.0, y.dtype), message=_UP_TO_1),
    ]
    return with_dependencies(checked, y)


class Gumbel(Bijector):
    """``y = exp(-exp(-(x - loc) / scale))``: the distribution function of Gumbel."""

    def __init__(
        self, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool = False, name: str = "gumbel"
    ) -> None:  # fmt: skip
        self._graph_parents, self._name, self._validate_args = [], name, validate_args
        with self._name_scope("init", values=[loc, scale]):
            self._loc, self._scale = as_tensor(loc, name="loc"), as_tensor(scale, name="scale")
            checks.assert_same_float_dtype([self._loc, self._scale])
            if validate_args:
                message = "Argument scale was not positive"
                self._scale = with_dependencies([checks.assert_positive(self._scale, message=message)], self._scale)
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    @property
    def loc(self) -> Tensor:
        return self._loc

    @property
    def scale(self) -> Tensor:
        return self._scale

    def _valid_y(self, y: Any) -> Any:
        return _in_unit_interval(y) if self.validate_args else y

    def _forward(self, x: Any) -> Any:
        z = (x - self.loc) / self.scale
        return exponentials.exp(-exponentials.exp(-z))

    def _inverse(self, y: Any) -> Any:
        y = self._valid_y(y)
        return self.loc - self.scale * exponentials.log(-exponentials.log(y))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._valid_y(y)
        return exponentials.log(self.scale / (-exponentials.log(y) * y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        z = (x - self.loc) / self.scale
        return -z - exponentials.exp(-z) - exponentials.log(self.scale)


class Weibull(Bijector):
    """``y = 1 - exp(-(x / scale)^concentration)``: the distribution function of Weibull."""

    def __init__(
        self, scale: Any = 1.0, concentration: Any = 1.0, validate_args: bool = False, name: str = "weibull"
    ) -> None:  # fmt: skip
        self._graph_parents, self._name, self._validate_args = [], name, validate_args

        def positive(x: Tensor, word: str) -> Tensor:
            if not validate_args:
                return x
            message = f"Argument {word} was not positive"
            return with_dependencies([checks.assert_positive(x, message=message)], x)

        with self._name_scope("init", values=[scale, concentration]):
            self._scale = as_tensor(scale, name="scale")
            self._concentration = as_tensor(concentration, name="concentration")
            checks.assert_same_float_dtype([self._scale, self._concentration])
            self._scale = positive(self._scale, "scale")
            self._concentration = positive(self._concentration, "concentration")
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def scale(self) -> Tensor:
        return self._scale

    @property
    def concentration(self) -> Tensor:
        return self._concentration

    def _valid_x(self, x: Any) -> Any:
        if not self.validate_args:
            return x
        message = "Forward transformation input must be at least 0."
        return with_dependencies([checks.assert_non_negative(x, message=message)], x)

    def _valid_y(self, y: Any) -> Any:
        return _in_unit_interval(y) if self.validate_args else y

    def _forward(self, x: Any) -> Any:
        x = self._valid_x(x)
        return -exponentials.expm1(-((x / self.scale) ** self.concentration))

    def _inverse(self, y: Any) -> Any:
        y = self._valid_y(y)
        return self.scale * (-exponentials.log1p(-y)) ** (1 / self.concentration)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._valid_y(y)
        return (
            -exponentials.log1p(-y)
            + (1 / self.concentration - 1) * exponentials.log(-exponentials.log1p(-y))
            + exponentials.log(self.scale / self.concentration)
        )

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._valid_x(x)
        return (
            -((x / self.scale) ** self.concentration)
            + (self.concentration - 1) * exponentials.log(x)
            + exponentials.log(self.concentration)
            + -self.concentration * exponentials.log(self.scale)
        )


class Softsign(Bijector):
    """``y = x / (1 + |x|)``, between -1 and 1."""

    def __init__(self, validate_args: bool = False, name: str = "softsign") -> None:
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        return x / (1.0 + rounding.abs_(x))

    def _inverse(self, y: Any) -> Any:
        y = self._valid_y(y)
        return y / (1.0 - rounding.abs_(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -2.0 * exponentials.log1p(rounding.abs_(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._valid_y(y)
        return -2.0 * exponentials.log1p(-rounding.abs_(y))

    def _valid_y(self, y: Any) -> Any:
        if not self.validate_args:
            return y
        above, below = (
            "Inverse transformation input must be greater than -1.", "Inverse transformation input must be less than 1."
        )  # fmt: skip
        checked = [
            checks.assert_greater(y, casts.cast(-1.0, y.dtype.base_dtype), message=above),
            checks.assert_less(y, casts.cast(1.0, y.dtype.base_dtype), message=below),
        ]
        return with_dependencies(checked, y)


class Square(Bijector):
    """``y = x^2``, for numbers that are not negative."""

    def __init__(self, validate_args: bool = False, name: str = "square") -> None:
        self._name = name
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _valid(self, t: Any) -> Any:
        if not self.validate_args:
            return t
        message = "All elements must be non-negative."
        return with_dependencies([checks.assert_non_negative(t, message=message)], t)

    def _forward(self, x: Any) -> Any:
        return powers.square(self._valid(x))

    def _inverse(self, y: Any) -> Any:
        return powers.sqrt(self._valid(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return np.log(2.0) + exponentials.log(self._valid(x))


class Ordered(Bijector):
    """An increasing vector as its first element and the logarithms of its steps."""

    def __init__(self, validate_args: bool = False, name: str = "ordered") -> None:
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        if input_shape.ndims is None or input_shape[-1] is None:
            return input_shape
        return TensorShape([input_shape[-1]])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return (input_shape[-1])[..., None]

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        if output_shape.ndims is None or output_shape[-1] is None:
            return output_shape
        if output_shape[-1] <= 1:
            raise ValueError(f"output_shape[-1] = {output_shape[-1]} <= 1")
        return TensorShape([output_shape[-1]])

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        if self.validate_args:
            several = checks.assert_greater(output_shape[-1], 1, message="Need last dimension greater than 1.")
            output_shape = with_dependencies([several], output_shape)
        return (output_shape[-1])[..., None]

    def _valid_x(self, x: Any) -> Any:
        if not self.validate_args:
            return x
        message = "Forward transformation input must be strictly increasing."
        return with_dependencies([checks.assert_positive(x[..., 1:] - x[..., :-1], message=message)], x)

    def _forward(self, x: Any) -> Any:
        x = self._valid_x(x)
        first, steps = x[..., 0, None], exponentials.log(x[..., 1:] - x[..., :-1])
        return joining.concat([first, steps], axis=-1)

    def _inverse(self, y: Any) -> Any:
        first, steps = y[..., 0, None], exponentials.exp(y[..., 1:])
        return scans.cumsum(joining.concat([first, steps], axis=-1), axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return reductions.reduce_sum(y[..., 1:], axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._valid_x(x)
        return -reductions.reduce_sum(exponentials.log(x[..., 1:] - x[..., :-1]), axis=-1)


def _size(shape: Any) -> int | None:
    """The number of dimensions that a shape has, if it is known."""
    size: int | None = shape.shape.with_rank_at_least(1)[0].value
    return size


class Reshape(Bijector):
    """Events of one shape as events of another, with the same elements; one size of a shape may be -1."""

    def __init__(
        self, event_shape_out: Any, event_shape_in: Any = (-1,), validate_args: bool = False, name: str | None = None
    ) -> None:  # fmt: skip
        with name_scope(name, "reshape", values=[event_shape_out, event_shape_in]):
            self._event_shape_out = as_tensor(
                event_shape_out, name="event_shape_out", preferred_dtype=dtypes.int32
            )  # fmt: skip
            self._event_shape_in = as_tensor(event_shape_in, name="event_shape_in", preferred_dtype=dtypes.int32)
            shapes = self._event_shape_out, self._event_shape_in
            self._assertions = [check for shape in shapes for check in self._checked(shape, validate_args)]
            super().__init__(
                forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args,
                name=name or "reshape",
            )  # fmt: skip

    def _checked(self, shape: Any, validate_args: bool) -> list[Any]:
        if not shape.dtype.is_integer:
            raise TypeError(f"{shape} dtype ({shape.dtype.name}) should be `int`-like.")
        assertions: list[Any] = []
        rank = arrays.rank(shape)
        known = constant_value(rank)
        if known is not None and known > 1:
            raise ValueError(f"`{shape}` rank ({known}) should be <= 1.")
        if validate_args:
            assertions.append(checks.assert_less_equal(rank, 1, message=f"`{shape}` rank should be <= 1."))
        found = constant_value_as_shape(shape)
        if found.is_fully_defined():
            sizes = np.array(found.as_list(), np.int32)
            if (sizes == -1).sum() > 1:
                raise ValueError(f"`{shape}` must have at most one `-1` (given {sizes})")
            if np.any(sizes < -1):
                raise ValueError(f"`{shape}` elements must be either positive integers or `-1`(given {sizes}).")
        elif validate_args:
            open_sizes = reductions.reduce_sum(casts.cast(comparison.equal(shape, -1), dtypes.int32))
            one, whole = "elements must have at most one `-1`.", "elements must be either positive integers or `-1`."
            assertions += [
                checks.assert_less_equal(open_sizes, 1, message=f"`{shape}` {one}"),
                checks.assert_greater_equal(shape, -1, message=f"`{shape}` {whole}"),
            ]
        return assertions

    def _reshaped(self, x: Any, before: Any, after: Any) -> Tensor:
        known_size, size = _size(before), arrays.shape(before)[0]
        known_rank, rank = x.shape.ndims, arrays.rank(x)
        assertions = []
        event: Any = None
        if known_size is not None and known_rank is not None:
            tail = x.shape.with_rank_at_least(known_size)[known_rank - known_size :]
            event = np.int32(tail.as_list()) if tail.is_fully_defined() else None
        event_tensor = arrays.shape(x)[rank - size :] if event is None else event
        wanted = constant_value(before)
        if event is not None and wanted is not None:
            if not np.equal(event[wanted >= 0], wanted[wanted >= 0]).all():
                raise ValueError(f"Input `event_shape` does not match `event_shape_in` ({event} vs {wanted}).")
        elif self.validate_args:
            given = arrays.reshape(before >= 0, [-1])
            message = "Input `event_shape` does not match `event_shape_in`."
            found = indexing.boolean_mask(event_tensor, given)
            expected = indexing.boolean_mask(before, given)
            assertions.append(checks.assert_equal(found, expected, message=message))
        if assertions:
            x = with_dependencies(assertions, x)
        kept = arrays.shape(x)
        kept = kept[: (arrays.rank(x) if known_rank is None else known_rank) - rounding.abs_(size)]
        whole_event = known_size is not None and known_size == known_rank
        return arrays.reshape(x, after if whole_event else joining.concat([kept, after], axis=0))

    def _forward(self, x: Any) -> Any:
        with control_dependencies(self._assertions):
            return self._reshaped(x, self._event_shape_in, self._event_shape_out)

    def _inverse(self, y: Any) -> Any:
        with control_dependencies(self._assertions):
            return self._reshaped(y, self._event_shape_out, self._event_shape_in)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        with control_dependencies(self._assertions):
            return constants.constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        with control_dependencies(self._assertions):
            return constants.constant(0.0, dtype=x.dtype)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        with control_dependencies(self._assertions):
            return self.forward(constants.zeros(dtype=dtypes.float32, shape=input_shape)).shape

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        with control_dependencies(self._assertions):
            return self.inverse(constants.zeros(dtype=dtypes.float32, shape=output_shape)).shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        with control_dependencies(self._assertions):
            return arrays.shape(self.forward(constants.zeros(dtype=dtypes.float32, shape=input_shape)))

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        with control_dependencies(self._assertions):
            return arrays.shape(self.inverse(constants.zeros(dtype=dtypes.float32, shape=output_shape)))
