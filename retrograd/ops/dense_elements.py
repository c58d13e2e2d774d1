"""What a ``TensorArray`` is while JAX traces: elements of one shape, in the rows of one array.

``DenseArray`` and ``DenseElements`` take the places of ``Array`` and ``Elements`` (``ops/elements.py``).  How many
elements there are is known while tracing, and so is their shape from the first write on.  An index may be traced:
that it is in range, and that nothing is written twice, is then required of the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import shapes
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import RawShape
from retrograd.ops.elements import element_shape_text, wrong
from retrograd.ops.requirements import require


class Composite:
    """A value that is made of arrays: its ``parts``.  Two of one kind differ in their arrays alone."""

    shape: tuple[int, ...] = ()

    def parts(self) -> list[Any]:
        """The values that it is made of."""
        raise NotImplementedError

    def with_parts(self, parts: Sequence[Any]) -> Any:
        """The same with other parts."""
        raise NotImplementedError

    def facts(self) -> tuple[Any, ...]:
        """What two values of one kind have in common, beside the kinds of their parts."""
        raise NotImplementedError


class Stepped:
    """What is known of a value of a loop's body in every iteration, with what it is in this one, traced."""

    def __init__(self, values: Sequence[Any], now: Any) -> None:
        self.values = values
        self.now = now


class Cleared:
    """Which elements of an array were read and are not to be read again: a place that ops change as they are traced."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def take(self, indices: Any) -> None:
        """Note that there is a read at ``indices``, which requires that it is the first."""
        from retrograd.ops.jax_start import jnp

        before = jnp.asarray(self.value)
        self.value = before.at[indices].set(True)
        if np.ndim(indices):  # which may name one element twice
            require(jnp.sum(self.value) == jnp.sum(before) + len(indices))
        else:
            require(~before[indices])


class DenseElements(Composite):
    """One version of what an array holds.

    Args:
      rows: the elements; None as long as their shape is not known, for nothing was written.
      written: which elements were written, known or traced; None if nobody asks.
      growing: whether a loop is at work that makes the array as long as this.
      added: the one element that is not zero, and its index; where others are added, only that is.
    """

    def __init__(
        self,
        length: int,
        order: int,
        rows: Any,
        written: Any,
        growing: bool = False,
        added: tuple[Any, Any] | None = None,
    ) -> None:
        self.length = length
        self.order = order
        self._rows = rows
        self.written = written
        self.growing = growing
        self.added = added

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written."""
        return self._rows is None and self.added is None

    @property
    def rows(self) -> Any:
        """The elements."""
        if self._rows is None and self.added is not None:
            from retrograd.ops.jax_start import jnp

            value, _ = self.added
            self._rows = self._added_to(jnp.zeros((self.length, *value.shape), value.dtype))
        return self._rows

    def _added_to(self, rows: Any) -> Any:
        """``rows`` with what is ``added``."""
        from retrograd.ops.jax_start import lax

        assert self.added is not None
        value, index = self.added
        return lax.dynamic_update_index_in_dim(
            rows, value + lax.dynamic_index_in_dim(rows, index, 0, keepdims=False), index, 0
        )

    def parts(self) -> list[Any]:
        return [self.rows, self.written]

    def with_parts(self, parts: Sequence[Any]) -> DenseElements:
        rows, written = parts
        return DenseElements(self.length, self.order, rows, written, self.growing)

    def facts(self) -> tuple[Any, ...]:
        return (self.length, self.order)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, DenseElements):
            return self
        if other.order != self.order:  # derivatives of derivatives are none of the elements
            return min(self, other, key=lambda e: e.order)
        if other.is_empty or self.is_empty:
            return self if other.is_empty else other
        one, two = self.long(max(self.length, other.length)), other.long(max(self.length, other.length))
        if two.added is None:
            one, two = two, one
        rows = one.rows + two.rows if two.added is None else two._added_to(one.rows)
        return DenseElements(one.length, self.order, rows, None)

    __radd__ = __add__

    def long(self, length: int) -> DenseElements:
        """At least ``length`` elements."""
        from retrograd.ops.jax_start import jnp

        more = length - self.length
        if more <= 0:
            return self
        if self.added is not None:
            return DenseElements(length, self.order, None, None, self.growing, self.added)
        rows = self.rows
        if rows is not None:
            rows = jnp.concatenate([rows, jnp.zeros((more, *rows.shape[1:]), rows.dtype)])
        written = self.written
        if written is not None:
            xp = np if isinstance(written, np.ndarray) else jnp
            written = xp.concatenate([written, np.zeros(more, bool)])
        return DenseElements(length, self.order, rows, written, self.growing)


class DenseArray:
    """What all versions of an array's elements have in common: the value of a handle."""

    def __init__(
        self, name: str, dtype: DType, length: int, element_shape: RawShape, dynamic: bool, identical: bool
    ) -> None:
        self.name = name
        self.dtype = dtype
        self.length = length
        self.declared = element_shape
        self.dynamic = dynamic
        self.identical = identical
        self.order = 0
        self.found: list[tuple[int, ...]] = []  # the shape of what was written
        self.before: tuple[int, ...] = ()  # dimensions before those of ``found``
        self.pieces: int | None = None  # into how many a tensor was split
        self.limit: Any = None  # how many of the elements there are, traced; None: all
        self.cleared: Cleared | None = None  # None: elements may be read again, or nobody asks
        self.path: tuple[tuple[str, tuple[int, ...]], ...] = ()  # which derivative it is of the one that was given
        self._derivatives: dict[tuple[int, ...], DenseArray] = {}

    @property
    def element_shape(self) -> RawShape:
        """What is known of the shape of an element."""
        if self.found:
            return (*self.before, *self.found[0])
        return None if self.declared is None else (*self.before, *self.declared)

    def derivative(self, source: str, before: tuple[int, ...] = (), is_shared: bool = False) -> DenseArray:
        """The array of gradients with respect to this array's elements, which have dimensions ``before`` theirs."""
        if is_shared:
            raise self.wrong("What others have written does not come with a flow.")
        array = self._derivatives.get(before)
        if array is None:
            array = DenseArray(f"{self.name}@{source}", self.dtype, self.length, self.declared, True, self.identical)
            array.order, array.found, array.before = self.order + 1, self.found, (*before, *self.before)
            array.limit, array.path = self.limit, (*self.path, (source, before))
            self._derivatives[before] = array
        array.length, array.pieces = max(array.length, self.length), self.pieces
        return array

    def elements(self, flow: Any) -> DenseElements:
        """The elements that a flow stands for: none if it is a number, or holds what this array is the gradient of."""
        if isinstance(flow, DenseElements) and flow.order >= self.order:
            return flow
        length = flow.length if isinstance(flow, DenseElements) else self.length
        return DenseElements(length, self.order, None, None if self.order else np.zeros(length, bool))

    # -- one element ---------------------------------------------------------------------------

    def written_at(self, flow: Any, index: Any, value: Any) -> DenseElements:
        """The elements with ``value`` at ``index``; in an array of gradients it is added to what is there."""
        from retrograd.ops.jax_start import jnp, lax

        value, now = jnp.asarray(value), _now(index)
        self._check_limit(now)
        elements = self.elements(flow)
        is_alone = self.order and elements.is_empty
        elements = self._reaching(self._made_for(elements, value.shape), index)
        if is_alone:
            added = value.astype(self.dtype.np), now
            return DenseElements(elements.length, self.order, None, None, elements.growing, added)
        written = elements.written
        if written is not None and not self.order:
            self._check_unwritten(jnp.asarray(written)[now] if _is_traced(now) else written[now])
            written = _marked(written, now)
        if self.order:
            value = value + lax.dynamic_index_in_dim(elements.rows, now, 0, keepdims=False)
        rows = lax.dynamic_update_index_in_dim(elements.rows, value, now, 0)
        return DenseElements(elements.length, self.order, rows, written, elements.growing)

    def read_at(self, flow: Any, index: Any) -> Any:
        """The element at ``index``; zeros where nothing was written."""
        from retrograd.ops.jax_start import jnp, lax

        elements = self.elements(flow)
        self._check_read(elements, _now(index))
        if elements.rows is None:
            return self._zeros(())
        if isinstance(index, Stepped) and self.dynamic:
            elements = elements.long(int(np.max(_every(index))) + 1)
        every = _now(index) if _is_traced(index) else np.asarray(_every(index))
        holds = (every >= 0) & (every < elements.length)
        if _is_traced(index) or not np.all(holds):  # perhaps in a branch that is not taken then
            now = jnp.asarray(_now(index))
            require((now >= 0) & (now < elements.length))
        return lax.dynamic_index_in_dim(elements.rows, _now(index), 0, keepdims=False)

    def _check_limit(self, indices: Any) -> None:
        """Let indices be below the number of elements, where that is not as many as there is room for."""
        if self.limit is not None and not self.order and not self.dynamic:
            require(indices < self.limit)

    def _check_read(self, elements: DenseElements, indices: Any) -> None:
        """Let there be elements at ``indices``, which were not read before, where they are not to be read again."""
        from retrograd.ops.jax_start import jnp

        self._check_limit(indices)
        is_sure = not self.dynamic and (self.identical or shapes.is_known(self.declared))
        if self.limit is not None and not self.order and not is_sure and elements.written is not None:
            require(jnp.asarray(elements.written)[indices])
        if self.cleared is not None:
            self.cleared.take(indices)

    def _reaching(self, elements: DenseElements, index: Any) -> DenseElements:
        """``elements``, grown if there is none at ``index`` yet."""
        if _is_traced(index):
            if not elements.length:
                raise self.wrong("It becomes longer in a loop of which the number of iterations follows from values.")
            require((index >= 0) & (index < elements.length))
            return elements
        last = int(np.max(_every(index)))
        if int(np.min(_every(index))) < 0 or (last >= elements.length and not self.dynamic):
            raise self.wrong(
                f"Tried to write to index {last} but array is not resizeable and size is: {elements.length}"
            )
        self.length = max(self.length, last + 1)
        return elements.long(last + 1)

    def _check_unwritten(self, written: Any) -> None:
        if _is_traced(written):
            require(~written)
        elif np.any(written):
            raise self.wrong("Could not write to TensorArray because it has already been written to.")

    def _made_for(self, elements: DenseElements, shape: tuple[int, ...]) -> DenseElements:
        """``elements`` with a place for an element of this shape."""
        from retrograd.ops.jax_start import jnp

        if not shapes.compatible(self.element_shape, shape):
            raise self.wrong(
                f"The value shape is {shapes.shape_text(shape)}, which is incompatible with the TensorArray's inferred "
                f"element shape: {element_shape_text(self.element_shape)}"
            )
        if not self.found and not self.before:
            self.found.append(shape)
        if elements.rows is not None:
            return elements
        rows = jnp.zeros((elements.length, *shape), self.dtype.np)
        return DenseElements(elements.length, self.order, rows, elements.written, elements.growing)

    def _zeros(self, before: tuple[int, ...]) -> Any:
        from retrograd.ops.jax_start import jnp

        shape = self.element_shape
        if shape is None or not shapes.is_known(shape):
            raise self.wrong("The element shape is not known: nothing was written yet.")
        return jnp.zeros((*before, *shape), self.dtype.np)

    # -- several -------------------------------------------------------------------------------

    def scattered(self, flow: Any, indices: Any, value: Any) -> DenseElements:
        """The elements with the rows of ``value`` at ``indices``."""
        from retrograd.ops.jax_start import jnp

        value, elements = jnp.asarray(value), self.elements(flow)
        self._check_limit(indices)
        fresh = elements.rows is None
        if _is_traced(indices):
            require((indices >= 0) & (indices < elements.length))
        elif not self.order and len(np.unique(indices)) < len(indices):
            raise self.wrong("Could not write to TensorArray twice.")
        elif len(indices):
            elements = self._reaching(elements, np.asarray(indices))
        elements = self._made_for(elements, value.shape[1:])
        written = elements.written
        if written is not None and not self.order and len(indices):
            self._check_unwritten(jnp.asarray(written)[indices] if _is_traced(indices) else written[indices])
            written = _marked(written, indices)
        if fresh and not _is_traced(indices) and np.array_equal(indices, np.arange(elements.length)):
            rows = value
        elif self.order:
            rows = elements.rows.at[indices].add(value)
        else:
            rows = elements.rows.at[indices].set(value)
        return DenseElements(elements.length, self.order, rows, written, elements.growing)

    def gathered(self, flow: Any, indices: Any) -> Any:
        """The elements at ``indices``, stacked."""
        elements = self.elements(flow)
        self._check_read(elements, indices)
        if elements.rows is None:
            return self._zeros((len(indices),))
        if _is_traced(indices):
            require((indices >= 0) & (indices < elements.length))
            return elements.rows[indices]
        if np.array_equal(indices, np.arange(elements.length)):
            return elements.rows
        if len(indices) and (np.min(indices) < 0 or np.max(indices) >= elements.length):
            raise wrong(f"Tried to read from index {np.max(indices)} but array size is: {elements.length}")
        return elements.rows[indices]

    def split(self, flow: Any, value: Any, lengths: Any) -> DenseElements:
        """The elements of which ``value`` is made: ``lengths`` rows each."""
        from retrograd.ops.jax_start import jnp

        value = jnp.asarray(value)
        if len(set(np.asarray(lengths).tolist())) != 1 or int(np.sum(lengths)) != value.shape[0]:
            raise self.wrong("The pieces are not of one length.")
        self.pieces = len(lengths)
        pieces = value.reshape((self.pieces, int(lengths[0]), *value.shape[1:]))
        return self.scattered(flow, np.arange(self.pieces), pieces)

    def joined(self, flow: Any) -> list[Any]:
        """All elements behind one another, and the length of each."""
        count = self.elements(flow).length
        if self.order and self.pieces is not None:
            count = self.pieces
        if not count:
            raise self.wrong("There is nothing to join.")
        rows = self.gathered(flow, np.arange(count))
        if rows.ndim < 2:
            raise self.wrong("Concat saw a scalar shape but requires at least vectors.")
        return [rows.reshape((-1, *rows.shape[2:])), np.full(count, rows.shape[1], np.int64)]

    def size(self, flow: Any) -> Any:
        """How many elements there are."""
        elements = self.elements(flow)
        if elements.growing:
            raise self.wrong("Its size changes in a loop.")
        return np.int32(elements.length)

    def check_open(self) -> None:
        """An array is not closed while there is a use for it."""

    def wrong(self, what: str) -> Exception:
        """The error of an op on this array."""
        return wrong(f"TensorArray {self.name}: {what}")


def _is_traced(value: Any) -> bool:
    return not isinstance(value, np.ndarray | np.generic | int | Stepped)


def _now(index: Any) -> Any:
    return index.now if isinstance(index, Stepped) else index


def _every(index: Any) -> Any:
    return index.values if isinstance(index, Stepped) else index


def _marked(written: Any, indices: Any) -> Any:
    if isinstance(written, np.ndarray) and not _is_traced(indices):
        written = written.copy()
        written[indices] = True
        return written
    from retrograd.ops.jax_start import jnp

    return jnp.asarray(written).at[indices].set(True)
