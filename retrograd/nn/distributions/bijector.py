"""What all bijectors share: named methods, a memory of what maps to what, and sums over events."""

from __future__ import annotations

import abc
import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from retrograd.graph import dtypes, tensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.nn.distributions.vectors import maybe_get_static_value
from retrograd.ops import arrays, checks, constants, reductions, repeating, shape_checks


@dataclass
class _Pair:
    """An ``x`` and its ``y``, as far as they were asked for, and the log-determinants of dx/dy by rank of the event."""

    x: Any = None
    y: Any = None
    ildj: dict[Any, Any] = field(default_factory=dict)


def _key(value: Any, kwargs: dict[str, Any]) -> tuple[Any, ...]:
    return id(value), _hashable(tuple(sorted(kwargs.items())))


def _hashable(x: Any) -> Any:
    return tuple(map(_hashable, x)) if isinstance(x, list | tuple) else x


class Bijector(abc.ABC):
    """A differentiable map ``y = forward(x)`` with its inverse, and the logarithms of their Jacobians' determinants.

    A kind defines ``_forward``, ``_inverse`` and one of ``_forward_log_det_jacobian`` and
    ``_inverse_log_det_jacobian`` for events of the least rank that it treats; the public methods add up over events
    of more. What was computed once for a tensor is returned again.

    Raises:
      NotImplementedError: by a method, where the kind has no rule for it.
    """

    @abc.abstractmethod
    def __init__(
        self,
        graph_parents: list[Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        dtype: Any = None,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str | None = None,
    ) -> None:
        self._graph_parents = graph_parents or []
        if forward_min_event_ndims is None and inverse_min_event_ndims is None:
            raise ValueError("Must specify at least one of `forward_min_event_ndims` and `inverse_min_event_ndims`.")
        forward: Any = inverse_min_event_ndims if forward_min_event_ndims is None else forward_min_event_ndims
        inverse: Any = forward_min_event_ndims if inverse_min_event_ndims is None else inverse_min_event_ndims
        for which, ndims in (("forward", forward), ("inverse", inverse)):
            if not isinstance(ndims, int):
                raise TypeError(f"Expected {which}_min_event_ndims to be of type int, got {type(ndims).__name__}")
        for which, ndims in (("forward", forward), ("inverse", inverse)):
            if ndims < 0:
                raise ValueError(f"{which}_min_event_ndims must be a non-negative integer.")
        self._forward_min_event_ndims = forward
        self._inverse_min_event_ndims = inverse
        self._is_constant_jacobian = is_constant_jacobian
        self._constant_ildj_map: dict[Any, Any] = {}
        self._validate_args = validate_args
        self._dtype = dtype
        self._from_x: dict[Any, _Pair] = {}
        self._from_y: dict[Any, _Pair] = {}
        self._name = name or _snake_case(type(self).__name__.lstrip("_"))
        for i, t in enumerate(self._graph_parents):
            if t is None or not tensor.is_tensor(t):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {t}.")

    @property
    def graph_parents(self) -> list[Any]:
        return self._graph_parents

    @property
    def forward_min_event_ndims(self) -> int:
        """The least rank of an event that ``forward`` treats as one."""
        return self._forward_min_event_ndims

    @property
    def inverse_min_event_ndims(self) -> int:
        return self._inverse_min_event_ndims

    @property
    def is_constant_jacobian(self) -> bool:
        """Whether the map is affine."""
        return self._is_constant_jacobian

    @property
    def _is_injective(self) -> bool:
        return True

    @property
    def validate_args(self) -> bool:
        return self._validate_args

    @property
    def dtype(self) -> Any:
        """The dtype of what is mapped; None if any is."""
        return self._dtype

    @property
    def name(self) -> str:
        return self._name

    # -- shapes --------------------------------------------------------------------------------

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape

    def forward_event_shape_tensor(self, input_shape: Any, name: str = "forward_event_shape_tensor") -> Any:
        """The shape that an event of ``input_shape`` has afterwards, when it runs."""
        with self._name_scope(name, [input_shape]):
            return self._forward_event_shape_tensor(as_tensor(input_shape, dtype=dtypes.int32, name="input_shape"))

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return input_shape

    def forward_event_shape(self, input_shape: Any) -> Any:
        """The same, as far as it is known."""
        return self._forward_event_shape(TensorShape(input_shape))

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return output_shape

    def inverse_event_shape_tensor(self, output_shape: Any, name: str = "inverse_event_shape_tensor") -> Any:
        """The shape that an event of ``output_shape`` had before, when it runs."""
        with self._name_scope(name, [output_shape]):
            return self._inverse_event_shape_tensor(as_tensor(output_shape, dtype=dtypes.int32, name="output_shape"))

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return TensorShape(output_shape)

    def inverse_event_shape(self, output_shape: Any) -> Any:
        """The same, as far as it is known."""
        return self._inverse_event_shape(output_shape)

    # -- the map and its inverse ---------------------------------------------------------------

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError("forward not implemented.")

    def _call_forward(self, x: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [x]):
            x = self._converted(x, "x")
            if not self._is_injective:
                return self._forward(x, **kwargs)
            pair = self._pair(x, None, kwargs)
            if pair.y is None:
                self._remember(pair, x, self._forward(x, **kwargs), kwargs)
            return pair.y

    def forward(self, x: Any, name: str = "forward") -> Any:
        """The map of ``x``."""
        return self._call_forward(x, name)

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError("inverse not implemented")

    def _call_inverse(self, y: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            y = self._converted(y, "y")
            if not self._is_injective:
                return self._inverse(y, **kwargs)
            pair = self._pair(None, y, kwargs)
            if pair.x is None:
                self._remember(pair, self._inverse(y, **kwargs), y, kwargs)
            return pair.x

    def inverse(self, y: Any, name: str = "inverse") -> Any:
        """The ``x`` whose map is ``y``; all of them as a tuple, if there may be several."""
        return self._call_inverse(y, name)

    # -- determinants --------------------------------------------------------------------------

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        raise NotImplementedError("inverse_log_det_jacobian not implemented.")

    def _call_inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            if event_ndims in self._constant_ildj_map:
                return self._constant_ildj_map[event_ndims]
            y = self._converted(y, "y")
            least, least_before = self.inverse_min_event_ndims, self.forward_min_event_ndims
            with control_dependencies(self._checked_rank(least, event_ndims)):
                if not self._is_injective:
                    ildjs = self._inverse_log_det_jacobian(y, **kwargs)
                    return tuple(self._over_event(y, ildj, least, event_ndims) for ildj in ildjs)
                pair = self._pair(None, y, kwargs)
                if event_ndims in pair.ildj:
                    return pair.ildj[event_ndims]

                def by_rule() -> tuple[Any, Any]:
                    ildj = self._inverse_log_det_jacobian(y, **kwargs)
                    return None, self._over_event(y, ildj, least, event_ndims)

                def by_the_other() -> tuple[Any, Any]:
                    x = pair.x if pair.x is not None else self._inverse(y, **kwargs)
                    ildj = -self._forward_log_det_jacobian(x, **kwargs)
                    return x, self._over_event(x, ildj, least_before, event_ndims)

                x, ildj = _first_of(by_rule, by_the_other)
                self._remember(pair, x, y, kwargs)
                return self._remember_determinant(pair, event_ndims, ildj)

    def inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian") -> Any:
        """``log|det dx/dy|`` at ``y``, summed over events of rank ``event_ndims``."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        raise NotImplementedError("forward_log_det_jacobian not implemented.")

    def _call_forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        if not self._is_injective:
            raise NotImplementedError("forward_log_det_jacobian cannot be implemented for non-injective transforms.")
        least, least_after = self.forward_min_event_ndims, self.inverse_min_event_ndims
        with (
            self._name_scope(name, [x]),
            control_dependencies(self._checked_rank(least, event_ndims)),
        ):
            if event_ndims in self._constant_ildj_map:
                return -1.0 * self._constant_ildj_map[event_ndims]
            x = self._converted(x, "x")
            pair = self._pair(x, None, kwargs)
            if event_ndims in pair.ildj:
                return -pair.ildj[event_ndims]

            def by_rule() -> tuple[Any, Any]:
                ildj = -self._forward_log_det_jacobian(x, **kwargs)
                return None, self._over_event(x, ildj, least, event_ndims)

            def by_the_other() -> tuple[Any, Any]:
                y = pair.y if pair.y is not None else self._forward(x, **kwargs)
                ildj = self._inverse_log_det_jacobian(y, **kwargs)
                return y, self._over_event(y, ildj, least_after, event_ndims)

            y, ildj = _first_of(by_rule, by_the_other)
            self._remember(pair, x, y, kwargs)
            return -self._remember_determinant(pair, event_ndims, ildj)

    def forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian") -> Any:
        """``log|det dy/dx|`` at ``x``, summed over events of rank ``event_ndims``."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    # -- what the methods stand on -------------------------------------------------------------

    @contextlib.contextmanager
    def _name_scope(self, name: str | None = None, values: list[Any] | None = None) -> Iterator[str]:
        with name_scope(self.name), name_scope(name, values=[*(values or []), *self.graph_parents]) as scope:
            yield scope

    def _converted(self, x: Any, name: str) -> Any:
        x = as_tensor(x, name=name)
        if self.dtype is not None and self.dtype.base_dtype != x.dtype.base_dtype:
            raise TypeError(f"Input had dtype {self.dtype} but expected {x.dtype}.")
        return x

    def _pair(self, x: Any, y: Any, kwargs: dict[str, Any]) -> _Pair:
        """What is remembered of ``x`` or ``y``."""
        known = self._from_x.get(_key(x, kwargs)) if x is not None else self._from_y.get(_key(y, kwargs))
        return known or _Pair(x, y)

    def _remember(self, pair: _Pair, x: Any, y: Any, kwargs: dict[str, Any]) -> None:
        if x is not None:
            pair.x = x
        if y is not None:
            pair.y = y
        if pair.x is not None:
            self._from_x[_key(pair.x, kwargs)] = pair
        if pair.y is not None:
            self._from_y[_key(pair.y, kwargs)] = pair

    def _remember_determinant(self, pair: _Pair, event_ndims: Any, ildj: Any) -> Any:
        pair.ildj[event_ndims] = ildj
        if self.is_constant_jacobian:
            self._constant_ildj_map[event_ndims] = ildj
        return ildj

    def _over_event(self, y: Any, ildj: Any, min_event_ndims: int, event_ndims: Any) -> Any:
        """The sum of ``ildj`` over the axes by which an event has more than the least rank."""
        rank = arrays.rank(y)
        shape = arrays.shape(y)[rank - event_ndims : rank - min_event_ndims]
        ones = constants.ones(shape, ildj.dtype)
        total = reductions.reduce_sum(ones * ildj, axis=self._event_axes(min_event_ndims, event_ndims))
        ndims = self._maybe_get_static_event_ndims(event_ndims)
        static: Any
        if ndims is not None and y.shape.ndims is not None and ildj.shape.ndims is not None:
            static = y.shape[y.shape.ndims - ndims : y.shape.ndims - min_event_ndims]
            static = repeating.broadcast_static_shape(ildj.shape, static)
            total.set_shape(static[: static.ndims - (ndims - min_event_ndims)])
        return total

    def _event_axes(self, min_event_ndims: int, event_ndims: Any) -> Any:
        ndims = self._maybe_get_static_event_ndims(event_ndims)
        if ndims is not None:
            return [-i for i in range(1, ndims - min_event_ndims + 1)]
        return constants.range_(-(event_ndims - min_event_ndims), 0)

    def _checked_rank(self, min_event_ndims: int, event_ndims: Any) -> list[Any]:
        event_ndims = as_tensor(event_ndims, name="event_ndims")
        known, conditions = constant_value(event_ndims), []
        if not event_ndims.dtype.is_integer:
            raise ValueError(f"Expected integer dtype, got dtype {event_ndims.dtype}")
        if known is not None:
            if event_ndims.shape.ndims != 0:
                raise ValueError(f"Expected scalar event_ndims, got shape {event_ndims.shape}")
            if min_event_ndims > known:
                raise ValueError(f"event_ndims ({known}) must be larger than min_event_ndims ({min_event_ndims})")
        elif self.validate_args:
            conditions.append(checks.assert_greater_equal(event_ndims, min_event_ndims))
        if event_ndims.shape.is_fully_defined():
            if event_ndims.shape.ndims != 0:
                raise ValueError(f"Expected scalar shape, got ndims {event_ndims.shape.ndims}")
        elif self.validate_args:
            conditions.append(shape_checks.assert_rank(event_ndims, 0, message="Expected scalar."))
        return conditions

    def _maybe_get_static_event_ndims(self, event_ndims: Any) -> int | None:
        known = maybe_get_static_value(event_ndims)
        return None if known is None else int(known)


def _first_of(rule: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    try:
        return rule()
    except NotImplementedError as missing:
        try:
            return otherwise()
        except NotImplementedError:
            raise missing from None


def _snake_case(name: str) -> str:
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", name).lower()
