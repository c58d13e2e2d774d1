"""Accumulators of gradients: what several runs have computed becomes one mean, once there is enough of it.

A gradient counts if the step that it was computed in is not older than the accumulator's own; taking the mean makes
that one larger by 1.  At run time a handle is the accumulator's state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape, TensorShape, shape_text
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import casts, kinds
from retrograd.ops.queues import resource_of

# -- at run time -------------------------------------------------------------------------------


class Accumulator:
    """A sum of dense gradients, how many they are, and the step that counts."""

    def __init__(self, name: str, condition: Any, shape: RawShape, reduction_type: str) -> None:
        self.name, self.condition, self.shape = name, condition, shape
        self.is_mean = reduction_type == "MEAN"
        self.step = self.count = 0
        self.total: Any = None

    def check(self, shape: Any) -> None:
        """That gradients of a shape fit in.

        Raises:
          InvalidArgumentError: they do not.
        """
        if self.shape is not None and not TensorShape(self.shape).is_compatible_with(shape):
            text = f"Shape mismatch: expected {shape_text(self.shape)}, got {shape_text(tuple(shape))}"
            raise errors.InvalidArgumentError(None, None, text)

    def add(self, gradient: Any) -> None:
        """One more gradient."""
        self.check(gradient.shape)
        if self.total is not None and self.total.shape != gradient.shape:
            self.check_same(self.total.shape, gradient.shape)
        self.total = gradient if self.total is None else self.total + gradient

    @staticmethod
    def check_same(wanted: Any, got: Any) -> None:
        text = f"Shape mismatch: expected {shape_text(tuple(wanted))}, got {shape_text(tuple(got))}"
        raise errors.InvalidArgumentError(None, None, text)

    def taken(self) -> Any:
        """The mean, or the sum."""
        return (self.total / self.total.dtype.type(self.count)) if self.is_mean else self.total


class _Slices(NamedTuple):
    indices: Any
    values: Any
    counts: Any  # how many gradients there are for each index


class SparseAccumulator(Accumulator):
    """A sum of slices, each divided by the number of gradients that had it."""

    def add(self, gradient: Any) -> None:
        indices, values, shape = gradient
        _require(indices.ndim == 1, f"Input indices should be vector but received shape: {list(indices.shape)}")
        _require(values.ndim > 0, "Values cannot be 0-dimensional.")
        wanted, got = len(indices), len(values)
        _require(wanted == got, f"Expected {wanted} non-empty input values, got {got}")
        dims = self.shape or ()
        if shape is not None:
            given = shape.tolist()
            _require(len(dims) <= len(given), _mismatch(f"shape rank at least {len(dims)}", len(given)))
            _check_dims("shape", 0, dims, given)
        if dims and dims[0] is not None:
            for i, index in enumerate(indices.tolist()):
                text = f"index of slice {i} exceeded limits of shape; index is {index} exceeded {dims[0]}"
                _require(index < dims[0], f"Shape mismatch: {text}")
        if self.total is not None:
            held = self.total.values.shape
            _require(len(held) == values.ndim, _mismatch(f"values rank {len(held)}", values.ndim))
            _check_dims("values", 1, held, values.shape)
        else:
            _require(len(dims) <= values.ndim, _mismatch(f"values rank at least {len(dims)}", values.ndim))
            _check_dims("values", 1, dims, values.shape)
        self.total = _merged(self.total, _Slices(indices, values, np.ones(wanted, np.int64)))

    def taken(self) -> Any:
        indices, values, counts = self.total
        if self.is_mean:
            values = values / counts.astype(values.dtype).reshape(-1, *[1] * (values.ndim - 1))
        first = self.shape[0] if self.shape else None
        dims = [-1 if first is None else first, *values.shape[1:]]
        return [indices.astype(np.int64), values, np.array(dims, np.int64)]


def _require(holds: bool, text: str) -> None:
    if not holds:
        raise errors.InvalidArgumentError(None, None, text)


def _mismatch(wanted: str, got: int) -> str:
    return f"Shape mismatch: expected {wanted}, got {got}"


def _check_dims(word: str, first: int, wanted: Any, got: Any) -> None:
    for i in range(first, len(wanted)):
        if wanted[i] is not None:
            _require(wanted[i] == got[i], _mismatch(f"{word} dim {i} to be {wanted[i]}", got[i]))


def _merged(old: _Slices | None, new: _Slices) -> _Slices:
    """Each index once, with the sum of its values; the first slices stay as they are."""
    if old is None:
        return new
    found, places = np.unique(np.concatenate([old.indices, new.indices]), return_inverse=True)
    total = np.zeros((len(found), *new.values.shape[1:]), new.values.dtype)
    np.add.at(total, places, np.concatenate([old.values, new.values]))
    counts = np.zeros(len(found), np.int64)
    np.add.at(counts, places, np.concatenate([old.counts, new.counts]))
    return _Slices(found, total, counts)


def _maker(kind: type[Accumulator]) -> Callable[..., Any]:
    def kernel(xp: Any, memory: Any, *, shape: Any, container: Any, shared_name: Any, reduction_type: Any) -> Any:
        word = reduction_type.decode() if isinstance(reduction_type, bytes) else reduction_type
        dims = None if shape is None else TensorShape(shape)._raw
        return resource_of(
            memory, container, shared_name, lambda name: kind(name, memory.shared.condition(), dims, word)
        )

    return kernel


def _applied(accumulator: Any, local_step: Any, gradient: Any) -> list[Any]:
    """Add a gradient, unless it is stale."""
    with accumulator.condition:
        if int(local_step) >= accumulator.step:
            accumulator.add(gradient)
            accumulator.count += 1
            accumulator.condition.notify_all()
    return []


def _apply(xp: Any, memory: Any, accumulator: Any, local_step: Any, gradient: Any) -> list[Any]:
    return _applied(accumulator, local_step, np.asarray(gradient))


def _apply_sparse(
    xp: Any, memory: Any, accumulator: Any, local_step: Any, indices: Any, values: Any, shape: Any, *,
    has_known_shape: bool,
) -> list[Any]:  # fmt: skip
    return _applied(accumulator, local_step, (indices, values, shape if has_known_shape else None))


def _take(xp: Any, memory: Any, accumulator: Any, num_required: Any) -> Any:
    """Wait until there are enough gradients; what they make, and begin anew."""
    wanted = int(num_required)
    if wanted <= 0:
        text = f"Argument num_required must be positive, but is {wanted}"
        raise errors.InvalidArgumentError(None, None, text)
    while True:
        with accumulator.condition:
            if accumulator.count >= wanted:
                result = accumulator.taken()
                accumulator.total, accumulator.count = None, 0
                accumulator.step += 1
                return result
        memory.wait(accumulator.condition, lambda: accumulator.count >= wanted, "TakeGrad operation was cancelled")


def _set_step(xp: Any, memory: Any, accumulator: Any, step: Any) -> list[Any]:
    with accumulator.condition:
        accumulator.step = int(step)
    return []


# -- the ops -------------------------------------------------------------------------------------

_MADE = {"dtype": REQUIRED, "shape": REQUIRED, "container": "", "shared_name": "", "reduction_type": "MEAN"}
_SETTINGS: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}
_CHOICES = {"reduction_type": ("MEAN", "SUM")}
_NUMBERS = {"dtype": kinds.NUMERIC}

CONDITIONAL_ACCUMULATOR = define(
    "ConditionalAccumulator", "", "handle: ref string", attrs=_MADE, types=_NUMBERS, choices=_CHOICES,
    shape=lambda: (2,), kernel=_maker(Accumulator), **_SETTINGS,
)  # fmt: skip
RESOURCE_CONDITIONAL_ACCUMULATOR = define(
    "ResourceConditionalAccumulator", "", "handle: resource", attrs=_MADE, types=_NUMBERS, choices=_CHOICES,
    shape=lambda: (2,), kernel=_maker(Accumulator), **_SETTINGS,
)  # fmt: skip
SPARSE_CONDITIONAL_ACCUMULATOR = define(
    "SparseConditionalAccumulator", "", "handle: ref string", attrs=_MADE, types=_NUMBERS, choices=_CHOICES,
    shape=lambda: (2,), kernel=_maker(SparseAccumulator), **_SETTINGS,
)  # fmt: skip


def _with_both(
    name: str, inputs: str, outputs: str, shape: Any, kernel: Any, attrs: dict[str, Any] | None = None
) -> tuple[OpDef, OpDef]:
    """An op on an accumulator, by a reference and by a resource."""
    types = _NUMBERS if attrs else None
    ref = define(
        name, f"handle: ref string{inputs}", outputs, attrs=attrs, types=types, shape=shape, kernel=kernel, **_SETTINGS
    )
    resource = define(
        f"Resource{name}", f"handle: resource{inputs}", outputs, attrs=attrs, types=types, shape=shape,
        kernel=kernel, **_SETTINGS,
    )  # fmt: skip
    return ref, resource


APPLY_GRADIENT = _with_both(
    "AccumulatorApplyGradient", ", local_step: int64, gradient: dtype", "", lambda *_: [], _apply
)
TAKE_GRADIENT = _with_both(
    "AccumulatorTakeGradient", ", num_required: int32", "average: dtype", lambda *_: None, _take, {"dtype": REQUIRED}
)
NUM_ACCUMULATED = _with_both(
    "AccumulatorNumAccumulated", "", "num_accumulated: int32", lambda *_: (),
    lambda xp, memory, accumulator: np.int32(accumulator.count),
)  # fmt: skip
SET_GLOBAL_STEP = _with_both("AccumulatorSetGlobalStep", ", new_global_step: int64", "", lambda *_: [], _set_step)
SPARSE_APPLY_GRADIENT = define(
    "SparseAccumulatorApplyGradient",
    "handle: ref string, local_step: int64, gradient_indices: int64, gradient_values: dtype, gradient_shape: int64", "",
    attrs={"has_known_shape": REQUIRED}, types=_NUMBERS, shape=lambda *_: [], kernel=_apply_sparse, **_SETTINGS,
)  # fmt: skip
SPARSE_TAKE_GRADIENT = define(
    "SparseAccumulatorTakeGradient", "handle: ref string, num_required: int32",
    "indices: int64, values: dtype, shape: int64", attrs={"dtype": REQUIRED}, types=_NUMBERS,
    shape=lambda *_: [None, None, None], kernel=_take, **_SETTINGS,
)  # fmt: skip

# -- the classes -------------------------------------------------------------------------------


def _int64(x: Any) -> Tensor:
    return casts.cast(as_tensor(x), dtypes.int64)


class ConditionalAccumulatorBase:
    """What accumulators of both kinds can do."""

    def __init__(self, dtype: Any, shape: Any, accumulator_ref: Any) -> None:
        self._dtype = dtype
        self._shape = TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.split("/")[-1]
        self._by_resource = accumulator_ref.dtype.base_dtype == "resource"

    @property
    def accumulator_ref(self) -> Any:
        """The handle."""
        return self._accumulator_ref

    @property
    def name(self) -> str:
        """The last part of the name of the op that makes it."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of the gradients."""
        return self._dtype

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """How many gradients there are now."""
        name = name or f"{self._name}_NumAccumulated"
        found: Tensor = apply(NUM_ACCUMULATED[self._by_resource], self._accumulator_ref, name=name)
        return found

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Operation:
        """Gradients of earlier steps no longer count."""
        step = _int64(new_global_step)
        op: Operation = apply(SET_GLOBAL_STEP[self._by_resource], self._accumulator_ref, step, name=name)
        return op


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """An accumulator of tensors.

    Args:
      shape: the shape of the gradients; None is any.
      reduction_type: ``MEAN`` or ``SUM``.
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        ref = apply(
            RESOURCE_CONDITIONAL_ACCUMULATOR, dtype=dtypes.as_dtype(dtype), shape=TensorShape(shape),
            shared_name=shared_name or "", reduction_type=reduction_type, name=name,
        )  # fmt: skip
        super().__init__(dtype, shape, ref)

    def apply_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Operation:
        """Add a gradient, computed in ``local_step``.

        Raises:
          ValueError: it has another shape.
        """
        grad = as_tensor(grad, self._dtype)
        grad.shape.assert_is_compatible_with(self._shape)
        step = _int64(local_step)
        op: Operation = apply(APPLY_GRADIENT[self._by_resource], self._accumulator_ref, step, grad, name=name)
        return op

    def take_grad(self, num_required: Any, name: str | None = None) -> Tensor:
        """The mean, as soon as there are ``num_required`` gradients; begins anew."""
        out: Tensor = apply(
            TAKE_GRADIENT[self._by_resource], self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )
        out.set_shape(self._shape)
        return out


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """An accumulator of ``IndexedSlices``: each slice is the mean of the gradients that have it."""

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "sparse_conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        ref = apply(
            SPARSE_CONDITIONAL_ACCUMULATOR, dtype=dtypes.as_dtype(dtype), shape=TensorShape(shape),
            shared_name=shared_name or "", reduction_type=reduction_type, name=name,
        )  # fmt: skip
        super().__init__(dtype, shape, ref)

    def apply_indexed_slices_grad(self, grad: IndexedSlices, local_step: Any = 0, name: str | None = None) -> Operation:
        """Add a gradient, computed in ``local_step``."""
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(
        self, grad_indices: Any, grad_values: Any, grad_shape: Any = None, local_step: Any = 0, name: str | None = None
    ) -> Operation:
        """The same, in parts."""
        step = _int64(local_step)
        op: Operation = apply(
            SPARSE_APPLY_GRADIENT, self._accumulator_ref, step, casts.cast(grad_indices, dtypes.int64), grad_values,
            casts.cast([] if grad_shape is None else grad_shape, dtypes.int64),
            has_known_shape=grad_shape is not None, name=name,
        )  # fmt: skip
        return op

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """Indices, values and shape of the mean, as soon as there are ``num_required`` gradients; begins anew."""
        return _Taken(*apply(SPARSE_TAKE_GRADIENT, self._accumulator_ref, num_required, dtype=self._dtype, name=name))

    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """The same as ``IndexedSlices``."""
        taken = self.take_grad(num_required, name)
        return IndexedSlices(taken.values, taken.indices, taken.shape)


class _Taken(NamedTuple):
    """A mean of slices."""

    indices: Tensor
    values: Tensor
    shape: Tensor
