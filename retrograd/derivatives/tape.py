"""``tf.GradientTape``: derivatives through the ops that were built inside of a block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.derivatives import jacobians
from retrograd.eager.tapes import Tape
from retrograd.grad.gradients import UnconnectedGradients, checked_unconnected, gradients
from retrograd.graph import log, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import arrays, constants, dataflow, joining

_COLLECTIONS = (GraphKeys.TRAINABLE_VARIABLES, GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES)
_WAYS_IN = dataflow.SWITCHES | {"Enter", "RefEnter"}


class GradientTape:
    """Records the ops that are built in its block, to differentiate through these alone.

    Args:
      persistent: whether ``gradient`` may be called more than once.
      watch_accessed_variables: whether the trainable variables that the block reads are watched of themselves.

    >>> from retrograd.ops import constants
    >>> x = constants.constant(3.0)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> tape.gradient(y, x).shape
    TensorShape([])
    """

    def __new__(cls, persistent: bool = False, watch_accessed_variables: bool = True) -> GradientTape:
        """A tape of the ops that run at once, where they do."""
        return super().__new__(EagerGradientTape if cls is GradientTape and default_graph().is_eager else cls)

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watches_variables = watch_accessed_variables
        self._is_spent = False
        self._forget()

    def _forget(self) -> None:
        self._began: int | None = None  # the op at which it began to record; None while it does not
        self._spans: list[range] = []
        self._watched: dict[Tensor, Any] = {}

    # -- recording -----------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        if self._began is not None:
            raise ValueError("Tape is already recording.")
        self._graph = default_graph()
        self._began = self._graph.version
        return self

    def __exit__(self, *error: Any) -> None:
        if self._began is not None:
            self._pause()

    def _pause(self) -> None:
        assert self._began is not None
        self._spans.append(range(self._began, self._graph.version))
        self._began = None

    def watch(self, tensor: Any) -> None:
        """Let derivatives with respect to ``tensor``, a tensor, a variable or a nesting of them, be asked for.

        Raises:
          ValueError: it is something else.
        """
        for x in nest.flatten(tensor):
            if not isinstance(x, TensorLike):
                raise ValueError(f"Passed in object of type {type(x)}, not tf.Tensor")
            if not x.dtype.is_floating:
                log.log_first_n(
                    log.WARN, "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r", 5, x.dtype
                )
            self._watched[_tensor(x)] = x

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Record nothing of what is built in the block.

        Raises:
          RuntimeError: the tape is not recording.
        """
        if self._began is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._pause()
        try:
            yield
        finally:
            self.__enter__()

    def reset(self) -> None:
        """Forget what was recorded and watched, and go on recording."""
        if self._began is None:
            raise ValueError("Tape is not recording.")
        self._forget()
        self.__enter__()

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that are watched."""
        found = [x for x in self._sources(self._recorded()).values() if not isinstance(x, Tensor)]
        return tuple(found)

    def _recorded(self) -> dict[Operation, None]:
        spans = [*self._spans, *([] if self._began is None else [range(self._began, self._graph.version)])]
        ops = self._graph.get_operations() if spans else []
        return _with_ways_in(op for span in spans for op in ops[span.start : span.stop])

    def _sources(self, recorded: dict[Operation, None]) -> dict[Tensor, Any]:
        """What is watched, and the trainable variables that ``recorded`` ops read."""
        sources = dict(self._watched)
        if self._watches_variables and recorded:
            variables = _trainable(self._graph)
            for handle, variable in self._graph.notes.get("variables from outside", {}).items():
                if variable() is not None:
                    variables[handle] = variable()
            sources |= {x: variables[x] for op in recorded for x in op.inputs if x in variables}
        return sources

    # -- differentiating -----------------------------------------------------------------------

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """The derivative of the sum of ``target`` by ``sources``, through recorded ops alone; a nesting like these.

        It is None, or zero if ``unconnected_gradients`` says so, by what is not watched.

        Raises:
          RuntimeError: it was called before and the tape is not persistent.
        """
        self._check_not_spent()
        ys = [self._target(y) for y in nest.flatten(target)]
        if self._began is not None and not self._persistent:
            self._pause()
        recorded, xs = self._recorded(), [_tensor(x) for x in nest.flatten(sources)]
        moving = self._moving(recorded)
        stops = [x for op in recorded for x in op.inputs if x.op not in recorded]
        stops += [x for x in xs if x not in moving]
        grad_ys = None if output_gradients is None else nest.flatten(output_gradients)
        pairs = [(y, None if grad_ys is None else grad_ys[i]) for i, y in enumerate(ys) if y in moving]
        asked = [x for x in xs if x in moving] if pairs else []
        found = gradients([y for y, _ in pairs], asked, [dy for _, dy in pairs], stop_gradients=stops) if asked else []
        by_source = dict(zip(asked, found, strict=True))
        self._is_spent = not self._persistent
        dxs = [by_source.get(x) for x in xs]
        if checked_unconnected(unconnected_gradients) is UnconnectedGradients.ZERO:
            dxs = [_zeros(x) if dx is None else dx for x, dx in zip(xs, dxs, strict=True)]
        return nest.pack_sequence_as(sources, dxs)

    def _check_not_spent(self) -> None:
        if self._is_spent:
            error = RuntimeError("GradientTape.gradient can only be called once on non-persistent tapes.")
            error.add_note("  Fix:   tf.GradientTape(persistent=True)")
            raise error

    def _target(self, y: Any) -> Tensor:
        if not hasattr(y, "handle"):
            return as_tensor(y)
        if self._began is not None:
            return as_tensor(y)
        with self:  # reading a variable belongs to what is differentiated
            return as_tensor(y)

    def _moving(self, recorded: dict[Operation, None]) -> set[Tensor]:
        """What is watched, and what recorded ops compute from it."""
        queue = list(self._sources(recorded))
        moving = set(queue)
        while queue:
            tensor = queue.pop()
            new = [y for op in tensor.readers if op in recorded for y in op.outputs if y not in moving]
            moving.update(new)
            queue += new
        return moving

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Of every element of ``target`` the derivative by ``sources``: ``retrograd.jacobian``."""
        self._check_not_spent()
        self._is_spent = not self._persistent
        kind = checked_unconnected(unconnected_gradients).value
        return jacobians.jacobian(self._target(target), sources, kind)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The same row by row: ``retrograd.batch_jacobian``."""
        self._check_not_spent()
        _check_rows(target, source)
        self._is_spent = not self._persistent
        found = jacobians.batch_jacobian(self._target(target), source)
        return _missing_rows(target, source, unconnected_gradients) if found is None else found


class EagerGradientTape(GradientTape):
    """Records the ops that run in its block."""

    def _forget(self) -> None:
        self._tape = Tape(self._watches_variables)
        self._is_recording = False

    def __enter__(self) -> GradientTape:
        if self._is_recording:
            raise ValueError("Tape is already recording.")
        self._tape.start()
        self._is_recording = True
        return self

    def __exit__(self, *error: Any) -> None:
        if self._is_recording:
            self._tape.stop()
            self._is_recording = False

    def watch(self, tensor: Any) -> None:
        for x in nest.flatten(tensor):
            if not isinstance(x, TensorLike):
                raise ValueError(f"Passed in object of type {type(x)}, not tf.Tensor")
            if not x.dtype.is_floating:
                log.log_first_n(
                    log.WARN, "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r", 5, x.dtype
                )
            if hasattr(x, "handle"):
                self._tape.watch_variable(x)
            else:
                self._tape.watch(x)

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        if not self._is_recording:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()

    def reset(self) -> None:
        if not self._is_recording:
            raise ValueError("Tape is not recording.")
        self.__exit__()
        self._forget()
        self.__enter__()

    def watched_variables(self) -> tuple[Any, ...]:
        return tuple(self._tape.variables.values())

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        self._check_not_spent()
        if self._is_recording and not self._persistent:
            self.__exit__()
        ys = [self._eager_target(y) for y in nest.flatten(target)]
        dys = [None] * len(ys) if output_gradients is None else nest.flatten(output_gradients)
        xs = nest.flatten(sources)
        dxs = gradients_of(self._tape, ys, [getattr(x, "handle", x) for x in xs], dys)
        if checked_unconnected(unconnected_gradients) is UnconnectedGradients.ZERO:
            dxs = [_zeros_like(x) if dx is None else dx for x, dx in zip(xs, dxs, strict=True)]
        if not self._persistent:
            self._is_spent = True
            self._tape.forget()
        return nest.pack_sequence_as(sources, dxs)

    def _eager_target(self, y: Any) -> Any:
        if not hasattr(y, "handle"):
            return y
        if self._is_recording:
            return as_tensor(y)
        with self:
            return as_tensor(y)

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Of every element of ``target`` the derivative by ``sources``, a row for each."""
        self._check_not_spent()
        if not self._persistent and not experimental_use_pfor:
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the jacobian with eager execution "
                "enabled and with experimental_use_pfor set to False."
            )
        flat, xs = arrays.reshape(self._eager_target(target), [-1]), nest.flatten(sources)
        rows = self._rows(target, xs, [_unit(flat, i, target.shape) for i in range(flat.shape[0])])
        dims = list(target.shape)
        found = [
            _missing(x, dims, unconnected_gradients) if any(r is None for r in column)
            else arrays.reshape(joining.stack(column), dims + list(x.shape))
            for x, column in zip(xs, zip(*rows, strict=True), strict=True)
        ]  # fmt: skip
        return nest.pack_sequence_as(sources, found)

    def _rows(self, target: Any, xs: list[Any], seeds: list[Any]) -> list[list[Any]]:
        """The gradients by ``xs`` for each of ``seeds``, the gradients of ``target``."""
        if self._is_recording and not self._persistent:
            self.__exit__()
        y, handles = self._eager_target(target), [getattr(x, "handle", x) for x in xs]
        rows = [gradients_of(self._tape, [y], handles, [seed]) for seed in seeds]
        if not self._persistent:
            self._is_spent = True
            self._tape.forget()
        return rows

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Of every row of ``target`` the derivative by the same row of ``source``.

        Raises:
          ValueError: they have not the same number of rows, or no columns.
          RuntimeError: the tape is not persistent, and would have to be gone through for each column.
        """
        self._check_not_spent()
        _check_rows(target, source)
        if not self._persistent and not experimental_use_pfor:
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the batch_jacobian with eager execution "
                "enabled and  with experimental_use_pfor set to False."
            )
        width = int(np.prod(target.shape.as_list()[1:]))
        seeds = [arrays.reshape(_columns(target, width, i), target.shape) for i in range(width)]
        columns = [row[0] for row in self._rows(target, [source], seeds)]
        if not columns:
            return constants.zeros(target.shape.as_list() + source.shape.as_list()[1:], target.dtype)
        if any(c is None for c in columns):
            return _missing_rows(target, source, unconnected_gradients)
        return arrays.reshape(joining.stack(columns, 1), target.shape.as_list() + source.shape.as_list()[1:])


def gradients_of(tape: Tape, ys: list[Any], xs: list[Any], dys: list[Any]) -> list[Any]:
    """The derivative of the sum of ``ys`` by ``xs`` from a tape; ``dys`` are the gradients of ys, None for ones."""
    seeds = [constants.ones_like(y) if dy is None else as_tensor(dy) for y, dy in zip(ys, dys, strict=True)]
    return tape.gradient(ys, xs, seeds)


def _with_ways_in(recorded: Iterable[Operation]) -> dict[Operation, None]:
    """``recorded``, and what brought their inputs into a loop or a branch, perhaps for an op before the block."""
    found = dict.fromkeys(recorded)
    queue = list(found)
    for op in queue:
        new = [x.op for x in op.inputs if x.op.type in _WAYS_IN and x.op not in found]
        found.update(dict.fromkeys(new))
        queue += new
    return found


def _check_rows(target: Any, source: Any) -> None:
    rows, others = target.shape.with_rank_at_least(2)[:1], source.shape.with_rank_at_least(2)[:1]
    if rows.rank != 1 or others.rank != 1 or not rows.is_compatible_with(others):
        raise ValueError(
            f"Need first dimension of target shape ({target.shape}) and source shape ({source.shape}) to match."
        )


def _unit(flat: Any, i: int, shape: Any) -> Any:
    seed = np.zeros(flat.shape[0].value, flat.dtype.np)
    seed[i] = 1
    return arrays.reshape(as_tensor(seed), shape)


def _columns(target: Any, width: int, i: int) -> Any:
    seed = np.zeros((target.shape[0].value, width), target.dtype.np)
    seed[:, i] = 1
    return as_tensor(seed)


def _missing_rows(target: Any, source: Any, unconnected: UnconnectedGradients | str) -> Any:
    """What ``batch_jacobian`` gives where nothing leads from source to target."""
    if checked_unconnected(unconnected) is UnconnectedGradients.NONE:
        return None
    shape = joining.concat([arrays.shape(target), arrays.shape(source)[1:]], 0)
    return constants.zeros(shape, source.dtype.base_dtype)


def _missing(x: Any, dims: list[Any], unconnected: UnconnectedGradients | str) -> Any:
    if checked_unconnected(unconnected) is UnconnectedGradients.NONE:
        return None
    return constants.zeros(dims + list(x.shape), x.dtype.base_dtype)


def _zeros_like(x: Any) -> Any:
    return constants.zeros_like(as_tensor(x))


def _tensor(x: Any) -> Tensor:
    """What stands for ``x`` in the graph: of a resource variable its handle, of another its value."""
    return default_graph().capture(_outside(x))


def _outside(x: Any) -> Tensor:
    """The same in the graph that ``x`` belongs to."""
    return as_tensor(getattr(x, "handle", x))


def _trainable(graph: Graph) -> dict[Tensor, Any]:
    """The trainable variables of a graph, by what stands for them; in a function also those of the graphs around it."""
    kept = [v for key in _COLLECTIONS for v in graph.get_collection(key)]
    found = {_outside(v): v for v in kept if getattr(v, "trainable", False)}
    if isinstance(graph, FunctionGraph):
        found |= {graph.captured[x]: v for x, v in _trainable(graph.outer_graph).items() if x in graph.captured}
    return found


def _zeros(x: Tensor) -> Tensor:
    (zeros,) = gradients([as_tensor(0.0)], [x], unconnected_gradients=UnconnectedGradients.ZERO)
    tensor: Tensor = zeros
    return tensor
