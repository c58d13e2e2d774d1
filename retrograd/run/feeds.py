"""Checking and converting what a run is fed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from retrograd.graph import nest, shapes
from retrograd.graph.dtypes import string
from retrograd.graph.errors import keep_notes, taught
from retrograd.graph.graph import Graph
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import bytes_of, run_as
from retrograd.ops.session_tensors import TensorHandle
from retrograd.run.conversions import conversion_of


def flat_feeds(graph: Graph, feed_dict: Any) -> dict[Tensor, Any]:
    """The tensors of ``graph`` that a ``feed_dict`` names, with the value of each.

    Raises:
      TypeError: a key is nothing that can be fed.
      ValueError: a tuple of keys and its value are not nested alike.
    """
    flat: dict[Tensor, Any] = {}
    for key, value in nest.flatten_dict_items(feed_dict).items():
        for part, part_value in _parts(key, value):
            flat[_fed_tensor(graph, part, "feed_dict")] = part_value
    return flat


def listed_feeds(graph: Graph, feeds: Any) -> list[Tensor]:
    """The tensors of ``graph`` that a list of feeds names."""
    tensors = []
    for key in feeds:
        conversion = conversion_of(key)
        parts = [key] if conversion is None else _of(key, conversion.feed_keys, "feed_function_for_partial_run")(key)
        tensors += [_fed_tensor(graph, part, "feed_list") for part in parts]
    return tensors


def _fed_tensor(graph: Graph, key: Any, where: str) -> Tensor:
    if type(key) is Tensor and key.graph is graph and graph.is_feedable(key):
        return key
    try:
        tensor: Tensor = graph.as_graph_element(key, allow_tensor=True, allow_operation=False)
    except Exception as error:
        wrong = TypeError(f"Cannot interpret {where} key as Tensor: {error.args[0]}")
        if hasattr(error, "__notes__"):
            raise keep_notes(wrong, error) from None
        raise taught(wrong, fix="feed_dict={x: ...}, x being what tf.placeholder gave") from None
    if not graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor} may not be fed.")
    return tensor


def _parts(key: Any, value: Any) -> Any:
    conversion = conversion_of(key)
    return [(key, value)] if conversion is None else _of(key, conversion.feed, "feed_function")(key, value)


def _of(key: Any, function: Callable[..., Any] | None, name: str) -> Callable[..., Any]:
    if function is None:
        raise taught(
            TypeError(f"A {type(key).__name__} cannot be fed: its type was registered without a {name}."),
            fix=f"register_session_run_conversion_functions({type(key).__name__}, ..., {name}=...)",
        )
    return function


_FLOATS = frozenset((float, np.float32, np.float64))


def feed_array(tensor: Tensor, value: Any) -> Any:
    """``value`` as an array for ``tensor``: perhaps the user's own, see ``not_to_be_changed``.

    Raises:
      TypeError: ``value`` is a symbolic tensor, or an integer too large for the dtype.
      ValueError: its shape or its elements do not suit the tensor.
    """
    dtype = tensor.dtype.np
    if type(value) is np.ndarray and value.dtype == dtype and _suits(value.shape, tensor.dims):
        return _strings(value) if dtype.kind == "O" else value
    if type(value) in _FLOATS and tensor.dtype.np.kind == "f" and not tensor.dims:
        return np.asarray(value, dtype)
    if isinstance(value, Tensor):
        raise taught(
            TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, "
                "strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was "
                f"{value} which was passed to the feed with key {tensor}."
            ),
            fix="feed_dict={...: sess.run(the_tensor)}",
        )
    if isinstance(value, TensorHandle) and tensor.dtype.base_dtype != string:
        value = value.eval()
    if isinstance(value, int):
        _check_fits(tensor, value, dtype)
    if tensor.dtype.is_quantized and isinstance(value, np.ndarray):
        value = run_as(value)
    try:
        array = np.asarray(value, dtype=dtype)
    except (ValueError, TypeError) as error:
        raise taught(
            type(error)(str(error)),
            why=f"the value fed for {tensor.name} ({tensor.dtype.name}) is {_described(value)}",
            where=tensor.op.place,
            fix=_PADDED if "sequence" in str(error) else None,
        ) from None
    if array.dtype.kind == "O":
        array = _strings(array)
    if not shapes.compatible(tensor.dims, array.shape):
        raise taught(
            ValueError(
                f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, "
                f"which has shape {str(tensor.shape)!r}"
            ),
            why=_NOTHING if value is None else f"{tensor.op.name} was declared with shape {tensor.shape}",
            where=tensor.op.place,
            fix="look at what gives the value" if value is None else _shape_hint(tensor, value, array),
        )
    return array


_NOTHING = "the value is None; a function without a return statement gives that"
_PADDED = "rows of one length:  tf.keras.preprocessing.sequence.pad_sequences(value, padding='post')"


def _suits(shape: tuple[int, ...], dims: RawShape) -> bool:
    return dims is None or shape == dims or shapes.compatible(dims, shape)


def not_to_be_changed(array: Any) -> Any:
    """``array``, or a view of it, such that whoever keeps it makes a copy."""
    if type(array) is np.ndarray:
        array = array.view()
        array.flags.writeable = False
    return array


def _check_fits(tensor: Tensor, value: int, dtype: Any) -> None:
    if 0 <= value < 128 and dtype.kind in "iufc":
        return
    try:
        with np.errstate(over="ignore"):
            fits = dtype.kind != "O" and dtype.type(value).item() == value
    except OverflowError:
        fits = False
    if not fits:
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type "
            f"{tensor.dtype.as_numpy_dtype}. Try explicitly setting the type of the feed tensor "
            "to a larger type (e.g. int64)."
        )


def _strings(array: np.ndarray) -> np.ndarray:
    try:
        return bytes_of(array)
    except TypeError:
        return array


def _described(value: Any) -> str:
    return f"{type(value).__name__} {value!r:.60}"


def _shape_hint(tensor: Tensor, value: Any, array: np.ndarray) -> str:
    """What to type where an array of another shape is fed: what keeps the examples, each in its row."""
    dims, shape = tensor.dims or (), array.shape
    if 2 <= len(dims) == len(shape) < _MANY:
        for axes in itertools.permutations(range(len(shape))):
            keeps_examples = axes[0] == 0 or dims[0] is not None
            if keeps_examples and shapes.compatible(dims, tuple(shape[i] for i in axes)):
                return f"np.transpose(value, {list(axes)})"
    wanted = [-1 if n is None else n for n in dims]
    known = prod(n for n in dims if n is not None)
    if wanted.count(-1) <= 1 and known and array.size % known == 0:
        rows = array.size // known
        if rows == 1 or (wanted[:1] == [-1] and shape[:1] == (rows,)):
            return f"np.reshape(value, {wanted})"
    if len(dims) == 2 and dims[1] and len(shape) == 1 and _are_classes(value, dims[1]):
        return f"np.eye({dims[1]})[value], if these are numbers of classes"
    return f"feed a value of shape {tensor.shape}, or declare the placeholder with shape {list(shape)}"


_MANY = 6  # axes: there are too many ways to order them


def _are_classes(value: Any, count: int) -> bool:
    array = np.asarray(value)
    return array.dtype.kind in "iu" and array.size > 0 and array.min() >= 0 and array.max() < count
