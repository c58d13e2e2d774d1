"""Samples, batches and events as axes of one tensor, regrouped for matrix products."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.vectors import pick_vector, rotate_transpose
from retrograd.ops import arrays, checks, comparison, constants, joining, shape_checks, slicing
from retrograd.ops.control import with_dependencies


def _are_known(*values: Any) -> bool:
    return all(constant_value(x) is not None for x in values)


class SampleAxes:
    """Of a tensor of shape ``sample_shape + batch_shape + event_shape``: how many axes the last two have."""

    def __init__(self, batch_ndims: Any, event_ndims: Any, validate_args: bool = False) -> None:
        self._name = "DistributionShape"
        self._validate_args = validate_args
        with name_scope(self._name), name_scope("init"):
            self._batch_ndims = self._checked(as_tensor(batch_ndims, name="batch_ndims"))
            self._batch_ndims_is_0 = self._is_zero(self._batch_ndims)
            self._event_ndims = self._checked(as_tensor(event_ndims, name="event_ndims"))
            self._event_ndims_is_0 = self._is_zero(self._event_ndims)

    def _checked(self, x: Tensor) -> Tensor:
        if x.dtype.base_dtype != dtypes.int32:
            raise TypeError(f"{x.name}.dtype={x.dtype} is not {dtypes.int32}")
        value = constant_value(x)
        if x.shape.ndims is not None and value is not None:
            if x.shape.ndims != 0:
                raise ValueError(f"{x.name}.ndims={x.shape.ndims} is not 0 (scalar)")
            if value < 0:
                raise ValueError(f"{x.name}.value={value} cannot be negative")
            return x
        if self._validate_args:
            x = with_dependencies([shape_checks.assert_rank(x, 0), checks.assert_non_negative(x)], x)
        return x

    def _is_zero(self, ndims: Tensor) -> Any:
        return constant_value(ndims) == 0 if _are_known(ndims) else comparison.equal(ndims, 0)

    @contextlib.contextmanager
    def _name_scope(self, name: str, values: list[Any]) -> Iterator[str]:
        inside = [*values, self._batch_ndims, self._event_ndims]
        with name_scope(self._name), name_scope(name, values=inside) as scope:
            yield scope

    def _sample_ndims(self, x: Tensor) -> Any:
        with self._name_scope("get_shape", [x]):
            with self._name_scope("get_shape", [x]):
                rank = x.shape.ndims
                ndims = (
                    arrays.rank(x, name="ndims") if rank is None else as_tensor(rank, dtype=dtypes.int32, name="ndims")
                )
            if _are_known(ndims, self._batch_ndims, self._event_ndims):
                batch, event = constant_value(self._batch_ndims), constant_value(self._event_ndims)
                number = constant_value(ndims) - batch - event
                if number < 0:
                    raise ValueError(f"expected batch_ndims({batch}) + event_ndims({event}) <= ndims({rank})")
                return as_tensor(number, name="sample_ndims")
            with name_scope("sample_ndims"):
                number = ndims - self._batch_ndims - self._event_ndims
                if self._validate_args:
                    number = with_dependencies([checks.assert_non_negative(number)], number)
            return number

    def _shapes(self, x: Tensor) -> tuple[Any, Any, Any]:
        """The shapes of samples, of the batch and of the event."""

        def part(starts: list[Any], size: Any, name: str) -> Any:
            starts = starts or [constants.zeros([], dtype=dtypes.int32, name="zero")]
            if x.shape.ndims is not None and _are_known(size, *starts):
                start = sum(constant_value(s) for s in starts)
                sizes = x.shape[int(start) : int(start + constant_value(size))].as_list()
                if None not in sizes:
                    return as_tensor(sizes, dtype=dtypes.int32, name=name)
            return slicing.slice_(arrays.shape(x), [sum(starts)], [size])

        with self._name_scope("get_shape", [x]):
            samples = self._sample_ndims(x)
            return (
                part([], samples, "sample_shape"),
                part([samples], self._batch_ndims, "batch_shape"),
                part([samples, self._batch_ndims], self._event_ndims, "event_shape"),
            )

    def make_batch_of_event_sample_matrices(self, x: Any, expand_batch_dim: bool = True) -> tuple[Any, Any]:
        """``x`` as matrices whose columns are samples, and the shape of the samples."""
        with self._name_scope("make_batch_of_event_sample_matrices", [x]):
            x = as_tensor(x, name="x")
            sample_shape, batch_shape, event_shape = self._shapes(x)
            event_shape = pick_vector(self._event_ndims_is_0, [1], event_shape)
            if expand_batch_dim:
                batch_shape = pick_vector(self._batch_ndims_is_0, [1], batch_shape)
            x = arrays.reshape(x, joining.concat([[-1], batch_shape, event_shape], 0))
            return rotate_transpose(x, shift=-1), sample_shape

    def undo_make_batch_of_event_sample_matrices(
        self, x: Any, sample_shape: Any, expand_batch_dim: bool = True
    ) -> Tensor:
        """Back again."""
        with self._name_scope("undo_make_batch_of_event_sample_matrices", [x, sample_shape]):
            x = as_tensor(x, name="x")
            sample_shape = as_tensor(sample_shape, name="sample_shape")
            x = rotate_transpose(x, shift=1)
            if _are_known(self._batch_ndims, self._event_ndims):
                ones = [-1] * bool(self._event_ndims_is_0) + [1] * bool(self._batch_ndims_is_0 and expand_batch_dim)
                if ones:
                    x = arrays.squeeze(x, axis=ones)
                _, batch_shape, event_shape = self._shapes(x)
            else:
                s = x.shape.as_list() if x.shape.is_fully_defined() else arrays.shape(x)
                batch_shape = s[1 : 1 + self._batch_ndims]
                expanded = comparison.logical_and(expand_batch_dim, self._batch_ndims_is_0)
                start = comparison.where_v2(expanded, 2, 1 + self._batch_ndims)
                event_shape = s[start : start + self._event_ndims]
            return arrays.reshape(x, joining.concat([sample_shape, batch_shape, event_shape], 0))
