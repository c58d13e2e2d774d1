"""NumPy arrays of Python values, with TensorFlow's choice of dtype."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import taught
from retrograd.graph.shapes import Dimension
from retrograd.graph.tensor import TensorLike

_HALF = 1 << 31
_NO_ARRAYS = (TensorLike, type)


def array_of(values: Any, dtype: DType | None = None, shape: Any = None, verify_shape: bool = False) -> np.ndarray:
    """``values`` as an array: Python floats are float32, Python integers int32 if they fit.

    A NumPy array, or what gives one, keeps its dtype, or is cast to ``dtype``.  With ``shape``, missing elements
    repeat the last one.

    Raises:
      TypeError: a value is not of ``dtype``, or with ``verify_shape`` the shape differs.
      ValueError: a value is None, the values are ragged, or there are too many of them.
    """
    kind = type(values)
    if kind is float and shape is None and (dtype is None or dtype is dtypes.float32):
        return np.array(values, np.float32)
    if kind is int and shape is None and dtype is None and -_HALF <= values < _HALF:
        return np.array(values, np.int32)
    if not isinstance(values, _NO_ARRAYS) and callable(getattr(values, "__array__", None)):
        array = np.asarray(values if isinstance(values, np.ndarray) else values.__array__())  # no matrix: its * differs
        array = _array_of_array(array, dtype)
    else:
        array = _array_of_python(values, dtype)
    try:
        found = as_dtype(array.dtype)
    except TypeError:
        raise TypeError(f"Unrecognized data type: {array.dtype}") from None
    if dtype is not None and dtype.base_dtype != found and dtype.is_numpy_compatible and not dtype.is_quantized:
        raise TypeError(f"Incompatible types: {dtype} vs. {array.dtype}. Value is {values}")
    return array if shape is None else _filled(array, tuple(shape), verify_shape)


def _array_of_array(array: np.ndarray, dtype: DType | None) -> np.ndarray:
    """``array`` as NumPy casts it to ``dtype``.

    Raises:
      TypeError: numbers are to be strings, or what has no numbers.
      ValueError: a string is no number.
    """
    is_text = array.dtype.kind in "USO"
    if is_text and (dtype is None or dtype == dtypes.string):
        return bytes_of(array)
    if dtype is None:
        return array
    if dtype.base_dtype == dtypes.string and array.size:
        raise TypeError(f"Expected binary or unicode string, got {array.item(0)!r}")
    if not is_text and dtype.base_dtype in (dtypes.resource, dtypes.variant):
        raise TypeError(f"Incompatible types: {dtype} vs. {array.dtype}. Value is {array}")
    if dtype.base_dtype == dtypes.bool and array.dtype.kind in "US":
        numbers_read = [int(text) for text in array.ravel().tolist()]  # not whether they are empty
        array = np.reshape(np.array(numbers_read, np.int64), array.shape)
    return array.astype(written_as(dtype), copy=False)


def is_filled(array: np.ndarray) -> bool:
    """Whether one element stands for all of several, and takes no more memory than one."""
    return array.size > 1 and not any(array.strides)


def written_as(dtype: DType) -> np.dtype[Any]:
    """The NumPy dtype in which Python writes values: that of the runs, but quantized numbers are structured."""
    return dtype.as_numpy_dtype if dtype.is_quantized else dtype.np


def run_as(array: Any) -> Any:
    """A constant as runs see it: the integers of quantized numbers."""
    return array.view(array.dtype[0]) if array.dtype.names else array


def _array_of_python(values: Any, dtype: DType | None) -> np.ndarray:
    if values is None:
        raise taught(
            ValueError("None values not supported."),
            why="the value is None; so is a gradient by a variable that the loss does not depend on",
            fix="look at what gives it; of gradients:  [(g, v) for g, v in grads_and_vars if g is not None]",
        )
    if dtype is not None:
        _check_kind(values, dtype)
    try:
        array = np.array(values, dtype=None if dtype is None else written_as(dtype))
    except (NotImplementedError, ValueError, OverflowError) as error:
        if _has_none(values) or _has_tensor(values):
            raise _unconvertible(values) from None
        if isinstance(error, OverflowError) and dtype is not None:
            array = np.array(values)
            if array.dtype.kind in "iu":
                return array.astype(dtype.np)  # the low bits, as NumPy 1 took them
        if isinstance(values, list | tuple) and dtype is None:
            found, wanted = np.array(values, dtype=object).shape, _first_dimensions(values)
            if found != tuple(wanted):
                raise ValueError(
                    f"Argument must be a dense tensor: {values} - got shape {list(found)}, but wanted {wanted}."
                ) from None
            raise _unconvertible(values) from None
        if isinstance(values, list | tuple):
            raise ValueError("setting an array element with a sequence.") from None
        raise
    if array.dtype == object and _has_none(values):
        raise _unconvertible(values)
    if array.dtype.kind in "US":
        array = np.array(values, dtype=object)  # NumPy's own strings lose zero bytes at their end
    if array.dtype == object or (dtype == dtypes.string and not array.size):
        return bytes_of(array, values)
    if dtype is None and array.dtype == np.float64:
        return array.astype(np.float32)
    if dtype is None and array.dtype == np.int64:
        small = array.astype(np.int32)
        return small if np.array_equal(small, array) else array
    return array


def _unconvertible(values: Any) -> TypeError:
    if _has_tensor(values):
        return TypeError("List of Tensors when single Tensor expected")
    return TypeError(
        f"Failed to convert object of type {type(values)} to Tensor. Contents: {values}. "
        "Consider casting elements to a supported type."
    )


def refused_at_once(values: Any, dtype: DType | None, error: Exception) -> Exception:
    """The error for values of Python that make no tensor where ops run at once; ``error`` is that of a graph."""
    leaves = list(_leaves(values))
    if any(isinstance(x, TensorLike | np.ndarray) for x in leaves):
        return error
    strange = [x for x in leaves if not isinstance(x, _SCALARS)]
    if strange:
        kind = type(strange[0])
        return ValueError(f"Attempt to convert a value ({strange[0]!r}) with an unsupported type ({kind}) to a Tensor.")
    if _is_mixed(values):
        return ValueError("Can't convert Python sequence with mixed types to Tensor.")
    if isinstance(values, list | tuple) and np.array(values, dtype=object).shape != tuple(_first_dimensions(values)):
        return ValueError("Can't convert non-rectangular Python sequence to Tensor.")
    if any(isinstance(x, int) and not -(2**63) <= x < 2**63 for x in leaves):
        return ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
    if dtype is None:
        return error
    return TypeError(f"Cannot convert {values!r} to EagerTensor of dtype {dtype._c_name}")


_SCALARS = (numbers.Number, np.generic, str, bytes)


def _leaves(values: Any) -> Iterator[Any]:
    if isinstance(values, list | tuple):
        for item in values:
            yield from _leaves(item)
    else:
        yield values


def _is_mixed(values: Any) -> bool:
    """Whether numbers, texts, booleans and lists stand beside each other."""
    if not isinstance(values, list | tuple):
        return False
    kinds = {next((i for i, kind in enumerate(_KINDS_APART) if isinstance(x, kind)), -1) for x in values}
    return len(kinds) > 1 or any(map(_is_mixed, values))


_KINDS_APART = ((bool, np.bool_), (numbers.Number, np.number), (str, bytes), (list, tuple))


def _has_tensor(values: Any) -> bool:
    parts = values.values() if isinstance(values, dict) else values if isinstance(values, list | tuple) else ()
    return any(isinstance(v, TensorLike) or _has_tensor(v) for v in parts)


def _has_none(values: Any) -> bool:
    return values is None or (isinstance(values, list | tuple) and any(map(_has_none, values)))


def _first_dimensions(values: Any) -> list[int]:
    """The shape of nested lists, told by the first item of each."""
    if not isinstance(values, list | tuple):
        return []
    return [len(values), *(_first_dimensions(values[0]) if values else [])]


def in_array(value: Any) -> Any:
    """``value``, but a string as an array: NumPy gives that of one element without one."""
    return np.asarray(value, object) if type(value) is bytes else value


def bytes_of(array: np.ndarray, values: Any = None) -> np.ndarray:
    """An object array of ``bytes`` from one of any strings, which was made of ``values``; text is encoded as UTF-8.

    Raises:
      TypeError: an element is no string.
    """
    flat = [x.encode() if isinstance(x, str) else x for x in array.ravel().tolist()]
    if not all(isinstance(x, bytes) for x in flat):
        wrong = next(x for x in flat if not isinstance(x, bytes))
        raise _unconvertible(wrong if values is None else values)
    result = np.empty(len(flat), dtype=object)
    result[:] = flat
    return result.reshape(array.shape)


def _check_kind(values: Any, dtype: DType) -> None:
    kinds = _KINDS.get("quantized" if dtype.is_quantized else dtype.np.kind)
    if kinds is None or isinstance(values, kinds):
        return
    wrong = _first_mismatch(values, kinds)
    if wrong is not _FITS:
        raise TypeError(f"Expected {dtype.name}, got {wrong!r} of type '{type(wrong).__name__}' instead.")


_FITS = object()
_INTEGERS = (int, numbers.Integral, np.integer, Dimension)
_KINDS: dict[str, tuple[type, ...]] = {  # the usual types first, as to ask abstract ones takes long
    "f": (float, int, numbers.Real, np.integer, np.floating),
    "c": (numbers.Complex, np.number),
    "i": _INTEGERS,
    "u": _INTEGERS,
    "b": (bool, np.bool_),
    "O": (str, bytes),
    "quantized": (tuple,),
}


def _first_mismatch(values: Any, kinds: tuple[type, ...]) -> Any:
    if isinstance(values, list | tuple):
        for value in values:
            if not isinstance(value, kinds):
                wrong = _first_mismatch(value, kinds)
                if wrong is not _FITS:
                    return wrong
        return _FITS
    if isinstance(values, np.ndarray):
        return _FITS
    return _FITS if isinstance(values, kinds) else values


def _filled(array: np.ndarray, shape: tuple[int, ...], verify_shape: bool) -> np.ndarray:
    if array.shape == shape:
        return array
    if verify_shape:
        raise TypeError(f"Expected Tensor's shape: {shape}, got {array.shape}.")
    wanted = int(np.prod(shape, dtype=np.int64))
    if array.size > wanted > 0:
        raise ValueError(f"Too many elements provided. Needed at most {wanted}, but received {array.size}")
    if array.size == wanted or not wanted:
        return array.ravel()[:wanted].reshape(shape)
    if not array.size:  # nothing to repeat: zeros, as a message without values means them
        return np.full(shape, b"" if array.dtype == object else 0, array.dtype)
    if array.size == 1:  # kept as one element, as TensorFlow writes it in graphs
        return np.broadcast_to(array.reshape(()).copy(), shape)
    flat = np.full(wanted, array.ravel()[-1], dtype=array.dtype)
    flat[: array.size] = array.ravel()
    return flat.reshape(shape)
