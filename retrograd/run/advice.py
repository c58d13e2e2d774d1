"""Why a run failed and what to type, by what TensorFlow's message says."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import explain
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import shape_text

Advice = dict[str, str]


def advice(op: Operation, message: str, values: Sequence[Any]) -> Advice:
    """Why ``op`` failed on ``values``, with TensorFlow's ``message``, and the fix, as far as these are known."""
    for words, told in _TOLD:
        found = re.search(words, message)
        if found is not None:
            return told(op, found, values)
    return {} if op.type == "Assert" else _inputs(op, values)  # an assertion has said what the values are


def _inputs(op: Operation, values: Sequence[Any]) -> Advice:
    rows = [
        f"{t.name} is {t.dtype.base_dtype.name}{shape_text(np.shape(v))}"
        + (f", built at {t.op.place}" if t.op.place else "")
        for t, v in zip(op.inputs, values, strict=False)
        if not t.dtype.is_ref and t.dtype not in ("resource", "variant")
    ]
    return {"why": "\n".join(rows)} if rows else {}


def _always(why: str | None = None, fix: str | None = None) -> Callable[..., Advice]:
    return lambda *_: {k: v for k, v in (("why", why), ("fix", fix)) if v is not None}


def _with_inputs(fix: str) -> Callable[..., Advice]:
    return lambda op, found, values: {**_inputs(op, values), "fix": fix}


# -- variables ---------------------------------------------------------------------------------


def _not_initialized(op: Operation, *_: Any) -> Advice:
    variable = op.inputs[0].op if op.inputs else op
    names = {v.op.name for v in op.graph.get_collection(GraphKeys.LOCAL_VARIABLES) if hasattr(v, "op")}
    if variable.name in names:
        return {
            "why": "it is a local variable, and no run has given it a value in this session yet",
            "fix": "sess.run(tf.local_variables_initializer())  # before the first use",
        }
    why = "no run has given this variable a value in this session yet"
    fix = "sess.run(tf.global_variables_initializer())  # before the first use"
    place = _initializer_before(variable)
    if place is not None:
        why += f";\nthe initializer that was made at {place} does not know it"
        fix = "sess.run(tf.global_variables_initializer())  # made behind the last variable; optimizers make some, too"
    return {"why": why, "fix": fix}


def _initializer_before(variable: Operation) -> str | None:
    """Where an op was made that initializes variables, but was made before this one was."""
    for op in variable.graph.get_operations():
        if op is variable:
            return None
        if op.type == "NoOp" and op.name.rpartition("/")[2].startswith("init") and op.control_inputs:
            return op.place
    return None


# -- input -------------------------------------------------------------------------------------


def _no_file(op: Operation, found: re.Match[str], values: Sequence[Any]) -> Advice:
    if os.path.isabs(found[1]):
        return {}
    return {"why": f"names of files are looked for in the current folder, {os.getcwd()}"}


def _no_feature(op: Operation, found: re.Match[str], values: Sequence[Any]) -> Advice:
    return {"fix": f"{{{found[1]!r}: tf.FixedLenFeature(..., default_value=...)}} where examples may lack it"}


def _ended(op: Operation, *_: Any) -> Advice:
    found = next((_ENDED[t.op] for t in op.inputs if t.op in _ENDED), None)
    found = found or next((told for queue, told in _ENDED.items() if queue.graph is op.graph), None)
    return found or {
        "why": "what fills it has come to its end",
        "fix": "except tf.errors.OutOfRangeError:  to stop there; num_epochs=None goes on without end",
    }


_ENDED: WeakKeyDictionary[Operation, Advice] = WeakKeyDictionary()  # queues whose threads failed


def has_failed(queue: Operation, error: BaseException) -> None:
    """The thread that fills a queue has failed: whoever waits for elements is to hear of it."""
    first, *rest = str(error).splitlines()
    _ENDED[queue] = {"why": f"the thread that fills it has failed with {type(error).__name__}: {first}"}
    fix = next((line.partition("Fix:")[2].strip() for line in rest if line.startswith("  Fix:")), None)
    if fix is not None:
        _ENDED[queue]["fix"] = fix


def about_waiting(op: Operation) -> None:
    """``op`` has waited for long: say so where it will for ever, as nobody has started the graph's queue runners."""
    if not op.graph.get_collection(GraphKeys.QUEUE_RUNNERS) or "Enqueue" in op.type:  # that waits for room
        return
    if any(thread.name.startswith(THREADS) for thread in threading.enumerate()):
        return
    log.warning(
        explain(
            f"A run has waited for a long time at {op.name}, for elements that nobody puts into a queue",
            why="the graph has queue runners, and none of them was started",
            where=op.place,
            fix="tf.train.start_queue_runners(sess)  # before the first run",
        )
    )


THREADS = "QueueRunnerThread-"  # how the names of their threads begin


def has_begun(queue: Operation) -> None:
    """Threads begin to fill a queue."""
    _ENDED.pop(queue, None)


# -- what the words mean -----------------------------------------------------------------------


def _python_dtype(op: Operation, found: re.Match[str], values: Sequence[Any]) -> Advice:
    wanted = as_dtype(found[2]) if found[2] != "string" else None
    fix = "Tout of tf.py_func as the function gives it"
    return {"fix": f"return x.astype(np.{wanted.name}); or {fix}" if wanted is not None else fix}


def _outside(op: Operation, found: re.Match[str], values: Sequence[Any]) -> Advice:
    return {
        **_inputs(op, values),
        "fix": f"indices from 0 to {int(found[1]) - 1}, or as many rows as there are indices",
    }


_TOLD: tuple[tuple[str, Callable[..., Advice]], ...] = (
    (r"^Attempting to use uninitialized value|variable was uninitialized", _not_initialized),
    (r"SummaryWriterInterfaceE does not exist", _always(
        "the writer's file was not begun in this session, or is closed",
        "sess.run(tf.contrib.summary.summary_writer_initializer_op())  # before what writes")),
    (r": Tensor had (?:Inf|NaN)", _with_inputs(
        "retrograd explain PROGRAM.py  # says with which op it began, and why")),
    (r"^Table not initialized", _always(
        "no run has filled the table in this session yet",
        "sess.run(tf.tables_initializer())  # before the first use")),
    (r"the iterator has not been initialized", _always(
        fix="sess.run(iterator.initializer)  # before the first element")),
    (r"^End of sequence", _always(
        "the dataset has no more elements",
        "except tf.errors.OutOfRangeError:  to stop there; dataset.repeat() goes on without end")),
    (r" waits for ever: its group has ", _always(
        "its result is made of the inputs of all members",
        "sess.run([y0, y1, ...])  # the results of all members in one run")),
    (r"^Cannot batch tensors with different shapes", _always(
        fix="dataset.padded_batch(batch_size, shapes) for .batch(batch_size), with None where lengths differ")),
    (r"closed and has insufficient elements", _ended),
    (r"^(.*); No such file or directory", _no_file),
    (r"^Feature: (.*) \(data type: \w+\) is required but could not be found", _no_feature),
    (r"^Received a label value of -?\d+ which is outside", _with_inputs(
        "labels count from 0: labels - 1 if they count from 1, or logits for as many classes as there are")),
    (r"^(\d+)-th value returned by \w+ is \w+, but expects (\w+)", _python_dtype),
    (r"^indices.* = -?\d+ is not in \[0, (\d+)\)", _outside),
    (r"^tags and values not the same shape", _with_inputs(
        "tf.summary.scalar(name, tf.reduce_mean(x)), or tf.summary.histogram(name, x)")),
)  # fmt: skip
