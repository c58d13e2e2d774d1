"""Every op as a bare function of its inputs and attributes: ``tf.raw_ops``, and the generated modules of TensorFlow."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from retrograd.graph.apply import apply, apply_named
from retrograd.graph.definition import REGISTRY, REQUIRED, OpDef, import_every_op
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.functions import as_attribute
from retrograd.graph.protos import attr_kinds, op_def
from retrograd.graph.shapes import TensorShape
from retrograd.graph.text import bytes_or_text_types, real_types, snake_case

_functions: dict[str, Callable[..., Any]] = {}

# where TensorFlow's functions have another name for an argument than its ops have
_NAMES = {
    **{
        op: {"reduction_indices": "axis"} for op in ["All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"]
    },
    "Split": {"split_dim": "axis"},
    "SplitV": {"split_dim": "axis"},
    "ExpandDims": {"dim": "axis"},
    "Select": {"t": "x", "e": "y"},
    "Squeeze": {"squeeze_dims": "axis"},
    "Where": {"input": "condition"},
}


def raw_op(name: str) -> Callable[..., Any] | None:
    """The function of the op ``MatMul``, by that name or as ``mat_mul``; None if there is no such op."""
    key = name.replace("_", "").lower()
    if key not in _functions:
        definition = _defined(key)
        if definition is None:  # the modules that no program has asked for by their functions have yet to define it
            import_every_op()
            definition = _defined(key)
        if definition is None:
            return None
        _functions[key] = _function(definition)
    return _functions[key]


def _as_types(x: Any) -> Any:
    """A dtype from its number in files, or a list of them; anything else as it is."""
    if isinstance(x, list | tuple):
        return [_as_types(one) for one in x]
    return as_dtype(x) if isinstance(x, int) else x


def _defined(key: str) -> OpDef | None:
    return next((definition for name, definition in REGISTRY.items() if name.lower() == key), None)


def _function(definition: OpDef) -> Callable[..., Any]:
    """``f(inputs..., attributes..., name=None)``; several outputs come as a named tuple."""
    inferred = {a.type_attr for a in definition.inputs} | {a.number_attr for a in definition.inputs}
    attrs = {k: v for k, v in definition.attrs.items() if k not in inferred}
    attrs |= {
        a.type_attr: REQUIRED for a in definition.outputs if a.type_attr and a.type_attr not in inferred | attrs.keys()
    }
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    required = [k for k, default in attrs.items() if default is REQUIRED]
    names = _NAMES.get(definition.name, {})
    shown = {k: names.get(k, k) for k in (*(a.name for a in definition.inputs), *attrs)}
    parameters = [inspect.Parameter(shown[n], kind) for n in [*(a.name for a in definition.inputs), *required]]
    parameters += [inspect.Parameter(shown[k], kind, default=v) for k, v in attrs.items() if v is not REQUIRED]
    signature = inspect.Signature([*parameters, inspect.Parameter("name", kind, default=None)])
    type_attrs = {a.type_attr for a in (*definition.inputs, *definition.outputs) if a.type_attr}

    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            text = str(error).replace("missing a required", "missing 1 required positional")
            raise TypeError(f"{definition.name}() {text}") from None
        inputs = [given[shown[a.name]] for a in definition.inputs]
        chosen = {k: _named(given[shown[k]]) for k in attrs if given.get(shown[k]) is not None}
        for k, value in chosen.items():
            _check_attribute(definition, k, shown[k], value)
        chosen |= {k: _as_shapes(k, attrs[k], value) for k, value in chosen.items()}
        chosen |= {k: _as_types(chosen[k]) for k in type_attrs if k in chosen}
        if "shape" in attrs and "shape" in given:  # of unknown rank where it is None
            chosen["shape"] = TensorShape(given["shape"])
        builds = apply_named if len(definition.outputs) > 1 else apply
        return builds(definition, *inputs, name=given.get("name"), **chosen)

    function.__name__ = function.__qualname__ = definition.name
    function.__doc__ = f"The op ``{definition.name}``, bare."
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


_PROTOS: dict[str, Any] = {}


def get_registered_ops() -> dict[str, Any]:
    """The ``OpDef`` proto of each op type, by its name.

    >>> [argument.name for argument in get_registered_ops()["MatMul"].input_arg]
    ['a', 'b']
    """
    import_every_op()
    for name in REGISTRY.keys() - _PROTOS.keys():
        _PROTOS[name] = op_def(REGISTRY[name])
    return _PROTOS


class OpDefLibrary:
    """Every op by its type and keywords: what TensorFlow's generated functions stood on."""

    def apply_op(self, op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
        """The outputs of a new op.

        Raises:
          RuntimeError: there is no such op.
        """
        function = raw_op(op_type_name)
        if function is None:
            raise RuntimeError(f"Unrecognized Op name {op_type_name}")
        return function(name=name, **keywords)


_FITTING: dict[str, Any] = {"float": real_types, "bool": bool, "string": bytes_or_text_types}


def _is_whole(x: Any) -> bool:
    """Whether Python makes a whole number of what is no text."""
    try:
        int(x)
    except (TypeError, ValueError):
        return False
    return not isinstance(x, bytes_or_text_types)


def _check_attribute(definition: OpDef, key: str, shown: str, value: Any) -> None:
    """Hold what is given for an attribute to its kind.

    Raises:
      TypeError: it is no list where the op takes one, or no number, word or truth where it takes one.
    """
    kind = attr_kinds(definition).get(key, "")
    if kind.startswith("list("):
        if not isinstance(value, list | tuple):
            op = snake_case(definition.name)
            raise TypeError(f"Expected list for '{shown}' argument to '{op}' Op, not {value!r}.")
        kind = kind[5:-1]
    else:
        value = [value]
    for one in value:
        if not (_is_whole(one) if kind == "int" else isinstance(one, _FITTING.get(kind, object))):
            raise TypeError(f"Expected {kind} for argument '{shown}' not {one!r}.")


def _as_shapes(key: str, default: Any, value: Any) -> Any:
    """The value of an attribute; shapes as such, which may have been given as lists of numbers."""
    if isinstance(default, TensorShape) or key == "element_shape":
        return TensorShape(value)
    if key.endswith("shapes") and isinstance(value, list | tuple):
        return [TensorShape(shape) for shape in value]
    return value


def _named(value: Any) -> Any:
    """The value of an attribute; functions of the graph are there by name."""
    if isinstance(value, list | tuple):
        return [_named(x) for x in value]
    return as_attribute(value) if hasattr(value, "add_to_graph") else value
