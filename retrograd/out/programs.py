"""Graphs as files that JAX runs without this package: a program beside its weights.

A folder holds ``program.stablehlo`` (serialized by ``jax.export``), ``weights.safetensors``, and
``program.json``, which says what the program takes and gives::

    exported = jax.export.deserialize(open("program.stablehlo", "rb").read())
    exported.call(safetensors.numpy.load_file("weights.safetensors"), {"x": ...})
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np

from retrograd.files.replacing import file_error, replace_file
from retrograd.graph.tensor import Tensor
from retrograd.out.functions import JaxFunction, Parameters, to_jax
from retrograd.run.lowering import NotLowered

PROGRAM, WEIGHTS, DESCRIPTION = "program.stablehlo", "weights.safetensors", "program.json"
_FORMAT = "retrograd program 1"


def export_program(
    folder: Any,
    outputs: Mapping[str, Tensor],
    inputs: Mapping[str, Tensor],
    session: Any = None,
    *,
    shapes: Mapping[str, Any] | None = None,
    platforms: tuple[str, ...] | None = None,
    vjp_order: int = 0,
) -> None:
    """Write the function from ``inputs`` to ``outputs``, by their names, to a folder.

    Dimensions that are unknown stay so: those in front of all inputs are one size, every other is its own.

    Args:
      shapes: the shapes of inputs where those of the graph are not to be used.
      platforms: ``"cpu"``, ``"cuda"``, ``"rocm"``, ``"tpu"``; by default the one at hand.
      vjp_order: how often the program can be differentiated where it is loaded.

    Raises:
      NotLowered: an op cannot be part of a pure function.
      ImportError: the package ``safetensors`` or ``flatbuffers`` is missing.
    """
    save = _safetensors("save")
    function, parameters = to_jax(dict(outputs), dict(inputs), session)
    program = _serialized(function, parameters, inputs, shapes or {}, platforms, vjp_order)
    description = {
        "format": _FORMAT,
        "inputs": {name: _described(t, (shapes or {}).get(name)) for name, t in inputs.items()},
        "outputs": {name: _described(t, None) for name, t in outputs.items()},
    }
    path = os.fspath(folder)
    arrays = {name: np.asarray(value, order="C") for name, value in parameters.items()}
    contents = {
        WEIGHTS: save(arrays, metadata={"format": _FORMAT}),
        PROGRAM: program,
        DESCRIPTION: (json.dumps(description, indent=1) + "\n").encode(),
    }
    try:
        os.makedirs(path, exist_ok=True)
        for name, content in contents.items():
            replace_file(os.path.join(path, name), content)
    except OSError as error:
        raise file_error(error, path) from None


def load_program(folder: Any) -> tuple[Callable[[Any, Any], Any], Parameters]:
    """The function that ``export_program`` wrote to a folder, and its parameters.

    Raises:
      OSError: a file is missing.
      ValueError: a file is damaged.
    """
    from retrograd.ops.jax_start import jax

    load = _safetensors("load")
    contents = []
    for name in (PROGRAM, WEIGHTS):
        path = os.path.join(os.fspath(folder), name)
        with open(path, "rb") as file:
            contents.append(file.read())
    try:
        parameters = load(contents[1])
    except Exception as error:
        raise ValueError(f"{os.path.join(os.fspath(folder), WEIGHTS)} holds no weights: {error}") from None
    try:
        exported = jax.export.deserialize(bytearray(contents[0]))
    except Exception as error:
        raise ValueError(f"{os.path.join(os.fspath(folder), PROGRAM)} holds no program: {error}") from None
    return exported.call, parameters


def _safetensors(name: str) -> Callable[..., Any]:
    try:
        if find_spec("flatbuffers") is None:  # jax.export writes with it
            raise ModuleNotFoundError("No module named 'flatbuffers'", name="flatbuffers")
        from safetensors import numpy as safetensors
    except ModuleNotFoundError as error:
        error.add_note("  Fix:   pip install retrograd[export]")
        raise
    function: Callable[..., Any] = getattr(safetensors, name)
    return function


def _described(tensor: Tensor, shape: Any) -> dict[str, Any]:
    dims = _dims(tensor, shape)
    return {"dtype": tensor.dtype.base_dtype.name, "shape": None if dims is None else list(dims), "tensor": tensor.name}


def _dims(tensor: Tensor, shape: Any) -> tuple[int | None, ...] | None:
    return tensor.dims if shape is None else tuple(shape)


def _serialized(
    function: JaxFunction,
    parameters: Parameters,
    inputs: Mapping[str, Tensor],
    shapes: Mapping[str, Any],
    platforms: tuple[str, ...] | None,
    vjp_order: int,
) -> bytes:
    from retrograd.ops.jax_start import jax

    given = {name: jax.ShapeDtypeStruct(value.shape, value.dtype) for name, value in parameters.items()}
    open_ones = [n for n, t in inputs.items() if None in (_dims(t, shapes.get(n)) or (None,))]
    with jax.enable_x64(True):
        scope = jax.export.SymbolicScope()
        taken = {
            name: jax.ShapeDtypeStruct(
                jax.export.symbolic_shape(_words(name, tensor, shapes.get(name), i), scope=scope),
                tensor.dtype.base_dtype.np,
            )
            for i, (name, tensor) in enumerate(inputs.items())
        }
        try:
            exported = jax.export.export(jax.jit(function), platforms=platforms)(given, taken)
        except (NotLowered, TypeError, ValueError) as error:
            if not open_ones:
                raise
            raise _of_sizes(open_ones[0], inputs[open_ones[0]], error) from error
        return bytes(exported.serialize(vjp_order=vjp_order))


def _words(name: str, tensor: Tensor, shape: Any, number: int) -> str:
    """The shape of an input as JAX writes shapes with unknown sizes."""
    dims = _dims(tensor, shape)
    if dims is None:
        raise ValueError(f"nothing is known of the shape of {tensor.name}: give it by shapes={{{name!r}: (...)}}")
    words = ["batch" if n is None and not i else f"d{number}_{i}" if n is None else str(n) for i, n in enumerate(dims)]
    return f"({', '.join(words)},)" if words else "()"


def _of_sizes(name: str, tensor: Tensor, error: Exception) -> ValueError:
    first = (str(error).splitlines() or [""])[0]
    error = ValueError(f"The program cannot be for every size of the input {name!r}: {first}")
    dims = tuple(1 if n is None else n for n in tensor.dims or ())
    error.add_note(
        "  Why:   some op computes with the size itself\n"
        f"  Fix:   give the sizes: export_program(..., shapes={{{name!r}: {dims}}}), or\n"
        f"         retrograd export ... --shape {name}={','.join(map(str, dims))}"
    )
    return error
