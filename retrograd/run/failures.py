"""Errors of a run, as TensorFlow words them, with why, where and how to mend."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import inferred_shapes
from retrograd.graph.definition import unmet
from retrograd.graph.dtypes import as_dtype, type_word
from retrograd.graph.errors import OpError, explain
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants
from retrograd.run.advice import Advice, advice


def kernel_failure(op: Operation, error: Exception, values: Sequence[Any]) -> OpError:
    """The error of a run in which the kernel of ``op`` raised ``error`` on ``values``."""
    rank = _wrong_rank(op, values)
    kind: type[OpError]
    if rank is not None:
        kind, message = errors.InvalidArgumentError, rank
    elif isinstance(error, OpError):
        kind, message = type(error), error.message.replace("{node}", op.name)
        message = message.replace("{input}", _first_input(op).name) if op.inputs else message
        if error.op is not None:
            return error
    elif lacks_memory(error):
        kind, message = errors.ResourceExhaustedError, words_of_memory(error)
    else:
        kind, message = words_of(op, error, values)
    told = advice(op, message, values)
    if kind is errors.InternalError and not isinstance(error, OpError):
        told.update(of_a_defect(error))
    elif op.definition.failure is not None and message == _combining(op, values):
        told["fix"] = op.definition.remedy
    return failure(kind, op, message, **told)


def _first_input(op: Operation) -> Operation:
    """The op that made the first input; of an array, the one that made the array of which it is the gradients."""
    made = op.inputs[0].op
    while made.type.startswith("TensorArrayGrad"):
        made = made.inputs[0].op
    return made


def failure(kind: Any, op: Operation, message: str, why: str | None = None, fix: str | None = None) -> OpError:
    """An error of class ``kind`` at ``op``: TensorFlow's first line, the node, then why, where and the fix."""
    place = op.place
    node = f"\t [[node {op.name}{f' (defined at {place}) ' if place else ''}]]"
    text = explain(f"{message}\n{node}", why=why, where=place, fix=fix)
    error: OpError = kind(None, op, text)
    return error


def lacks_memory(error: BaseException) -> bool:
    """Whether an array was asked for that memory cannot hold, or that no array can be."""
    if isinstance(error, ValueError):
        return str(error).startswith(("array is too big", "Maximum allowed"))
    return isinstance(error, MemoryError)


def words_of_memory(error: BaseException) -> str:
    """What TensorFlow says of an array that memory cannot hold."""
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    try:
        what = f" with shape{shape_text(shape)} and type {type_word(as_dtype(dtype))}"
    except TypeError:  # the error does not say of what
        what = ""
    return f"OOM when allocating tensor{what} on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"


# what Python raises where a kernel itself is wrong; NumPy raises others for arrays that it cannot take
_BROKEN = (TypeError, AttributeError, NameError, AssertionError)


def words_of(op: Operation, error: Exception, values: Sequence[Any]) -> tuple[type[OpError], str]:
    """The class and what TensorFlow says where the kernel of ``op`` raised ``error`` on ``values``.

    What the op's shape rule takes and the kernel breaks at is no mistake of the program, and is not called one.
    """
    if isinstance(error, ZeroDivisionError):
        return errors.InvalidArgumentError, "Integer division by zero"
    refusal = _wrong_rank(op, values) or _refusal(op, values)
    if refusal is not None:
        return errors.InvalidArgumentError, _combining(op, values) or refusal
    inputs = f"(op: {op.type}, input shapes: {', '.join(shape_text(np.shape(v)) for v in values)})"
    if isinstance(error, _BROKEN):
        return errors.InternalError, f"{type(error).__name__}: {error} {inputs}"
    return errors.InvalidArgumentError, f"{error} {inputs}"


def of_a_defect(error: BaseException) -> Advice:
    """Where a kernel broke, and what to do about it."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}, in {frames[-1].name}" if frames else "its kernel"
    return {
        "why": f"a defect of retrograd, not of the program: the op broke at {at}",
        "fix": "report this message, with the dtypes and shapes of the op's inputs",
    }


def _combining(op: Operation, values: Sequence[Any]) -> str | None:
    """What the op says of inputs of such shapes that it cannot combine; None if it has no words for it."""
    if op.definition.failure is None or len(values) != len(op.inputs):  # a variable was being read
        return None
    return op.definition.failure(*(shape_text(np.shape(v)) for v in values))


def _wrong_rank(op: Operation, values: Sequence[Any]) -> str | None:
    """What TensorFlow's kernel says of the first input that has another rank than it must have."""
    if not op.definition.ranks or len(values) != len(op.inputs):
        return None
    for argument, value in zip(op.definition.of_inputs(op.attrs), values, strict=True):
        demand = op.definition.ranks.get(argument.name)
        if demand is not None:
            words = unmet(demand, value)
            if words is not None:
                return words
    return None


def _refusal(op: Operation, values: Sequence[Any]) -> str | None:
    """What the op's shape rule says of inputs that are known; None if it takes them, or cannot tell."""
    definition = op.definition
    if definition.shape is None or definition.has_refs:
        return None
    try:
        with Graph().as_default():
            tensors = [
                constants.constant(np.asarray(value), tensor.dtype.base_dtype)
                if is_static
                else constants.placeholder(tensor.dtype.base_dtype, np.shape(value))
                for tensor, value, is_static in zip(op.inputs, values, definition.are_static(op.attrs), strict=True)
            ]
    except Exception:  # a value that no tensor of a graph can have
        return None
    try:
        inferred_shapes(definition, op.name, tensors, dict(op.attrs))
    except ValueError as error:
        return str(error)
    except Exception:  # the rule is not made for what the kernel has refused
        return None
    return None


def not_a_reference(op: Operation, tensor: Tensor) -> OpError:
    """What TensorFlow says of a graph in which ``op`` takes references, and ``tensor`` is a value."""
    words = f"Input {op.inputs.index(tensor)} of node {op.name} was passed {type_word(tensor.dtype)} from "
    words += f"{tensor.op.name}:{tensor.value_index} incompatible with expected {type_word(op.outputs[0].dtype)}."
    return errors.InvalidArgumentError(op.node_def, op, words)


def not_fed(op: Operation) -> OpError:
    """The error of a run that needs a placeholder which it does not feed."""
    shape = op.outputs[0].dims
    words = f"You must feed a value for placeholder tensor '{op.name}' with dtype {type_word(op.outputs[0].dtype)}"
    if shape is not None:
        words += f" and shape {shape_text(shape)}"
    return failure(
        errors.InvalidArgumentError,
        op,
        words,
        why="what was fetched depends on this placeholder, and the run's feed_dict does not name it",
        fix=f"sess.run(..., feed_dict={{{op.name}: ...}})  # the Python variable that holds it",
    )
