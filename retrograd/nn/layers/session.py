"""The session of Keras: where layers and models read and write their variables, which get first values there.

It is the default session; without one, a session of Keras' own on the default graph.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import graph_of_models
from retrograd.graph import nest
from retrograd.graph.modes import executing_eagerly_outside_functions, init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.stack import default_graph, default_session
from retrograd.graph.tensor import Tensor
from retrograd.ops.constants import placeholder
from retrograd.run.session import Session
from retrograd.state.initialization import is_variable_initialized, variables_initializer
from retrograd.state.resource import UnreadVariable
from retrograd.state.variables import VariableV2

_own: list[Any] = [None]
_manual = [False]
_looked_at: weakref.WeakKeyDictionary[Any, set[int]] = weakref.WeakKeyDictionary()  # by session: ids of variables


def set_session(session: Any) -> None:
    """Let models run in this session where none is the default."""
    _own[0] = session


def manual_variable_initialization(value: bool) -> None:
    """Whether ``get_session`` leaves variables alone."""
    _manual[0] = bool(value)


def track_variable(variable: Any) -> None:
    """Let ``get_session`` initialize a variable of the graph that is built."""
    if variable._in_graph_mode:
        default_graph().notes.setdefault("keras variables", {})[id(variable)] = variable


def current_session(of: Any = ()) -> Any:
    """The default session, or Keras' own on the graph of the tensors in ``of``, else on the default graph.

    Where ops run at once it is Keras' own, whatever session a block around that has.
    """
    graph = default_graph()
    if executing_eagerly_outside_functions():
        graph = graph_of_models()
    else:
        session = default_session()
        if session is not None:
            return session
        graph = next((x.graph for x in nest.flatten(of) if isinstance(x, Tensor | Operation)), graph)
    if _own[0] is None or _own[0].graph is not graph:
        _own[0] = Session(graph=graph)
        if graph.captures:  # it runs on the variables of eager execution
            _own[0]._store, _own[0]._is_alone = eager_graph().store, False
    return _own[0]


def get_session(op_input_list: Any = ()) -> Any:
    """``current_session(op_input_list)``, in which the variables of layers and optimizers have values."""
    session = current_session(op_input_list)
    if not _manual[0]:
        with session.graph.as_default():
            initialize(session)
    return session


def were_looked_at(variables: Iterable[Any]) -> bool:
    """Whether any of the variables has a value in a session of Keras."""
    seen = set().union(*_looked_at.values())
    return executing_eagerly_outside_functions() or any(id(v) in seen for v in variables)


def initialize(session: Any) -> None:
    """Give first values to the tracked variables that have none; each is looked at once."""
    done = _looked_at.setdefault(session, set())
    tracked = default_graph().notes.get("keras variables", {})
    if len(done) == len(tracked):  # of the variables of one graph, which are never taken away
        return
    new = [v for key, v in tracked.items() if key not in done]
    has_value = session.run([is_variable_initialized(v) for v in new])
    empty = [v for v, there in zip(new, has_value, strict=True) if not there]
    done.update(id(v) for v in new)
    if empty:
        session.run(variables_initializer(empty))


def batch_get_value(tensors: Any) -> list[Any]:
    """The values of variables."""
    if executing_eagerly_outside_functions():
        with init_scope():
            return [v.numpy() for v in tensors]
    return list(get_session().run(list(tensors))) if tensors else []


def batch_set_value(tuples: Iterable[tuple[Any, Any]]) -> None:
    """Let variables have these values.

    Raises:
      ValueError: a value has another shape.
    """
    _assign(tuples, get_session)


def set_first_values(tuples: Iterable[tuple[Any, Any]]) -> None:
    """The same for variables of which none need have a first value."""
    _assign(tuples, current_session)


def _assign(tuples: Iterable[tuple[Any, Any]], session: Callable[[], Any]) -> None:
    if executing_eagerly_outside_functions():
        with init_scope():
            for x, value in tuples:
                x.assign(np.asarray(value, dtype=x.dtype.base_dtype.as_numpy_dtype))
        return
    feeds, assignments = {}, []
    with current_session().graph.as_default() as graph:
        kept = graph.notes.setdefault("keras assignments", {})
        for x, value in tuples:
            value = np.asarray(value, dtype=x.dtype.base_dtype.as_numpy_dtype)
            check_shapes([(x, value)])
            if id(x) not in kept:
                given = placeholder(x.dtype.base_dtype, [None] * value.ndim)
                kept[id(x)] = given, x.assign(given), x
            given, assignment, _ = kept[id(x)]
            feeds[given] = value
            assignments.append(assignment)
    if assignments:
        session().run(assignments, feed_dict=feeds)


def check_shapes(pairs: Iterable[tuple[Any, Any]]) -> None:
    """Raises ``ValueError`` unless each variable has the shape of its value."""
    for x, value in pairs:
        known = x.shape
        if known.is_fully_defined() and tuple(known.as_list()) != value.shape:
            raise ValueError(
                f"Cannot feed value of shape {value.shape} for Tensor {x.name!r}, which has shape {known!r}"
            )


def track_own(values: Any) -> None:
    """``track_variable`` for the variables among ``values``; what an assignment gives is none of its own."""
    for v in values:
        if isinstance(v, VariableV2) and not isinstance(v, UnreadVariable):
            track_variable(v)
