"""``Lambda``: a function of tensors as a layer, and functions in configurations."""

from __future__ import annotations

import builtins
import codecs
import inspect
import marshal
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.eager.context import eager_mode
from retrograd.graph import nest
from retrograd.graph.shapes import TensorShape
from retrograd.keras.utils import deserialize_keras_object
from retrograd.nn.layers import session
from retrograd.nn.layers.engine import Layer, each_shape
from retrograd.nn.layers.wrapped_containers import DictWrapper
from retrograd.state.variables import variable_creator_scope


class Lambda(Layer):
    """A function of tensors as a layer. A variable that the function makes is the same one in every call.

    Args:
      function: of the inputs, and of ``mask`` and ``training`` if it has such arguments.
      output_shape: the shape of the output without the batch, or a function of the shape of the input.
      mask: the mask of the output, or a function of the inputs and their mask.
      arguments: further arguments of the function, by name.
    """

    def __init__(
        self, function: Callable[..., Any], output_shape: Any = None, mask: Any = None, arguments: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.arguments, self.function = dict(arguments or {}), function
        self.supports_masking = self.supports_masking or mask is not None
        self.mask, self._output_shape = mask, output_shape
        self._made_variables = self._track_trackable(DictWrapper(), "_variable_dict")
        parameters = inspect.signature(function).parameters if callable(function) else {}
        self._takes_mask, self._takes_training = "mask" in parameters, "training" in parameters

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape that was given, or the one that a call gives.

        Raises:
          NotImplementedError: none was given, and a call fails.
        """
        if self._output_shape is None:
            with eager_mode():
                try:
                    return super().compute_output_shape(input_shape)
                except (NotImplementedError, TypeError) as error:
                    raise NotImplementedError(
                        "We could not automatically infer the shape of the Lambda's output. Please specify "
                        "`output_shape` for this Lambda."
                    ) from error
        if callable(self._output_shape):
            return each_shape(TensorShape, self._output_shape(input_shape))
        shapes = nest.flatten(each_shape(TensorShape, input_shape))
        batch = shapes[0][0] if shapes else None
        return each_shape(lambda shape: TensorShape([batch, *shape.as_list()]), self._output_shape)

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        arguments = dict(self.arguments)
        if self._takes_mask:
            arguments["mask"] = mask
        if self._takes_training:
            arguments["training"] = training
        with variable_creator_scope(self._variable):
            return self.function(inputs, **arguments)

    def _variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """The variable of this name that an earlier call made, or a new one."""
        name = kwargs["name"]
        if name not in self._made_variables:
            variable = self._made_variables[name] = next_creator(**kwargs)
            (self._trainable_weights if variable.trainable else self._non_trainable_weights).append(variable)
            session.track_own([variable])
        return self._made_variables[name]

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def get_config(self) -> dict[str, Any]:
        """The arguments; a function is its code, anything else that can be called its name."""
        config: dict[str, Any] = {}
        given = [("function", "function_type", "module", self.function)]
        given += [("output_shape", "output_shape_type", "output_shape_module", self._output_shape)]
        if self.mask is not None:
            given += [("mask", "mask_type", "mask_module", self.mask)]
        for key, kind, module, value in given:
            config[key], config[kind], config[module] = described(value, raw=key == "output_shape")
        return {**super().get_config(), **config, "arguments": self.arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer with these arguments. Code in them is Python's own form and runs: it is trusted."""
        config = dict(config)
        parts = {"function": "module", "output_shape": "output_shape_module", "mask": "mask_module"}
        for key, module in parts.items():
            if f"{key}_type" in config:
                config[key] = undescribed(config[key], config.pop(f"{key}_type"), config.pop(module), custom_objects)
        arguments = dict(config.get("arguments") or {})
        for key, value in arguments.items():
            if isinstance(value, dict) and value.get("type") == "ndarray":
                arguments[key] = np.array(value["value"])
        return cls(**{**config, "arguments": arguments})


def described(value: Any, raw: bool = False) -> tuple[Any, str, str | None]:
    """A value, its kind and its module as a configuration holds them."""
    if isinstance(value, types.LambdaType):
        return func_dump(value), "lambda", value.__module__
    if callable(value):
        return value.__name__, "function", value.__module__
    if raw:
        return value, "raw", None
    raise ValueError(f"Invalid input for serialization, type: {type(value)} ")


def undescribed(value: Any, kind: str, module: str | None, custom_objects: Any, reader: str = "Lambda layer") -> Any:
    """What ``described`` said; code finds the names of its module and of ``custom_objects``."""
    if kind == "raw":
        return value
    if kind == "function":
        return deserialize_keras_object(
            value, custom_objects=custom_objects, printable_module_name=f"function in {reader}"
        )
    if kind != "lambda":
        raise TypeError("Unknown function type:", kind)
    if module is not None and module not in sys.modules:
        warnings.warn(
            f"{module} is not loaded, but a {reader} uses it. It may cause errors.", UserWarning, stacklevel=2
        )
    names = dict(vars(sys.modules[module])) if module in sys.modules else {"__builtins__": builtins}
    return func_load(value, globs={**names, **(custom_objects or {})})


def func_dump(func: Any) -> tuple[str, Any, Any]:
    """The code of a function in Base64, its defaults and what it closes over."""
    code = codecs.encode(marshal.dumps(func.__code__), "base64").decode("ascii")
    closure = tuple(cell.cell_contents for cell in func.__closure__) if func.__closure__ else None
    return code, func.__defaults__, closure


def func_load(code: Any, defaults: Any = None, closure: Any = None, globs: Any = None) -> Any:
    """The function that ``func_dump`` described, with ``globs`` as its global names."""
    if isinstance(code, tuple | list):
        code, defaults, closure = code
    cells = None
    if closure is not None:
        cells = tuple(c if isinstance(c, types.CellType) else types.CellType(c) for c in closure)
    try:
        raw = marshal.loads(codecs.decode(code.encode("ascii"), "base64"))
    except (ValueError, EOFError, TypeError) as error:
        wrong = ValueError(f"The code of a Lambda layer cannot be read: {error}")
        wrong.add_note(
            "  Why:   each version of Python has its own form of code, and the file is of another or damaged"
        )
        wrong.add_note("  Fix:   a function with a name:  Lambda(scaled), custom_objects={'scaled': scaled}")
        raise wrong from None
    defaults = tuple(defaults) if isinstance(defaults, list) else defaults
    return types.FunctionType(raw, globals() if globs is None else globs, raw.co_name, defaults, cells)
