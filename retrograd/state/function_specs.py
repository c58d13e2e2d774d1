"""How the arguments of a ``tf.function`` are put in order, and what is known of them beforehand.

Source: what TensorFlow 1.15.5 writes of a function into a SavedModel.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import nest
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.decorators import getfullargspec, unwrap
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.specs import TensorSpec, TypeSpec
from retrograd.graph.tensor import Tensor


class FunctionSpec:
    """The names and defaults of a function's arguments, and the specs that they must fit."""

    def __init__(
        self, fullargspec: inspect.FullArgSpec, is_method: bool, args_to_prepend: Any = (),
        kwargs_to_include: Any = None, input_signature: Any = None,
    ) -> None:  # fmt: skip
        """``args_to_prepend`` and ``kwargs_to_include`` were bound already, and are left out of ``fullargspec``."""
        self.fullargspec = fullargspec
        self.is_method = is_method
        self.args_to_prepend, self.kwargs_to_include = tuple(args_to_prepend), dict(kwargs_to_include or {})
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self.arg_names: list[str] = fullargspec.args[1:] if is_method else list(fullargspec.args)
        defaults = fullargspec.defaults or ()
        self._defaults = dict(zip(fullargspec.args[len(fullargspec.args) - len(defaults) :], defaults, strict=True))

    @classmethod
    def from_function_and_signature(
        cls, python_function: Callable[..., Any], input_signature: Any, is_method: bool = False
    ) -> FunctionSpec:
        """What Python says of a function; arguments that ``functools.partial`` has bound are no more."""
        _, plain = unwrap(python_function)
        if isinstance(plain, functools.partial):
            return cls(_rest_of(plain), is_method, input_signature=input_signature)
        spec = getfullargspec(python_function)
        return cls(spec, is_method or inspect.ismethod(plain), input_signature=input_signature)

    def canonicalize_function_inputs(self, *args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments by place as far as they have places, with defaults, then those that have names only.

        Raises:
          TypeError: an argument is missing, or one is too much.
          ValueError: they do not fit the signature.
        """
        names, given = self.arg_names, list(args)
        if self.input_signature is not None:
            self._check_covered(args, kwargs)
        if len(given) > len(names) and self.fullargspec.varargs is None:
            raise TypeError(f"Takes {len(names)} positional arguments but {len(given)} were given")
        rest = dict(kwargs)
        for i, name in enumerate(names):
            if i < len(args):
                if name in rest:
                    raise TypeError(f"Got multiple values for argument {name!r}")
            elif name in rest:
                given.append(rest.pop(name))
            elif self.input_signature is not None and i >= len(self.input_signature):
                break
            elif name in self._defaults:
                given.append(self._defaults[name])
            elif self.input_signature is not None:
                break
            else:
                raise TypeError(f"Missing argument {name!r}")
        allowed = self.fullargspec.kwonlyargs
        if self.fullargspec.varkw is None and not rest.keys() <= set(allowed):
            raise TypeError(f"Got unexpected keyword arguments {sorted(rest.keys() - set(allowed))}")
        rest = {**(self.fullargspec.kwonlydefaults or {}), **rest}
        if self.input_signature is not None:
            if rest:
                raise ValueError("Cannot define a TensorFlow function from a Python function with keyword arguments "
                                 "when input_signature is provided.")  # fmt: skip
            return self.signed(tuple(given)), {}
        return nest.map_structure(as_argument, (tuple(given), rest))  # type: ignore[no-any-return]

    def names_of(self, args: Sequence[Any]) -> list[str]:
        """A name for each of ``args``, which come in their places: those behind the named ones are numbered."""
        more = self.fullargspec.varargs or "args"
        numbered = (f"{more}_{i}" for i in range(len(args)))
        return [*self.arg_names, *numbered][: len(args)]

    def _check_covered(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        only = "When input_signature is provided, only pass arguments covered by it. Received"
        covered = len(self.input_signature or ())
        if len(args) > covered:
            raise TypeError(f"{only} {len(args)} argument(s).")
        for name in kwargs:
            if name not in self.arg_names:
                raise TypeError(f"Function got an unexpected keyword argument {name}")
            if name not in self.arg_names[:covered]:
                raise TypeError(f"{only} argument {name}.")

    def signed(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """``args`` as tensors that fit the signature.

        Raises:
          ValueError: they do not.
        """
        told = f"\n  inputs: {_lines(args)}\n  input_signature: {_lines(self.input_signature or ())}"
        wrong = ValueError(f"Python inputs incompatible with input_signature:{told}")
        signature = self.input_signature or ()
        specs = nest.flatten(signature)
        try:
            given = nest.flatten_up_to(signature, args[: len(signature)], check_types=False)
        except (TypeError, ValueError):
            given = []
        if len(given) != len(specs) or len(args) != len(signature):
            raise ValueError(f"Structure of Python function inputs does not match input_signature:{told}")
        flat = []
        for value, spec in zip(given, specs, strict=True):
            if isinstance(spec, TensorSpec) and not isinstance(value, TensorSpec | CompositeTensor):
                try:
                    value = as_tensor(value, spec.dtype)
                except (TypeError, ValueError):
                    raise wrong from None
            if not spec.is_compatible_with(value):
                raise wrong
            flat.append(value)
        return tuple(nest.pack_sequence_as(signature, flat))


def checked_signature(signature: Any) -> Any:
    """``signature``, as a program gives it.

    Raises:
      TypeError: it is no sequence, or has something else than specs in it.
    """
    if signature is None:
        return None
    if not isinstance(signature, tuple | list):
        raise TypeError(f"input_signature must be either a tuple or a list, received {type(signature)}")
    if not all(isinstance(x, TypeSpec) for x in nest.flatten(signature)):
        raise TypeError(
            f"Invalid input_signature {signature}; input_signature must be a possibly nested sequence of TensorSpec "
            "objects."
        )
    return signature


def _lines(values: Any) -> str:
    """``values`` in brackets, each in a line of its own."""
    return "(\n    " + ",\n    ".join(map(str, values)) + ")"


def _rest_of(partial: functools.partial[Any]) -> inspect.FullArgSpec:
    """The arguments that a partial function has yet to get."""
    args, defaults, only, only_defaults = [], [], [], {}
    varargs = varkw = None
    for p in inspect.signature(partial).parameters.values():
        if p.kind is p.VAR_POSITIONAL:
            varargs = p.name
        elif p.kind is p.VAR_KEYWORD:
            varkw = p.name
        elif p.name in partial.keywords:
            continue
        elif p.kind is p.KEYWORD_ONLY:
            only.append(p.name)
            if p.default is not p.empty:
                only_defaults[p.name] = p.default
        else:
            args.append(p.name)
            if p.default is not p.empty:
                defaults.append(p.default)
    return inspect.FullArgSpec(args, varargs, varkw, tuple(defaults) or None, only, only_defaults or None, {})


def as_argument(value: Any) -> Any:
    """An argument as functions get it: what NumPy has made is a tensor."""
    return as_tensor(value) if isinstance(value, np.ndarray | np.generic) else value


def spec_of(value: Any, name: str | None = None) -> Any:
    """What stands for an argument where functions are told apart: the spec of a tensor, else the argument itself."""
    if isinstance(value, TensorSpec):
        return TensorSpec(value.shape, value.dtype, value.name or name)
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype.base_dtype, name)
    return value._type_spec if isinstance(value, CompositeTensor) else value


def names_in(arguments: Any) -> tuple[str | None, ...]:
    """The names that specs among arguments ask for."""
    return tuple(x.name for x in nest.flatten(arguments) if isinstance(x, TensorSpec))


def kind_of(value: Any) -> Any:
    """The nesting of arguments with what tells them apart, as a key."""
    if isinstance(value, dict):  # a wrapper says the class of what it wraps
        return (value.__class__, *((key, kind_of(item)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return (type(value) if isinstance(value, tuple) else list, *map(kind_of, value))
    if isinstance(value, Tensor):
        return (TensorSpec, value.dtype.base_dtype.name, value.shape._raw)
    if isinstance(value, np.ndarray | np.generic):  # it is going to be a tensor
        return (TensorSpec, as_dtype(value.dtype).name, value.shape)
    spec = spec_of(value)
    if isinstance(spec, TensorSpec):
        dims = spec.shape._raw
        return (TensorSpec, spec.dtype.name, dims)
    if spec is None or isinstance(spec, bool | int | float | complex | str | bytes) or hasattr(spec, "_serialize"):
        return spec
    return object, id(spec)
