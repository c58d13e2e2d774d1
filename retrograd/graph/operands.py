"""The inputs of one op: Python values as tensors, of dtypes that are tied to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Argument, OpDef
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import InvalidArgumentError, explain, keep_notes, taught
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike


def converted(
    graph: Graph, definition: OpDef, args: Sequence[Any], attrs: dict[str, Any], full: str
) -> tuple[Tensor, ...]:
    """The inputs as tensors, flat; the type attributes that they settle are put into ``attrs``."""
    if _fit(definition, args, attrs):
        return args  # type: ignore[return-value]
    scopes = graph._scopes
    outer = scopes.name
    scopes.name = full
    try:
        inputs: list[Tensor] = []
        inferred_from: dict[str, str] = {}
        for argument, value in zip(definition.inputs, args, strict=True):
            if argument.is_list:
                inputs += _converted_list(definition, argument, value, attrs, inferred_from)
            else:
                inputs.append(_converted_one(definition, argument, value, attrs, inferred_from))
        return tuple(inputs)
    finally:
        scopes.name = outer


def _fit(definition: OpDef, args: Sequence[Any], attrs: dict[str, Any]) -> bool:
    """Whether ``args`` are tensors that need no conversion: the common case, made short."""
    demands = definition.demands
    if demands is None or len(args) != len(demands):
        return False
    settled: dict[str, DType] = {}
    for (key, own, allowed), tensor in zip(demands, args, strict=True):
        if not isinstance(tensor, Tensor):
            return False
        dtype = tensor.dtype
        if dtype.is_ref:
            dtype = dtype.base_dtype
        if key is None:
            if dtype is not own:
                return False
            continue
        wanted = settled.get(key)
        if wanted is None:
            if allowed is not None and id(dtype) not in allowed:
                return False
            wanted = settled[key] = attrs.get(key) or dtype
        if wanted is not dtype:
            return False
    attrs.update(settled)
    return True


def _converted_one(
    definition: OpDef, argument: Argument, value: Any, attrs: dict[str, Any], inferred_from: dict[str, str]
) -> Tensor:
    key = argument.type_attr
    dtype = argument.dtype if key is None else attrs.get(key)
    if isinstance(value, Tensor) and (dtype is None or value.dtype.base_dtype is dtype):
        tensor = value
    else:
        preferred = definition.attrs.get(key) if key is not None and dtype is None else None
        tensor = _checked_conversion(definition, argument, value, dtype, preferred, attrs, inferred_from)
    if argument.is_ref and not tensor.dtype.is_ref:
        raise TypeError(
            f"'{definition.name}' Op requires that input '{argument.name}' be a mutable tensor (e.g.: a tf.Variable)"
        )
    if key is not None and dtype is None:
        attrs[key] = tensor.dtype.base_dtype
        inferred_from[key] = argument.name
    if key is not None and key in definition.types:
        check_allowed(definition, argument.name, key, attrs[key])
    return tensor


def _checked_conversion(
    definition: OpDef,
    argument: Argument,
    value: Any,
    dtype: DType | None,
    preferred: DType | None,
    attrs: dict[str, Any],
    inferred_from: dict[str, str],
) -> Tensor:
    try:
        tensor = as_tensor(value, dtype, argument.name, argument.is_ref, preferred)
        if dtype is not None and tensor.dtype.base_dtype is not dtype:
            raise ValueError("another dtype")
        return tensor
    except TypeError as error:
        if dtype is None or default_graph().is_eager:
            raise
        raise TypeError(
            f"Expected {dtype.name} passed to parameter '{argument.name}' of op '{definition.name}', got {value!r} "
            f"of type '{type(value).__name__}' instead. Error: {error}"
        ) from None
    except ValueError:
        try:
            observed = as_tensor(value, as_ref=argument.is_ref).dtype.name
        except ValueError as error:
            if default_graph().is_eager:
                raise
            failed = ValueError(f"Tried to convert '{argument.name}' to a tensor and failed. Error: {error}")
            raise keep_notes(failed, error) from None
    wrong = f"Input '{argument.name}' of '{definition.name}' Op has type {observed} that does not match"
    assert dtype is not None
    if default_graph().is_eager:
        raise OtherDtype(definition, argument, dtype, as_dtype(observed))
    if argument.type_attr is None:
        raise _with_cast(TypeError(f"{wrong} expected type of {dtype.name}."), value, dtype)
    other = inferred_from.get(argument.type_attr, "Default in OpDef")
    raise _with_cast(TypeError(f"{wrong} type {dtype.name} of argument '{other}'."), value, dtype)


class OtherDtype(Exception):
    """An input of an op that runs at once has another dtype than it must have."""

    def __init__(self, definition: OpDef, argument: Argument, wanted: DType, observed: DType) -> None:
        self._text = (
            f"cannot compute {definition.name} as input #{definition.inputs.index(argument)}(zero-based) was expected "
            f"to be a {wanted.base_dtype._c_name} tensor but is a {observed.base_dtype._c_name} tensor "
            f"[Op:{definition.name}]"
        )
        self._cast = f"tf.cast(..., tf.{wanted.base_dtype.name})"

    def told(self, name: str | None) -> InvalidArgumentError:
        """The error for an op that was given this name."""
        why = "an op's tied inputs have one dtype; nothing is converted silently"
        return InvalidArgumentError(
            None, None, explain(self._text + (f" name: {name}" if name else ""), why=why, fix=self._cast)
        )


def _with_cast(error: TypeError, value: Any, dtype: DType) -> Exception:
    name, observed = getattr(value, "name", None), getattr(value, "dtype", None)
    place = getattr(getattr(value, "op", None), "place", None)
    wanted = dtype.base_dtype
    fix = f"tf.cast(..., tf.{wanted.name})"
    if observed is not None and observed.is_floating and wanted.is_integer:
        fix = f"tf.cast(..., tf.{observed.base_dtype.name}) for the other input; {fix} drops what is behind the point"
    elif wanted == "string":
        fix = "tf.as_string(...)"
    elif observed is not None and observed.base_dtype == "string":
        fix = f"tf.string_to_number(..., tf.{wanted.name})"
    return taught(
        error,
        why="an op's tied inputs have one dtype; nothing is converted silently",
        where=f"{name} was built at {place}" if place else None,
        fix=fix,
    )


def check_allowed(definition: OpDef, name: str, key: str, dtype: DType) -> None:
    if id(dtype) not in definition.allowed[key]:
        allowed = [d.name for d in definition.types[key]]
        error = TypeError(
            f"Value passed to parameter '{name}' has DataType {dtype.name} not in list of allowed values: "
            + ", ".join(allowed)
        )
        near = [n for n in ("float32", "int32", "int64") if n in allowed and dtype.name != "string"]
        raise taught(error, fix=f"tf.cast(..., tf.{near[0]})") if near else error


def _converted_list(
    definition: OpDef, argument: Argument, values: Any, attrs: dict[str, Any], inferred_from: dict[str, str]
) -> list[Tensor]:
    if not isinstance(values, list | tuple):
        raise TypeError(f"Expected list for '{argument.name}' argument to '{definition.name}' Op, not {values}.")
    key = argument.type_attr
    if argument.number_attr is None:  # each of its own dtype
        given = attrs.get(key or "")
        wanted = given if given else [None] * len(values)
        tensors = [
            as_tensor(v, d, f"{argument.name}_{i}", argument.is_ref)
            for i, (v, d) in enumerate(zip(values, wanted, strict=True))
        ]
        if key is not None:
            attrs[key] = [t.dtype.base_dtype for t in tensors]
            for dtype in attrs[key] if key in definition.types else ():
                check_allowed(definition, argument.name, key, dtype)
        return tensors
    dtype = argument.dtype if key is None else attrs.get(key)
    if dtype is None:
        dtype = next((v.dtype.base_dtype for v in values if isinstance(v, TensorLike)), None)
    tensors = _list_of_one_dtype(definition, argument, values, dtype, key in inferred_from or (key or "") in attrs)
    attrs[argument.number_attr] = len(tensors)
    if key is not None and key not in attrs and tensors:
        attrs[key] = tensors[0].dtype.base_dtype
        inferred_from[key] = argument.name
    if key in definition.types and key in attrs:
        check_allowed(definition, argument.name, key, attrs[key])
    return tensors


def _list_of_one_dtype(
    definition: OpDef, argument: Argument, values: Sequence[Any], dtype: DType | None, earlier: bool
) -> list[Tensor]:
    tensors: list[Tensor] = []
    try:
        for i, value in enumerate(values):
            tensor = as_tensor(value, dtype, f"{argument.name}_{i}", argument.is_ref)
            dtype = dtype or tensor.dtype.base_dtype
            if tensor.dtype.base_dtype is not dtype:
                raise TypeError
            tensors.append(tensor)
    except (TypeError, ValueError):
        names = []
        for value in values:
            try:
                names.append(as_tensor(value).dtype.base_dtype.name)
            except (TypeError, ValueError):
                names.append("<NOT CONVERTIBLE TO TENSOR>")
        prefix = (
            f"Tensors in list passed to '{argument.name}' of '{definition.name}' Op have types [{', '.join(names)}]"
        )
        if argument.dtype is not None:
            raise TypeError(f"{prefix} that do not match expected type {argument.dtype.name}.") from None
        if earlier and dtype is not None:
            raise TypeError(f"{prefix} that do not match type {dtype.name} inferred from earlier arguments.") from None
        raise TypeError(f"{prefix} that don't all match.") from None
    return tensors
