"""Hyperparameters: named values with types, read from text."""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from retrograd.files.messages import message
from retrograd.graph.text import as_bytes

_ASSIGNMENT = re.compile(
    r"""
    (?P<name>[a-zA-Z][\w.]*)
    (\[\s*(?P<index>\d+)\s*\])?
    \s*=\s*
    ((?P<val>[^,\[]*) | \[(?P<vals>[^\]]*)\])
    ($|,\s*)""",
    re.VERBOSE,
)
_TRUTH = {"true": True, "True": True, "false": False, "False": False}


def parse_values(values: str, type_map: Mapping[str, type], ignore_unknown: bool = False) -> dict[str, Any]:
    """What a text as ``"a=1,b=[2,3],c[1]=4"`` assigns; ``c`` becomes ``{1: 4}``.

    Raises:
      ValueError: the text is no list of assignments, one is of no type or of another, or there are two.
    """
    found: dict[str, Any] = {}
    position = 0
    while position < len(values):
        match = _ASSIGNMENT.match(values, position)
        if not match:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = match.end()
        name, index, one, several = match.group("name", "index", "val", "vals")
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        kind = type_map[name]

        def read(value: str, whole: str, kind: type = kind, name: str = name) -> Any:
            try:
                return _as_bool(value) if kind is bool else kind(value)
            except ValueError:
                raise ValueError(
                    f"Could not parse hparam '{name}' of type '{kind.__name__}' with value '{whole}' in {values}"
                ) from None

        twice = ValueError(f"Multiple assignments to variable '{name}' in {values}")
        if several is not None:
            if index is not None:
                raise ValueError("Assignment of a list to a list index.")
            if name in found:
                raise twice
            found[name] = [read(x, several) for x in re.split("[ ,]", several) if x]
        elif index is None:
            value = read(one, one)
            if name in found:
                raise twice
            found[name] = value
        else:
            value, items = read(one, one), found.setdefault(name, {})
            if not isinstance(items, dict):
                raise twice
            if int(index) in items:
                raise ValueError(f"Multiple assignments to variable '{name}[{int(index)}]' in {values}")
            items[int(index)] = value
    return found


def _as_bool(value: str) -> bool:
    return _TRUTH[value] if value in _TRUTH else bool(int(value))


def _as_type(name: str, kind: type, value: Any) -> Any:
    """The value as a ``kind``, if nothing is lost by it."""
    if type(value) is kind or issubclass(kind, type(None)):
        return value
    texts = issubclass(kind, str | bytes) and not isinstance(value, str | bytes)
    truths = issubclass(kind, bool) != isinstance(value, bool)
    whole = issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral)
    number = issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number)
    if texts or truths or whole or number:
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    return kind(value)  # type: ignore[call-arg]


_FIELDS: tuple[tuple[Any, str], ...] = (
    (bool, "bool"), ((numbers.Integral, np.integer), "int64"), ((str, bytes), "bytes"),
    ((numbers.Real, np.floating), "float"),
)  # fmt: skip


def _field_of(kind: type, is_list: bool) -> str:
    """Which field of a ``HParamType`` has values of a type."""
    for kinds, name in _FIELDS:
        if issubclass(kind, kinds):
            return f"{name}_{'list' if is_list else 'value'}"
    raise ValueError(f"Unsupported parameter type: {kind}")


class HParams:
    """Hyperparameters as attributes, each of the type of its first value.

    >>> hparams = HParams(rate=0.1, sizes=[8, 4])
    >>> hparams.parse("rate=0.2,sizes=[3,2]").values()
    {'rate': 0.2, 'sizes': [3, 2]}

    Raises:
      ValueError: a name is one of the methods', a list is empty, or a value is of another type.
    """

    _HAS_DYNAMIC_ATTRIBUTES = True  # pytype reads this

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        if hparam_def:
            if kwargs:
                raise ValueError("hparam_def and initialization values are mutually exclusive")
            assert hasattr(hparam_def, "hparam"), f"no HParamDef: {hparam_def}"
            for name, value in hparam_def.hparam.items():
                self.add_hparam(name, _from_proto(value))
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def add_hparam(self, name: str, value: Any) -> None:
        """Add one; a list is several of one type."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, list | tuple):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Give one another value of its type."""
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_as_type(name, kind, v) for v in value])
        else:
            if is_list:
                raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
            setattr(self, name, _as_type(name, kind, value))

    def del_hparam(self, name: str) -> None:
        """Take one away, if it is there."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Take the values of a text as ``"a=1,b=[2,3]"``."""
        return self.override_from_dict(parse_values(values, {n: kind for n, (kind, _) in self._hparam_types.items()}))

    def override_from_dict(self, values_dict: Mapping[str, Any]) -> HParams:
        """Take the values of a dictionary."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map: Mapping[str, Any]) -> HParams:
        """``override_from_dict`` by its older name."""
        return self.override_from_dict(values_map)

    def set_model_structure(self, model_structure: Any) -> None:
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        return self._model_structure

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        """The values as JSON."""
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json: str) -> HParams:
        """Take the values of a JSON object."""
        return self.override_from_dict(json.loads(values_json))

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The values as a ``HParamDef``; floats are float32 there.

        Raises:
          ValueError: a value is no number and no text.
        """
        written = message("HParamDef")()
        for name, (kind, is_list) in self._hparam_types.items():
            value, field, place = getattr(self, name), _field_of(kind, is_list), written.hparam[name]
            if field.startswith("bytes"):
                value = [as_bytes(v) for v in value] if is_list else as_bytes(value)
            if is_list:
                getattr(place, field).value.extend(value)
            else:
                setattr(place, field, value)
        return written

    @staticmethod
    def from_proto(hparam_def: Any, import_scope: str | None = None) -> HParams:
        """What ``to_proto`` wrote."""
        return HParams(hparam_def=hparam_def)

    def values(self) -> dict[str, Any]:
        """All of them."""
        return {n: getattr(self, n) for n in self._hparam_types}

    def get(self, key: str, default: Any = None) -> Any:
        """One of them, or ``default``, which must be of its type."""
        if key not in self._hparam_types:
            return default
        if default is not None:
            kind, is_list = self._hparam_types[key]
            what = f"list<{kind}>" if is_list else str(kind)
            message = f"Hparam '{key}' of type '{what}' is incompatible with default={default}"
            if is_list != isinstance(default, list):
                raise ValueError(message)
            try:
                for value in default if is_list else [default]:
                    _as_type(key, kind, value)
            except ValueError as error:
                raise ValueError(f"{message}. {error}") from error
        return getattr(self, key)

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{key}={value}" for key, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"


def _from_proto(value: Any) -> Any:
    kind = value.WhichOneof("kind")
    found = getattr(value, kind)
    items = [found] if kind.endswith("_value") else list(found.value)
    if kind.startswith("bytes"):
        items = [x.decode() for x in items]
    return items[0] if kind.endswith("_value") else items
