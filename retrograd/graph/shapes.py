"""Shapes of which all, some or nothing is known while a graph is built.

Shape rules compute on *raw* shapes: a tuple of sizes, ``None`` for an unknown size, and ``None``
instead of the tuple for an unknown rank.  ``TensorShape`` and ``Dimension`` are what programs see.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from math import prod
from typing import Any, TypeAlias

from retrograd.graph.dtypes import DType
from retrograd.graph.errors import explain

RawShape: TypeAlias = tuple[int | None, ...] | None


# Raw shapes


def raw(shape: Any) -> RawShape:
    """The raw form of anything that TensorFlow takes for a shape.

    >>> raw([None, 3]), raw(5), raw(None)
    ((None, 3), (5,), None)

    Raises:
      TypeError: this is no shape.
      ValueError: a size is negative or not whole.
    """
    if shape is None:
        return None
    if isinstance(shape, TensorShape):
        return shape._raw
    if isinstance(shape, (list, tuple)):
        return tuple([n if n is None or (type(n) is int and n >= 0) else _size(n) for n in shape])
    if isinstance(shape, (str, bytes)):
        raise TypeError(f"A string has ambiguous TensorShape, please wrap in a list or convert to an int: {shape!s}")
    if hasattr(shape, "dim") and hasattr(shape, "unknown_rank"):  # a TensorShapeProto
        return None if shape.unknown_rank else tuple([d.size if d.size >= 0 else None for d in shape.dim])
    try:
        sizes = iter(shape)
    except TypeError:
        return (_size(shape),)
    return tuple([_size(size) for size in sizes])


def _size(value: Any) -> int | None:
    """The size that ``value`` stands for: a whole number that is not negative, or None."""
    if value is None:
        return None
    if isinstance(value, Dimension):
        return value._value
    if isinstance(value, DType):
        raise TypeError(f"Cannot convert {value} to Dimension")
    size = int(value)
    if size != value and not isinstance(value, (str, bytes)):
        raise ValueError(f"Ambiguous dimension: {value}")
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    return size


class Unread(ValueError):
    """A shape rule refuses its inputs before it has read the value of any."""


def is_known(shape: RawShape) -> bool:
    """Whether the rank and every size are known."""
    return shape is not None and None not in shape


def element_count(shape: RawShape) -> int | None:
    """The product of the sizes; None unless all are known."""
    if shape is None or None in shape:
        return None
    return prod(shape)  # type: ignore[arg-type]


def shape_text(shape: RawShape) -> str:
    """The shape as TensorFlow's messages print it.

    >>> shape_text((2, None)), shape_text(()), shape_text(None)
    ('[2,?]', '[]', '?')
    """
    return "?" if shape is None else f"[{','.join(map(_size_text, shape))}]"


def _size_text(size: int | None) -> str:
    return "?" if size is None else str(size)


def compatible(a: RawShape, b: RawShape) -> bool:
    """Whether some shape fits both: wherever both know something, they agree."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(m is None or n is None or m == n for m, n in zip(a, b, strict=True))


def merge_dim(m: int | None, n: int | None) -> int | None:
    """The one size that ``m`` and ``n`` both describe.

    Raises:
      ValueError: both are known and differ.
    """
    if m is None:
        return n
    if n is not None and m != n:
        raise ValueError(f"Dimensions must be equal, but are {m} and {n}")
    return m


def merge(a: RawShape, b: RawShape) -> RawShape:
    """The one shape that ``a`` and ``b`` both describe.

    >>> merge((None, 3), (2, None))
    (2, 3)

    Raises:
      ValueError: they contradict each other.
    """
    if b is None or a == b:
        return a
    if a is None:
        return b
    if len(a) != len(b):
        raise ValueError(f"Shapes must be equal rank, but are {len(a)} and {len(b)}")
    for axis, (m, n) in enumerate(zip(a, b, strict=True)):
        if m is not None and n is not None and m != n:
            raise ValueError(
                f"Dimension {axis} in both shapes must be equal, but are {m} and {n}. "
                f"Shapes are {shape_text(a)} and {shape_text(b)}."
            )
    return tuple([n if m is None else m for m, n in zip(a, b, strict=True)])


def broadcast(a: RawShape, b: RawShape) -> RawShape:
    """The shape of ``x + y`` for ``x`` of shape ``a`` and ``y`` of shape ``b``, as NumPy broadcasts.

    >>> broadcast((None, 3), (2, 1, 3)), broadcast((None,), (4,))
    ((2, None, 3), (4,))

    Raises:
      ValueError: two known sizes differ and neither is 1.
    """
    if a is None or b is None:
        return None
    if a == b:
        return a
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    return tuple([_broadcast_dim(m, n) for m, n in zip(a, b, strict=True)])


def _broadcast_dim(m: int | None, n: int | None) -> int | None:
    """A size of 1 gives way; an unknown size gives way only to one that cannot (2 or more)."""
    if m == 1 or m == n:
        return n
    if n == 1:
        return m
    if m is None or n is None:
        return m or n or None
    raise ValueError(f"Dimensions must be equal, but are {m} and {n}")


# Dimension


def _arithmetic(compute: Callable[[int, int], int], *, swapped: bool = False, strict: bool = False) -> Any:
    """An operator on sizes: unknown if either is.

    ``strict`` ones raise what is wrong with an operand that is no size; others leave it to Python.
    """

    def method(self: Dimension, other: Any) -> Any:
        m, n = self._value, _size(other) if strict else _operand(other)
        if n is NotImplemented:
            return NotImplemented
        if m is None or n is None:
            return Dimension(None)
        return Dimension(compute(n, m) if swapped else compute(m, n))

    return method


def _comparison(compare: Callable[[int, int], bool], *, strict: bool = True) -> Any:
    """A comparison of sizes: None if either is unknown."""

    def method(self: Dimension, other: Any) -> Any:
        m, n = self._value, _size(other) if strict else _operand(other)
        if n is NotImplemented:
            return NotImplemented
        return None if m is None or n is None else compare(m, n)

    return method


def _operand(value: Any) -> Any:
    """The size that ``value`` stands for, or ``NotImplemented``."""
    try:
        return _size(value)
    except (TypeError, ValueError):
        return NotImplemented


class Dimension:
    """One size of a shape: a whole number, or unknown.

    >>> Dimension(3) * 2, Dimension(None) + 1
    (Dimension(6), Dimension(None))

    Like TensorFlow's, it cannot be hashed, and a comparison with an unknown size is None.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = _size(value)

    @property
    def value(self) -> int | None:
        """The size, or None."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Whether the two are equal as far as they are known."""
        m, n = self._value, _size(other)
        return m is None or n is None or m == n

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ``ValueError`` unless ``is_compatible_with(other)``."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """What the two know together.

        Raises:
          ValueError: they contradict each other.
        """
        self.assert_is_compatible_with(other)
        return Dimension(_size(other) if self._value is None else self._value)

    __add__ = _arithmetic(operator.add)
    __radd__ = _arithmetic(operator.add)
    __sub__ = _arithmetic(operator.sub)
    __rsub__ = _arithmetic(operator.sub, swapped=True, strict=True)
    __mul__ = _arithmetic(operator.mul)
    __rmul__ = _arithmetic(operator.mul)
    __floordiv__ = _arithmetic(operator.floordiv)
    __rfloordiv__ = _arithmetic(operator.floordiv, swapped=True, strict=True)
    __mod__ = _arithmetic(operator.mod, strict=True)
    __rmod__ = _arithmetic(operator.mod, swapped=True, strict=True)
    __eq__ = _comparison(operator.eq, strict=False)
    __ne__ = _comparison(operator.ne, strict=False)
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)

    def __truediv__(self, other: Any) -> Any:
        raise TypeError(_no_quotient(self, other))

    def __rtruediv__(self, other: Any) -> Any:
        raise TypeError(_no_quotient(other, self))

    def __int__(self) -> int:
        return self._known("__int__")

    def __index__(self) -> int:
        return self._known("__index__")

    def _known(self, asked_by: str) -> int:
        if self._value is None:
            raise TypeError(
                explain(
                    f"{asked_by} returned non-int (type NoneType)",
                    why="this dimension is unknown while the graph is built",
                    fix="tf.shape(x)[i]  # its size when the graph runs",
                )
            )
        return self._value

    def __str__(self) -> str:
        return _size_text(self._value)

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __reduce__(self) -> tuple[type[Dimension], tuple[int | None]]:
        return Dimension, (self._value,)


def _no_quotient(left: Any, right: Any) -> str:
    kinds = f"'{type(left).__name__}' and '{type(right).__name__}'"
    return f"unsupported operand type(s) for /: {kinds}, please use // instead"


def as_dimension(value: Any) -> Dimension:
    """``value`` as a ``Dimension``."""
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_value(dimension: Any) -> Any:
    """The size of a ``Dimension``; anything else as it is."""
    return dimension._value if isinstance(dimension, Dimension) else dimension


# TensorShape


class TensorShape:
    """The shape of a tensor, as far as it is known.

    >>> shape = TensorShape([None, 3])
    >>> shape[1].value, shape.rank, shape.is_fully_defined(), str(shape)
    (3, 2, False, '(?, 3)')

    Two shapes are equal if they are known to be: one with an unknown size equals only itself.
    """

    __slots__ = ("__weakref__", "_raw")

    _raw: RawShape

    def __init__(self, dims: Any) -> None:
        self._raw = raw(dims)

    @classmethod
    def of_raw(cls, shape: RawShape) -> TensorShape:
        """The shape of these sizes, which are taken as they are."""
        self = cls.__new__(cls)
        self._raw = shape
        return self

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None."""
        return None if self._raw is None else len(self._raw)

    @property
    def ndims(self) -> int | None:
        """The same as ``rank``."""
        return self.rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions, or None if the rank is unknown."""
        return None if self._raw is None else [Dimension(size) for size in self._raw]

    _dims = dims

    @property
    def _v2_behavior(self) -> bool:
        return False

    def as_list(self) -> list[int | None]:
        """The sizes, None where unknown.

        Raises:
          ValueError: the rank is unknown.
        """
        if self._raw is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._raw)

    def as_proto(self) -> Any:
        """A ``TensorShapeProto``; unknown sizes are -1."""
        from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto

        if self._raw is None:
            return TensorShapeProto(unknown_rank=True)
        return TensorShapeProto(dim=[TensorShapeProto.Dim(size=-1 if size is None else size) for size in self._raw])

    def num_elements(self) -> int | None:
        """The product of the sizes; None unless all are known."""
        return element_count(self._raw)

    def is_fully_defined(self) -> bool:
        """Whether the rank and every size are known."""
        return is_known(self._raw)

    def assert_is_fully_defined(self) -> None:
        """Raise ``ValueError`` unless ``is_fully_defined()``."""
        if not is_known(self._raw):
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some shape fits both."""
        return compatible(self._raw, raw(other))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ``ValueError`` unless ``is_compatible_with(other)``."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """What the two know together.

        Raises:
          ValueError: they contradict each other.
        """
        other = as_shape(other)
        if not compatible(self._raw, other._raw):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        return TensorShape.of_raw(merge(self._raw, other._raw))

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """What the two agree on: sizes that differ become unknown, and so does the rank."""
        a, b = self._raw, raw(other)
        if a is None or b is None or len(a) != len(b):
            return unknown_shape()
        return TensorShape.of_raw(tuple([m if m == n else None for m, n in zip(a, b, strict=True)]))

    def concatenate(self, other: Any) -> TensorShape:
        """These dimensions followed by those of ``other``; unknown if either rank is."""
        a, b = self._raw, raw(other)
        return TensorShape.of_raw(None if a is None or b is None else a + b)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def __concat__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def assert_same_rank(self, other: Any) -> None:
        """Raise ``ValueError`` if both ranks are known and differ."""
        other = as_shape(other)
        if None not in (self.rank, other.rank) and self.rank != other.rank:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        """Raise ``ValueError`` if the rank is known and another."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def with_rank(self, rank: int) -> TensorShape:
        """This shape; if its rank is unknown, one of ``rank`` unknown sizes.

        Raises:
          ValueError: the rank is another.
        """
        self.assert_has_rank(rank)
        return unknown_shape(rank) if self._raw is None else self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape.

        Raises:
          ValueError: the rank is known and lower.
        """
        if self._raw is not None and len(self._raw) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape.

        Raises:
          ValueError: the rank is known and higher.
        """
        if self._raw is not None and len(self._raw) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def __getitem__(self, key: Any) -> Any:
        """The ``Dimension`` at an index, or the ``TensorShape`` of a slice.

        Raises:
          IndexError: there is no such dimension.
          ValueError: a slice with a step, of a shape of unknown rank.
        """
        if isinstance(key, slice):
            return self._slice(key) if self._raw is None else TensorShape.of_raw(self._raw[key])
        # A list, for the words of its IndexError: programs that catch it have seen no others.
        return Dimension(None if self._raw is None else list(self._raw)[key])

    def _slice(self, key: slice) -> TensorShape:
        """A slice of a shape of unknown rank: only its length can be known, from two ends >= 0."""
        start, stop = key.start or 0, key.stop
        if key.step is not None:
            raise ValueError("Steps are not yet handled")
        if stop is None or start < 0 or stop < 0:
            return unknown_shape()
        return unknown_shape(max(stop - start, 0))

    def __len__(self) -> int:
        if self._raw is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._raw)

    def __iter__(self) -> Iterator[Dimension]:
        if self._raw is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return map(Dimension, self._raw)

    def __bool__(self) -> bool:
        """Whether the rank is known."""
        return self._raw is not None

    def __eq__(self, other: object) -> bool:
        try:
            b = raw(other)
        except TypeError:
            return NotImplemented
        a = self._raw
        return self is other or a is b is None or (is_known(a) and a == b)

    def __ne__(self, other: object) -> bool:
        try:
            b = raw(other)
        except TypeError:
            return NotImplemented
        if self._raw is None or b is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not self == other

    def __str__(self) -> str:
        if self._raw is None:
            return "<unknown>"
        comma = "," if len(self._raw) == 1 else ""
        return f"({', '.join(map(_size_text, self._raw))}{comma})"

    def __repr__(self) -> str:
        return f"TensorShape({self.dims})"

    def __reduce__(self) -> tuple[type[TensorShape], tuple[list[int | None] | None]]:
        return TensorShape, (None if self._raw is None else list(self._raw),)


def as_shape(shape: Any) -> TensorShape:
    """``shape`` as a ``TensorShape``."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(rank: int | None = None, **kwargs: Any) -> TensorShape:
    """A shape of ``rank`` unknown sizes (``ndims`` is another name for it), or of unknown rank.

    Raises:
      TypeError: another keyword is given.
    """
    if rank is None:
        rank = kwargs.pop("ndims", None)
    if kwargs:
        raise TypeError(f"Unknown argument: {kwargs}")
    return TensorShape.of_raw(None if rank is None else (None,) * rank)


def scalar() -> TensorShape:
    """The shape of a single number."""
    return TensorShape.of_raw(())


def vector(length: Any) -> TensorShape:
    """The shape of a vector; ``length`` may be None."""
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    """The shape of a matrix; both sizes may be None."""
    return TensorShape([rows, cols])


def dimension_at_index(shape: TensorShape, index: int) -> Dimension:
    """``shape[index]``; unknown if the rank is."""
    dimension: Dimension = shape[index]
    return dimension
