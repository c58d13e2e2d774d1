"""Turning Python values into tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph import stack
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.operation import Operation
from retrograd.graph.sparse import IndexedSlices, SparseTensor, SparseTensorValue
from retrograd.graph.tensor import Tensor, TensorLike

Conversion = Callable[..., Any]  # (value, dtype=, name=, as_ref=) -> Tensor, or NotImplemented

_CONVERSIONS: list[tuple[int, int, tuple[type, ...], Conversion]] = []
_BY_TYPE: dict[type, list[tuple[tuple[type, ...], Conversion]]] = {}


def register_tensor_conversion_function(base_type: Any, conversion_func: Conversion, priority: int = 100) -> None:
    """Convert values of ``base_type`` by ``conversion_func(value, dtype=, name=, as_ref=)``.

    Functions are asked in the order of ``priority``, then of registration; one that returns
    ``NotImplemented`` passes the value on.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(t, type) for t in types):
        raise TypeError("base_type must be a type or a tuple of types.")
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _CONVERSIONS.append((priority, len(_CONVERSIONS), types, conversion_func))
    _CONVERSIONS.sort(key=lambda row: row[:2])
    _BY_TYPE.clear()


def _conversions_of(kind: type) -> list[tuple[tuple[type, ...], Conversion]]:
    found = _BY_TYPE.get(kind)
    if found is None:
        found = [(types, function) for _, _, types, function in _CONVERSIONS if issubclass(kind, types)]
        _BY_TYPE[kind] = found
    return found


def as_tensor(
    value: Any,
    dtype: Any = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: DType | None = None,
    accepted: Any = Tensor,
) -> Tensor:
    """``value`` as a tensor of the default graph, or as something else that is ``accepted``.

    Raises:
      TypeError: ``value`` cannot be of type ``dtype``.
      ValueError: ``value`` is a tensor of another type, or is None.
    """
    if dtype is not None:
        dtype = as_dtype(dtype)
    if isinstance(value, Tensor):
        if dtype is not None and not dtype.is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {value.dtype.name}: {value!r}"
            )
        return value
    for types, function in _conversions_of(type(value)):
        if dtype is None and preferred_dtype is not None:
            try:
                result = function(value, dtype=preferred_dtype, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                result = NotImplemented
            if isinstance(result, Tensor) and result.dtype.base_dtype == preferred_dtype.base_dtype:
                return result
        result = function(value, dtype=dtype, name=name, as_ref=as_ref)
        if result is NotImplemented:
            continue
        if not isinstance(result, accepted):
            raise RuntimeError(
                f"{f'Error converting {name} to a tensor' if name else 'Error'}: Conversion function {function!r} "
                f"for type {types} returned non-Tensor: {result!r}"
            )
        if dtype is not None and not dtype.is_compatible_with(result.dtype):
            raise RuntimeError(
                f"Conversion function {function!r} for type {types} returned incompatible dtype: "
                f"requested = {dtype.base_dtype.name}, actual = {result.dtype.base_dtype.name}"
            )
        tensor: Tensor = result
        return tensor
    raise TypeError(f"Cannot convert {value!r} with type {type(value)} to Tensor: no conversion function registered.")


def _not_a_tensor(value: Operation, dtype: DType | None, name: str | None, as_ref: bool) -> Tensor:
    raise TypeError(
        f"Can't convert Operation '{value.name}' to Tensor (target dtype={dtype!r}, name={name!r}, as_ref={as_ref!r})"
    )


register_tensor_conversion_function(Operation, _not_a_tensor, 0)


def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    """``value`` as a tensor; ``dtype_hint`` is a dtype to prefer where ``value`` allows it."""
    hint = preferred_dtype if dtype_hint is None else dtype_hint
    return as_tensor(value, dtype, name, preferred_dtype=None if hint is None else as_dtype(hint))


def convert_n_to_tensor(values: Iterable[Any], dtype: Any = None, name: str | None = None) -> list[Tensor]:
    """Each of ``values`` as a tensor, named ``name_0``, ``name_1``, ..."""
    return [as_tensor(v, dtype, None if name is None else f"{name}_{i}") for i, v in enumerate(values)]


def as_tensor_or_slices(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    """``value`` as a tensor; ``IndexedSlices`` and sparse tensors stay what they are."""
    if isinstance(value, IndexedSlices | SparseTensor):
        if dtype is not None and not as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {as_dtype(dtype).name} for Tensor with dtype "
                f"{value.dtype.name}: {str(value)!r}"
            )
        return value
    return as_tensor(value, dtype, name, as_ref)


def convert_to_tensor_or_composite(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """``value`` as a tensor or as the composite tensor that it is or that its type is converted to."""
    if isinstance(value, CompositeTensor):
        found = getattr(value, "dtype", None)
        if dtype is not None and not as_dtype(dtype).is_compatible_with(found):
            raise ValueError(
                f"Tensor conversion requested dtype {as_dtype(dtype).name} for Tensor with dtype "
                f"{as_dtype(found).name}: {str(value)!r}"
            )
        return value
    return as_tensor(value, dtype, name, accepted=Tensor | CompositeTensor)


def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """``value`` as a tensor; a ``SparseTensor`` stays what it is, and a ``SparseTensorValue`` becomes one.

    Raises:
      RuntimeError: a sparse tensor is not of ``dtype``.
    """
    if not is_sparse(value):
        return as_tensor(value, dtype, name)
    sparse = value if isinstance(value, SparseTensor) else SparseTensor.from_value(value)
    if dtype is not None and not as_dtype(dtype).is_compatible_with(sparse.dtype):
        raise RuntimeError(f"Sparse dtype: requested = {as_dtype(dtype).name}, actual = {sparse.dtype.name}")
    return sparse


def is_sparse(x: Any) -> bool:
    """Whether ``x`` is a ``SparseTensor`` or ``SparseTensorValue``."""
    return isinstance(x, SparseTensor | SparseTensorValue)


def graph_of(values: Iterable[Any], graph: Any = None) -> Any:
    """The graph that ``values`` belong to; the default one if none of them belongs to any, or if it captures them.

    Raises:
      ValueError: they belong to different graphs, or not to ``graph``.
      TypeError: ops run at once, and one belongs to a graph.
    """
    first = None
    default = stack.default_graph()
    if graph is None and default.captures:
        return default
    own = default.own
    for value in values:
        if type(value) is own and (graph is None or graph is default):
            first, graph = value, default
            continue
        if isinstance(value, TensorLike | Operation):
            theirs = value.graph
            if default.is_eager and not (theirs.is_eager or theirs.takes_ops_at_once):
                raise symbolic_input(value)
            if graph is None:
                first, graph = value, theirs
            elif theirs is not graph:
                if graph.is_eager and theirs.captures:
                    first, graph = value, theirs
                    continue
                if theirs.is_eager and graph.captures:
                    continue
                if first is None:
                    raise ValueError(f"{value} is not from the passed-in graph.")
                raise mixed_graphs(value, first)
    if graph is None or graph is default:
        return default
    if graph.is_eager and not default.is_eager:
        error = RuntimeError("Attempting to capture an EagerTensor without building a function.")
        error.add_note(
            "  Why:   a graph is being built, and it was computed outside of every graph\n"
            "  Fix:   build it inside of  with graph.as_default(): ...  or use its value: x.numpy()"
        )
        raise error
    return graph


def get_graph_from_inputs(op_input_list: Iterable[Any], graph: Any = None) -> Any:
    """The graph to which an op with these inputs belongs.

    Raises:
      ValueError: they belong to different graphs, or not to ``graph``.
    """
    return graph_of(op_input_list, graph)


def symbolic_input(tensor: Any) -> TypeError:
    """The error for an op that runs at once and gets a tensor of a graph."""
    error = TypeError(
        'An op outside of the function building code is being passed\na "Graph" tensor. It is possible to have Graph '
        "tensors\nleak out of the function building context by including a\ntf.init_scope in your function building "
        f"code.\nThe graph tensor has name: {tensor.name}"
    )
    error.add_note(
        f"  Why:   ops run at once here, and {tensor.name} belongs to a graph: it has no value outside of a session\n"
        "  Fix:   with graph.as_default(): ...  around what is built on it"
    )
    return error


def mixed_graphs(item: Any, other: Any) -> ValueError:
    """The error for an op whose inputs belong to two graphs."""
    error = ValueError(f"{item} must be from the same graph as {other}.")
    places = [getattr(getattr(x, "op", x), "place", None) for x in (other, item)]
    error.add_note(
        "  Why:   an op can only join tensors of one tf.Graph\n"
        + "".join(
            f"  Where: {x.name} was built at {place}\n" for x, place in zip((other, item), places, strict=True) if place
        )
        + "  Fix:   build both in one block:  with graph.as_default(): ..."
    )
    return error
