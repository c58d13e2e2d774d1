"""``tf.make_template``: a function that makes its variables in its first call and shares them afterwards."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from retrograd.eager import deferred
from retrograd.graph import log, source
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import get_collection
from retrograd.graph.stack import default_graph
from retrograd.graph.untracked import TrackableReference, held, hold
from retrograd.state.scopes import VariableScope, pure_variable_scope, unique_variable_scope, variable_scope
from retrograd.state.variable_store import EagerVariableStore, default_variable_store
from retrograd.state.variables import variable_creator_scope


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Template:
    """``func_`` with ``kwargs`` filled in, whose calls share the variables that ``get_variable`` makes.

    Its variables live in a variable scope called ``unique_name_``, or ``name_`` made unique when the
    template is first called; with ``create_scope_now_``, now.

    Raises:
      ValueError: ``name_`` is None; ``unique_name_`` is given where ops run at once; or a later call makes a
        trainable variable.

    >>> scale = make_template("scale", lambda x: x)
    """
    return Template(
        name_,
        functools.partial(func_, **kwargs) if kwargs else func_,
        create_scope_now_,
        unique_name_,
        custom_getter_,
    )


def _store_of_a_template() -> EagerVariableStore:
    """Where ops run at once: the store of the template that makes this one, else one of its own."""
    outer = default_variable_store()
    return EagerVariableStore(outer) if outer.keeps_eager_variables else EagerVariableStore()


class Template:
    """A function, the variable scope of its variables, and whether they have been made."""

    def __init__(
        self,
        name: str,
        func: Callable[..., Any],
        create_scope_now: bool = False,
        unique_name: str | None = None,
        custom_getter: Any = None,
    ) -> None:
        if unique_name is not None and default_graph().is_eager:
            raise ValueError("unique_name_ cannot be used when eager exeuction is enabled.")
        if name is None:
            raise ValueError("name cannot be None.")
        self._func = func
        self._name = name
        self._unique_name = unique_name
        self._custom_getter = custom_getter
        self._made_at = source.traceback_rows(source.user_frames())  # text, which can be pickled
        self._variable_scope: VariableScope | None = None
        self._variables_created = False
        self._eager_store = _store_of_a_template() if default_graph().is_eager else None
        self._first_call = True
        if create_scope_now:
            with pure_variable_scope(unique_name or unique_variable_scope(name), custom_getter=custom_getter) as scope:
                self._variable_scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._eager_store is None:
            return self._in_scope(args, kwargs)
        with self._eager_store.as_default():
            return self._in_scope(args, kwargs)

    def _in_scope(self, args: Any, kwargs: Any) -> Any:
        if self._variable_scope is not None:
            with variable_scope(self._variable_scope, reuse=not self._first_call):
                return self._called(args, kwargs)
        with variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter) as scope:
            self._variable_scope = scope
            return self._called(args, kwargs)

    def _called(self, args: Any, kwargs: Any) -> Any:
        try:
            if self._variables_created:
                return self._called_again(args, kwargs)
            is_first, self._first_call = self._first_call, False
            try:
                with capture_dependencies(self):
                    result = self._func(*args, **kwargs)
            except BaseException:
                self._first_call = is_first
                raise
            self._variables_created = self._variables_created or is_first
            return result
        except Exception as error:
            rows = "".join(traceback.format_list(self._made_at))
            first = error.args[0] if error.args else ""
            error.args = (f"{first}\n\noriginally defined at:\n{rows}", *error.args[1:])
            raise

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The variables that its calls made and the templates that made some, by their names in its scope."""
        return list(held(self).items())

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return [TrackableReference(*pair) for pair in self._checkpoint_children()]

    def _known_variables(self) -> tuple[list[Any], list[Any]]:
        """All variables and the trainable ones: of the graph, or of the template where ops run at once."""
        if self._eager_store is not None:
            return self.variables, self.trainable_variables
        graph = default_graph()
        return graph.get_collection(GraphKeys.GLOBAL_VARIABLES), graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def _called_again(self, args: Any, kwargs: Any) -> Any:
        counts = [len(some) for some in self._known_variables()]
        with capture_dependencies(self):
            result = self._func(*args, **kwargs)
        variables, trainable = self._known_variables()
        if len(trainable) != counts[1]:
            raise ValueError(
                "Trainable variable created when calling a template after the first time, perhaps you used "
                "tf.Variable "
                f"when you meant tf.get_variable: {trainable[counts[1] :]}"
            )
        if len(variables) != counts[0]:
            log.info(
                "New variables created when calling a template after the first time, perhaps you used "
                "tf.Variable "
                "when you meant tf.get_variable: %s", variables[counts[0] :],
            )  # fmt: skip
        return result

    name = property(lambda self: self._name, doc="The name that it was given.")
    func = property(lambda self: self._func, doc="The function.")
    variable_scope = property(
        lambda self: self._variable_scope, doc="The scope of its variables; None before the first call."
    )
    var_scope = variable_scope

    @property
    def variable_scope_name(self) -> str | None:
        """The path of its scope with a ``/`` at the end."""
        scope = self._variable_scope
        if scope is None:
            return None
        name: str = scope.name
        return name if not name or name.endswith("/") else f"{name}/"

    def _collected(self, key: str) -> list[Any]:
        if self._eager_store is not None:
            if key == GraphKeys.LOCAL_VARIABLES:
                return []
            prefix = self.variable_scope_name
            own = [v for v in self._eager_store.variables() if prefix is not None and v.name.startswith(prefix)]
            return [v for v in own if v.trainable] if key == GraphKeys.TRAINABLE_VARIABLES else own
        return get_collection(key, self.variable_scope_name) if self._variables_created else []

    @property
    def trainable_variables(self) -> list[Any]:
        """Its trainable variables."""
        return self._collected(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def global_variables(self) -> list[Any]:
        """Its global variables."""
        return self._collected(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> list[Any]:
        """Its local variables."""
        return self._collected(GraphKeys.LOCAL_VARIABLES)

    @property
    def variables(self) -> list[Any]:
        """Its global and local variables."""
        return self.global_variables + self.local_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """Its global variables that are not trainable."""
        trainable = set(self.trainable_variables)
        return [v for v in self.global_variables if v not in trainable]

    weights = variables
    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables


_captures: ContextVar[tuple[tuple[Any, str], ...]] = ContextVar("captures", default=())


@contextmanager
def capture_dependencies(template: Any) -> Iterator[None]:
    """Let checkpoints of ``template`` hold the variables of the block, by their names in ``template.variable_scope``.

    Where such blocks lie within each other, the outer object holds the inner one.

    Raises:
      AttributeError: ``template`` has no ``variable_scope``, or it is None.
    """
    prefix = template.variable_scope.name
    mine = (*_captures.get(), (template, prefix))

    def creator(next_creator: Any, **arguments: Any) -> Any:
        variable = next_creator(**arguments)
        if _captures.get() is mine and arguments.get("name"):
            _hold_in_each(mine, variable, arguments["name"])
            deferred.variables_made()
        return variable

    token = _captures.set(mine)
    try:
        with variable_creator_scope(creator):
            yield
    finally:
        _captures.reset(token)


@contextmanager
def capturing_nothing() -> Iterator[None]:
    """Let the variables of the block belong to none of the objects that capture."""
    token = _captures.set(())
    try:
        yield
    finally:
        _captures.reset(token)


def _hold_in_each(captures: tuple[tuple[Any, str], ...], item: Any, name: str) -> None:
    for holder, prefix in reversed(captures):
        if name.startswith(prefix):
            hold(holder, item, name[len(prefix) + 1 :], overwrite=True)
            item, name = holder, prefix
