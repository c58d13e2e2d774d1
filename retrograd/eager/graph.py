"""The graph that runs its ops at once: what ``apply`` builds into where eager execution is on.

It has the blocks of a graph (names, devices, what waits for what), of which only names mean something, and
keeps nothing: no op, no collection.  A kernel gets the values of the inputs, and NumPy computes.
"""

from __future__ import annotations

import random
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from functools import cache
from typing import Any

import numpy as np

from retrograd.eager import tapes
from retrograd.eager.operation import EagerOperation
from retrograd.eager.tensor import EagerTensor
from retrograd.graph import dtypes, errors, stack
from retrograd.graph.apply import check_attrs, complete, grouped, output_types, told_removed
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import symbolic_input
from retrograd.graph.definition import Effect, OpDef
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import UnimplementedError, explain
from retrograd.graph.functions import Body
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.source import Frames, location, user_frames
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.graph.versions import GRAPH_DEF_VERSION
from retrograd.ops import blas
from retrograd.ops.streams import Stream
from retrograd.run.failures import lacks_memory, of_a_defect, words_of, words_of_memory
from retrograd.run.plan import Plan
from retrograd.run.program import Program, chosen_mode
from retrograd.run.store import Memory, Store

_LASTING = (dtypes.resource, dtypes.variant)


class _Quiet(threading.local):
    """A context of this thread in which NumPy says nothing of overflows: it is entered sooner than ``np.errstate``."""

    def __init__(self) -> None:
        self.is_entered = False
        self._context = copy_context()
        self._context.run(np.seterr, all="ignore")

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """What the function gives, which calls nothing of the program's."""
        self.is_entered = True
        try:
            return self._context.run(function, *args)
        finally:
            self.is_entered = False


_quiet = _Quiet()


class EagerGraph(Graph):
    """The blocks and the state of eager execution: the store of variables, the random streams."""

    is_eager = True
    own = EagerTensor

    def __init__(self) -> None:
        super().__init__()
        self.store = Store()
        self.mode = chosen_mode()
        self._calls: weakref.WeakKeyDictionary[Body, Program] = weakref.WeakKeyDictionary()
        self._streams: dict[Any, Stream] = {}
        self._memories: dict[Any, Memory] = {}
        self._draws = random.Random()
        self._symbolic: Graph | None = None
        self.watchers: list[Callable[..., Any]] = []  # called after each op
        self._lock_of_kernels = threading.Lock()

    # -- running an op -------------------------------------------------------------------------

    def execute(
        self, definition: OpDef, name: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any], given: str | None
    ) -> Operation:
        """Run an op at once.

        Raises:
          OpError: it fails on these values.
          TypeError: an input is a tensor of a graph, and has no value.
          RuntimeError: the op type has no meaning without a session.
        """
        if definition.removed and (removal := told_removed(definition, GRAPH_DEF_VERSION)) is not None:
            raise UnimplementedError(None, None, f"{removal} [Op:{definition.name}]")
        complete(definition, inputs, attrs)
        if definition.choices or definition.lengths:
            check_attrs(definition, attrs)
        op = EagerOperation(definition, name, inputs, attrs, [])
        try:
            values = [t.value_now for t in inputs]  # type: ignore[attr-defined]
        except AttributeError:
            raise symbolic_input(next(t for t in inputs if not isinstance(t, EagerTensor))) from None
        try:
            if definition.effect is not Effect.HOST and definition.body is None and not _quiet.is_entered:
                results = _quiet.run(self._results, op, values)
            else:
                with np.errstate(all="ignore"):
                    results = self._results(op, values)
        except Exception as error:
            raise _failure(op, error, values, given) from (error if _is_of_the_user(error) else None)
        finally:
            blas.restore()
        outputs = [EagerTensor(y, dtype) for y, dtype in zip(results, output_types(definition, attrs), strict=True)]
        op.outputs = outputs  # type: ignore[assignment]
        for y in outputs:
            if y.dtype is dtypes.resource or y.dtype is dtypes.variant:
                y.producer = EagerOperation(definition, name, inputs, attrs, [])
                if definition.name == "VarHandleOp":  # the variable goes when its handle does
                    key = (attrs["container"], attrs["shared_name"] or name)
                    weakref.finalize(y, self.store.cells.pop, key, None).atexit = False
        if tapes.stack.active:
            tapes.record(op)
        for watch in self.watchers:
            watch(definition.name, given, attrs, inputs, outputs)
        return op

    def _results(self, op: EagerOperation, values: list[Any]) -> list[Any]:
        definition, attrs, kernel = op.definition, op.attrs, op.definition.kernel
        if kernel is None:
            return [self._place(op)]
        read = {key: attrs[key] for key in definition.kernel_attrs}
        effect = definition.effect
        arguments = grouped(definition, attrs, values)
        if definition.body is not None:
            return definition.listed(kernel(np, self.call(definition.body(op, self)), *arguments, **read))
        if effect is None:
            return definition.listed(kernel(np, *arguments, **read))
        if effect is Effect.RANDOM:
            return definition.listed(kernel(np, self._stream(op), *arguments, **read))
        if effect is Effect.HOST:
            return definition.listed(kernel(np, self._memory(op), *arguments, **read))
        if effect is Effect.WRITE:
            with self.store.transaction():
                return definition.listed(kernel(np, *arguments, **read))
        return definition.listed(kernel(np, *arguments, **read))

    def _place(self, op: EagerOperation) -> Any:
        """The cell of a variable."""
        if op.type == "VarHandleOp":
            return self.store.cell_of(op)
        if op.type.startswith("Placeholder"):
            raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
        raise RuntimeError(f"{op.type} op does not support eager execution.")

    def call(self, body: Body) -> Callable[[Sequence[Any]], list[Any]]:
        """What runs a body with the variables of eager execution; it is compiled when it runs often."""
        program = self._calls.get(body)
        if program is None:
            program = Program(Plan(body.outputs, body.effects, body.inputs), self.store, self.mode)
            self._calls[body] = program
        return program.run

    def _stream(self, op: EagerOperation) -> Stream:
        """The stream of all ops of this type with these attributes, as TensorFlow's kernels are kept."""
        seeds = op.attrs["seed"], op.attrs["seed2"]
        if seeds == (0, 0):
            return Stream.of(0, 0)
        key = _key_of_kernel(op)
        with self._lock_of_kernels:
            if key not in self._streams:
                self._streams[key] = Stream.of(*seeds)
            return self._streams[key]

    def _memory(self, op: EagerOperation) -> Memory:
        """What a host op keeps: one resource for all that make one without a name and have equal attributes."""
        makes_one = [a.dtype for a in op.definition.outputs] == [dtypes.resource]
        if not makes_one or op.attrs.get("shared_name") not in ("", b""):
            return Memory(op, self.store)
        with self._lock_of_kernels:
            return self._memories.setdefault(_key_of_kernel(op), Memory(op, self.store))

    def add_op(
        self,
        definition: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        attrs: dict[str, Any],
        output_types: list[DType],
        dims: Sequence[RawShape] | None = None,
    ) -> Operation:
        """Run an op whose attributes are all known."""
        return self.execute(definition, name, inputs, attrs, None)

    def holding(self, value: Any, dtype: DType) -> EagerTensor | None:
        """A tensor that has this value, which no op has computed; None where somebody wants to see every op."""
        return None if self.watchers else EagerTensor(value, dtype)

    # -- random numbers ------------------------------------------------------------------------

    @property
    def seed(self) -> int | None:
        """The seed of all random ops."""
        return self._seed

    @seed.setter
    def seed(self, seed: Any) -> None:
        self._seed = None if seed is None else int(seed)
        self._draws = random.Random(self._seed)
        self._streams.clear()
        self._memories.clear()

    def _next_op_seed(self) -> int:
        return self._draws.randint(0, 2**31 - 1)

    # -- names ---------------------------------------------------------------------------------

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """``name`` in the current scope; many may have it."""
        scope = self._scopes.name
        return f"{scope}/{name}" if scope else name

    def scope_path(self, name: str | None) -> str:
        """The path of the scope that ``name_scope(name)`` enters."""
        if not name:
            return ""
        if not isinstance(name, str):
            raise ValueError(f"'{name}' is not a valid scope name")
        return name[:-1] if name[-1] == "/" else self.unique_name(name)

    def node_name(self, name: str) -> str:
        """The name of what is computed; any will do."""
        return self.scope_path(name)

    # -- blocks --------------------------------------------------------------------------------

    def control_dependencies(self, control_inputs: Any) -> Any:
        """Nothing: what was called before has happened before; functions among them are called."""
        for item in control_inputs if isinstance(control_inputs, list | tuple) else [control_inputs]:
            if callable(item) and not isinstance(item, TensorLike):
                item()
        return nullcontext()

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:  # type: ignore[override]
        """Nothing: there is one device."""
        return nullcontext()

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:  # type: ignore[override]
        """Nothing: there is one device."""
        return nullcontext()

    def _original_op(self, op: Any) -> AbstractContextManager[None]:  # type: ignore[override]
        return nullcontext()

    def built_at(self, frames: Frames | None) -> AbstractContextManager[None]:  # type: ignore[override]
        """Nothing: an op that fails does so where it is called."""
        return nullcontext()

    # -- what a graph keeps --------------------------------------------------------------------

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Nothing: values live as long as the program holds them; but the global step is one for all."""
        if name == GraphKeys.GLOBAL_STEP:
            self.symbolic.add_to_collection(name, value)

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """What the program itself has added."""
        return self.symbolic.get_collection(name, scope)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """An empty list."""
        return []

    @property
    def symbolic(self) -> Graph:
        """The graph that the program gets as the default one: sessions can run it."""
        if (beside := self._beside()) is not None:
            return beside
        if self._symbolic is None:
            self._symbolic = Graph()
        return self._symbolic

    @property
    def naming(self) -> dict[str, Any]:
        """The notes of the graph in whose block eager execution was turned on, else this one's."""
        beside = self._beside()
        return self.notes if beside is None else beside.notes

    def _beside(self) -> Graph | None:
        """The graph that was the default when this one took over."""
        outer = next((g for g in reversed(stack.graphs.items) if g is not self), None)
        return outer if type(outer) is Graph and stack.default_graph() is self else None

    def forget(self) -> None:
        """Let the next default graph be a new one, and names of layers and scopes start over."""
        self._symbolic = None
        for kept in ("object names", "variable scopes", "variable store"):
            self.notes.pop(kept, None)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """``obj``, if it is a tensor that has its value or an op that has run."""
        if isinstance(obj, EagerTensor | EagerOperation):
            return obj
        return super().as_graph_element(obj, allow_tensor, allow_operation)


# -- errors ------------------------------------------------------------------------------------


def _key_of_kernel(op: EagerOperation) -> Any:
    """The type of an op and its attributes: one kernel works for all ops that have them."""
    plain = (int, str, bytes, DType)
    return op.type, *((k, v if isinstance(v, plain) else repr(v)) for k, v in op.attrs.items())


def _failure(op: EagerOperation, error: Exception, values: list[Any], given: str | None) -> Exception:
    """The error that TensorFlow raises where the kernel of ``op`` raised ``error``."""
    if isinstance(error, errors.OpError):
        if error.op is not None or " [Op:" in error.message:
            return error
        kind: Any = type(error)
        message = error.message.replace("{node}", op.name)
    elif lacks_memory(error):
        kind, message = errors.ResourceExhaustedError, words_of_memory(error)
    elif isinstance(error, RuntimeError | NotImplementedError):
        return error
    else:
        kind, message = words_of(op, error, values)
    message = f"{message} [Op:{op.type}]" + (f" name: {given}" if given else "")
    rows = [
        f"input {i} is {x.dtype.name} of shape {x.shape}" for i, x in enumerate(op.inputs) if x.dtype not in _LASTING
    ]
    told = {"why": "\n".join(rows)}
    if not isinstance(error, errors.OpError):
        if kind is errors.InternalError:
            told = of_a_defect(error)
        elif op.definition.failure is not None:
            told["fix"] = op.definition.remedy
    text = explain(message, where=location(user_frames()), **told)
    failed: Exception = kind(None, None, text)
    return failed


def _is_of_the_user(error: Exception) -> bool:
    return error.__cause__ is not None


@cache
def eager_graph() -> EagerGraph:
    """The one graph of its kind, made when it is first needed."""
    graph = EagerGraph()
    stack.when_forgotten.append(graph.forget)
    return graph
