"""Building one op: its inputs, its attributes, the shapes that follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from numbers import Real
from typing import Any

import numpy as np

from retrograd.graph import shapes
from retrograd.graph.convert import graph_of
from retrograd.graph.definition import ANY_REMEDY, REQUIRED, OpDef
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import explain
from retrograd.graph.graph import Graph
from retrograd.graph.operands import OtherDtype, check_allowed, converted
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.source import location, user_frames
from retrograd.graph.stack import default_graph
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.graph.text import as_text


def apply(definition: OpDef, *args: Any, name: str | None = None, **attrs: Any) -> Any:
    """Build an op and return its output: a tensor, a list of them, or the op itself if it has none.

    Raises:
      TypeError: an input has a dtype that the op does not take, or that differs from a tied input's.
      ValueError: the shapes of the inputs do not fit together.
    """
    op = apply_op(definition, *args, name=name, **attrs)
    if definition.has_one_output:
        return op.outputs[0]
    return list(op.outputs) if definition.outputs else op


def apply_named(definition: OpDef, *args: Any, name: str | None = None, **attrs: Any) -> Any:
    """Build an op and return its outputs as a named tuple, by the names that the op gives them: some are lists."""
    op = apply_op(definition, *args, name=name, **attrs)
    outputs = iter(op.outputs)
    return definition.result(*[
        list(islice(outputs, argument.count(op.attrs))) if argument.is_list else next(outputs)
        for argument in definition.outputs
    ])  # fmt: skip


def apply_op(definition: OpDef, *args: Any, name: str | None = None, **attrs: Any) -> Operation:
    """Build an op and return it."""
    outer = graph = default_graph()
    own = graph.own
    for value in args:
        kind = type(value)
        if kind is own:
            continue
        if kind is list or kind is tuple or (isinstance(value, TensorLike) and value.graph is not graph):
            graph = graph if graph.captures else graph_of(_flat(args))
            break
    for key, kind in definition.numbers.items():
        if attrs.get(key) is not None:
            attrs[key] = _number(key, attrs[key], kind)
        elif key in attrs and type(definition.attrs.get(key)) is kind:
            del attrs[key]  # None is the default
    given, name = name, name or definition.name
    full = name[:-1] if name[-1] == "/" else graph.scope_path(name)
    for key, value in attrs.items():
        if key in definition.types or isinstance(value, DType):
            attrs[key] = as_dtype(value).base_dtype if not isinstance(value, list | tuple) else list(value)
            if key in definition.types and key not in definition.input_types:
                for dtype in value if isinstance(value, list | tuple) else [attrs[key]]:
                    check_allowed(definition, key, key, as_dtype(dtype))
    try:
        if graph is outer:
            inputs = converted(graph, definition, args, attrs, full)
        else:
            with graph.as_default():
                inputs = converted(graph, definition, args, attrs, full)
    except OtherDtype as error:
        raise error.told(given) from None
    if graph.is_eager:
        return graph.execute(definition, full, inputs, attrs, given)
    if graph.captures:
        with graph.name_scope(full + "/"):
            inputs = tuple(_captured(graph, definition, inputs, attrs))
    if definition.has_refs:
        return _beside_references(graph, definition, full, inputs, attrs)
    return build(graph, definition, full, inputs, attrs)


def _captured(graph: Graph, definition: OpDef, inputs: tuple[Tensor, ...], attrs: dict[str, Any]) -> Iterator[Tensor]:
    """The inputs inside of ``graph``: a tensor that has its value is named by the argument that it is for."""
    left = iter(inputs)
    for argument in definition.inputs:
        for i in range(argument.count(attrs)):
            tensor = next(left)
            if tensor.graph.is_eager:
                yield graph.capture(tensor, f"{argument.name}_{i}" if argument.is_list else argument.name)
            else:
                yield graph.capture(tensor)


def _number(key: str, value: Any, kind: type) -> Any:
    """What an attribute holds as a number of Python's own, or as a list of them; a real one has 32 bits."""
    if kind is int and type(value) is int:
        return value
    if isinstance(value, list | tuple):
        return value if all(type(x) is int for x in value) else [_number(key, x, kind) for x in value]
    with suppress(TypeError, ValueError):
        if kind is int and not isinstance(value, str | bytes):
            return int(value)
        if kind is float and isinstance(value, float | Real | np.integer):
            return np.float32(float(value)).item()
    raise TypeError(f"Expected {kind.__name__} for argument '{key}' not {value!r}.")


def _beside_references(
    graph: Graph, definition: OpDef, full: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any]
) -> Operation:
    """Build an op where the variables are that it refers to."""
    with ExitStack() as places:
        rest = list(inputs)
        for argument in definition.inputs:
            for _ in range(argument.count(attrs)):
                tensor = rest.pop(0)
                if argument.is_ref:
                    places.enter_context(graph.colocate_with(tensor.op))
        return build(graph, definition, full, inputs, attrs)


def _flat(values: Sequence[Any]) -> list[Any]:
    flat = []
    for value in values:
        if isinstance(value, list | tuple):
            flat += _flat(value)
        else:
            flat.append(value)
    return flat


def build(graph: Graph, definition: OpDef, full: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any]) -> Operation:
    """Append the op called ``full`` with these flat inputs; attributes that are missing take their defaults."""
    if graph.is_eager:
        return graph.execute(definition, full, inputs, attrs, None)
    if (removal := told_removed(definition, graph.graph_def_versions.producer)) is not None:
        raise NotImplementedError(removal)
    complete(definition, inputs, attrs)
    if definition.choices or definition.lengths:
        check_attrs(definition, attrs)
    for tensor in inputs:
        if tensor.op.graph is not graph:
            graph_of(inputs, graph)
    if definition.effect is not None and "shared_name" in definition.attrs and graph._scopes.container:
        attrs["container"] = attrs.get("container") or graph._scopes.container
    dims = inferred_shapes(definition, full, inputs, attrs) if definition.shape is not None else None
    return graph.add_op(definition, full, inputs, attrs, output_types(definition, attrs), dims)


def told_removed(definition: OpDef, version: int) -> str | None:
    """What TensorFlow says of the op in graphs of ``version``; None if they have it."""
    if definition.removed is None or version < definition.removed[0]:
        return None
    since, instead = definition.removed
    return (
        f"Op {definition.name} is not available in GraphDef version {version}. "
        f"It has been removed in version {since}. {instead}."
    )


def complete(definition: OpDef, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> None:
    """Put into ``attrs`` what is missing: defaults, and what follows from the inputs."""
    for key, default in definition.defaults:
        if key not in attrs:
            if default is REQUIRED:
                raise ValueError(f"No argument for attr {key} of op {definition.name}")
            attrs[key] = default
    if not attrs.keys() >= definition.input_types:
        _settle_types(definition, inputs, attrs)


def check_attrs(definition: OpDef, attrs: Mapping[str, Any]) -> None:
    for key, words in definition.choices.items():
        value = attrs[key]
        if not isinstance(value, str | bytes):
            raise TypeError(f"Expected string for argument '{key}' not {value!r}.")
        if as_text(value) not in words:
            allowed = ", ".join(f'"{word}"' for word in words)
            raise ValueError(
                f"Attr '{key}' of '{definition.name}' Op passed string '{as_text(value)}' not in: {allowed}."
            )
    for key, least in definition.lengths.items():
        value = attrs[key]
        if not isinstance(value, list | tuple):
            function = re.sub(r"(?<!^)(?=[A-Z][a-z]|V\d)", "_", definition.name).lower()
            raise TypeError(f"Expected list for '{key}' argument to '{function}' Op, not {value}.")
        if len(value) < least:
            raise ValueError(
                f"Attr '{key}' of '{definition.name}' Op passed list of length {len(value)} less than minimum {least}."
            )


def _settle_types(definition: OpDef, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> None:
    """The type and number attributes that follow from flat inputs (of an imported node, say)."""
    rest = list(inputs)
    for argument in definition.inputs:
        if not argument.is_list:
            taken = [rest.pop(0)]
        else:
            count = attrs.get(argument.number_attr or "")
            if count is None:
                count = (
                    len(attrs[argument.type_attr])
                    if argument.type_attr in attrs
                    else len(rest)
                    - sum(not a.is_list for a in definition.inputs[definition.inputs.index(argument) + 1 :])
                )
            taken, rest = rest[:count], rest[count:]
            if argument.number_attr:
                attrs[argument.number_attr] = count
        if argument.type_attr:
            types = [t.dtype.base_dtype for t in taken]
            attrs.setdefault(argument.type_attr, types if argument.is_list and not argument.number_attr else types[0])


def output_types(definition: OpDef, attrs: dict[str, Any]) -> list[DType]:
    types: list[DType] = []
    for output in definition.outputs:
        dtype = output.dtype if output.dtype is not None else attrs[output.type_attr or ""]
        if not output.is_list:
            types.append(dtype._as_ref if output.is_ref else dtype)
        elif output.number_attr:
            types += [dtype] * attrs[output.number_attr]
        else:
            types += dtype
    return types


def grouped(definition: OpDef, attrs: Mapping[str, Any], values: Sequence[Any]) -> Sequence[Any]:
    """Flat input values as the arguments of the kernel: those of a list argument in a list."""
    if not definition.has_lists:
        return values
    rest, arguments = list(values), []
    for argument in definition.inputs:
        if argument.is_list:
            count = argument.count(attrs)
            arguments.append(rest[:count])
            rest = rest[count:]
        else:
            arguments.append(rest.pop(0))
    return arguments


def computed(definition: OpDef, attrs: Mapping[str, Any], values: Sequence[Any]) -> list[Any]:
    """What the kernel of a pure op makes of these flat input values with NumPy, one item for each output."""
    assert definition.kernel is not None
    read = {name: attrs[name] for name in definition.kernel_attrs}
    return definition.listed(definition.kernel(np, *grouped(definition, attrs, values), **read))


def inferred_shapes(
    definition: OpDef, full: str, inputs: Sequence[Tensor], attrs: dict[str, Any]
) -> Sequence[RawShape]:
    assert definition.shape is not None
    try:
        arguments = grouped(definition, attrs, inputs) if definition.has_lists else inputs
        names = definition.shape_attrs
        result = definition.shape(*arguments, **{k: attrs[k] for k in names}) if names else definition.shape(*arguments)
    except ValueError as error:
        texts = ", ".join(shapes.shape_text(t.dims) for t in inputs)
        message = ValueError(
            f"{error} for '{full}' (op: '{definition.name}') with input shapes: {texts}"
            f"{'' if isinstance(error, shapes.Unread) else _static_inputs(definition, inputs, attrs)}."
        )
        for note in getattr(error, "__notes__", [_shape_note(definition, inputs, str(error))]):
            message.add_note(note)
        raise message from None
    return definition.listed(result)


_HOLD_SHAPES = frozenset(("shape", "dims", "multiples", "input_sizes"))


def _static_inputs(definition: OpDef, inputs: Sequence[Tensor], attrs: Mapping[str, Any]) -> str:
    """The values that the shape rule has read, as TensorFlow tells them."""
    as_shapes, as_tensors = [], []
    for i, (argument, tensor) in enumerate(zip(definition.of_inputs(attrs), inputs, strict=False)):
        value = static_value(tensor) if argument.name in definition.static else None
        if value is None:
            continue
        if argument.name not in _HOLD_SHAPES:
            as_tensors.append(f"input[{i}] = <{_summary(value)}>")
        elif value.size:
            dims = tuple(None if n < 0 else n for n in value.ravel().tolist())
            as_shapes.append(f"input[{i}] = {shapes.shape_text(dims)}")
    text = f" and with computed input tensors: {', '.join(as_tensors)}" if as_tensors else ""
    return text + (f" and with input tensors computed as partial shapes: {', '.join(as_shapes)}" if as_shapes else "")


def _summary(value: Any) -> str:
    """A value as TensorFlow tells it: ``1 2``, and ``[1 2][3 4]`` of two dimensions."""
    if np.ndim(value) < 2:
        return " ".join(map(str, np.ravel(value).tolist()))
    return "".join(f"[{_summary(row)}]" for row in value)


# What to type, by what is wrong, where an op has no words of its own.
_REMEDIES = (
    (r"reduction dimension|must be in the range|not in the interval", "an axis from -n to n - 1, where there are n"),
    (r"Can not squeeze", "tf.squeeze(x) drops every axis of size 1; no other can go"),
    (r"evenly divisible", "tf.split(x, [size, size, ...]) makes parts of different sizes"),
    (r"^Dimension must be \d+ but is \d+$", "as many as there are dimensions"),
    (r"Negative dimension size", "padding='SAME', or windows that are no larger than the images"),
)


def _remedy(definition: OpDef, words: str) -> str:
    if definition.remedy != ANY_REMEDY:
        return definition.remedy
    return next((remedy for pattern, remedy in _REMEDIES if re.search(pattern, words)), ANY_REMEDY)


def _shape_note(definition: OpDef, inputs: Sequence[Tensor], words: str) -> str:
    rows = [
        f"{t.name} has shape {shapes.shape_text(t.dims)}" + (f", built at {t.op.place}" if t.op.place else "")
        for t in inputs
    ]
    why = "\n".join(rows or ["the op has no inputs"])
    return explain("", why=why, where=location(user_frames()), fix=_remedy(definition, words)).removeprefix("\n")
