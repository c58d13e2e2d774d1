"""``variable_scope`` and ``get_variable``: variables by name, shared where a program asks for it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor, graph_of
from retrograd.graph.scopes import get_collection, name_scope
from retrograd.graph.stack import default_graph
from retrograd.state import partitioned
from retrograd.state.variable_store import AUTO_REUSE, VariableStore, default_variable_store
from retrograd.state.variables import VariableAggregation, VariableSynchronization


class VariableScope:
    """The defaults that ``get_variable`` takes from the scope that it is called in."""

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        name_scope: str = "",
        dtype: Any = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ) -> None:
        self._name = name
        self._initializer = initializer
        self._regularizer = regularizer
        self._reuse = reuse
        self._caching_device = caching_device
        self._partitioner = partitioner
        self._custom_getter = custom_getter
        self._name_scope = name_scope
        self._dtype = dtype
        self._use_resource = use_resource
        self._constraint = constraint
        if default_graph().is_eager:
            if caching_device is not None:
                raise NotImplementedError("Caching devices is not yet supported when eager execution is enabled.")
            self._reuse, self._use_resource = AUTO_REUSE, True

    name = property(lambda self: self._name, doc="The path of the scope, the prefix of its variables' names.")
    original_name_scope = property(lambda self: self._name_scope, doc="The name scope that was opened with it.")
    reuse = property(lambda self: self._reuse, doc="False, True or ``AUTO_REUSE``.")
    initializer = property(lambda self: self._initializer, doc="The default initializer.")
    dtype = property(lambda self: self._dtype, doc="The default dtype.")
    use_resource = property(lambda self: self._use_resource, doc="Whether variables are resource variables.")
    regularizer = property(lambda self: self._regularizer, doc="The default regularizer.")
    caching_device = property(lambda self: self._caching_device, doc="The default caching device.")
    partitioner = property(lambda self: self._partitioner, doc="The default partitioner.")
    custom_getter = property(lambda self: self._custom_getter, doc="The getter that every variable passes.")
    constraint = property(lambda self: self._constraint, doc="The default constraint.")

    def reuse_variables(self) -> None:
        """Take variables that are there already, from now on."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Set the default initializer."""
        self._initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Set the default dtype."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Let variables be resource variables, or not."""
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: Any) -> None:
        """Set the default regularizer."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Set the default caching device."""
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Set the default partitioner."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Set the getter that every variable passes."""
        self._custom_getter = custom_getter

    def get_collection(self, name: Any) -> list[Any]:
        """The items of a collection whose names begin with the scope's path."""
        return get_collection(name, f"{self._name}/" if self._name else "")

    def trainable_variables(self) -> list[Any]:
        """The trainable variables of this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list[Any]:
        """The global variables of this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The local variables of this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(
        self,
        var_store: VariableStore,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Any = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """The variable called ``name`` in this scope, or a new one."""
        if default_graph().is_eager:
            reuse, use_resource = False, True
        with name_scope(None):  # the names of variables follow variable scopes only
            if dtype is not None and initializer is not None and not callable(initializer):
                given = as_tensor(initializer).dtype.base_dtype
                if given != dtype:
                    raise ValueError(f"Initializer type '{given}' and explicit dtype '{dtype}' don't match.")
            return var_store.get_variable(
                f"{self._name}/{name}" if self._name else name,
                shape=shape,
                dtype=_first(dtype, self._dtype),
                initializer=_first(initializer, self._initializer),
                regularizer=_first(regularizer, self._regularizer),
                reuse=_first(reuse, self._reuse),
                trainable=trainable,
                collections=collections,
                caching_device=_first(caching_device, self._caching_device),
                partitioner=_first(partitioner, self._partitioner),
                validate_shape=validate_shape,
                use_resource=_first(use_resource, self._use_resource),
                custom_getter=_first(custom_getter, self._custom_getter),
                constraint=_first(constraint, self._constraint),
                synchronization=synchronization,
                aggregation=aggregation,
            )

    def _get_partitioned_variable(
        self, var_store: VariableStore, name: str | None, partitioner: Any = None, **arguments: Any
    ) -> Any:
        if self._custom_getter is not None:
            raise ValueError(
                "Private access to _get_partitioned_variable is not allowed when a custom getter is set.  "
                f"Current custom getter: {self._custom_getter}.  It is likely that you're using "
                "create_partitioned_variables.  If so, consider instead using get_variable with a non-empty "
                "partitioner parameter instead."
            )
        partitioner = _first(partitioner, self._partitioner)
        if partitioner is None:
            raise ValueError("No partitioner was specified")
        for key in ("initializer", "regularizer", "constraint", "caching_device", "dtype", "use_resource"):
            arguments[key] = _first(arguments.get(key), getattr(self, key))
        full = "/".join(part for part in (self._name, name) if part)
        with name_scope(None):
            return partitioned.get_partitioned_variable(var_store, full, partitioner, reuse=self._reuse, **arguments)


def _first(given: Any, default: Any) -> Any:
    return default if given is None else given


class ScopeStore(threading.local):
    """The current variable scope of a thread, and how often each path was opened."""

    def __init__(self) -> None:
        self.current_scope = VariableScope(False)
        self.variable_scopes_count: dict[str, int] = {}

    def open_variable_scope(self, scope_name: str) -> None:
        """Count one more opening of a path."""
        self.variable_scopes_count[scope_name] = self.variable_scope_count(scope_name) + 1

    def close_variable_subscopes(self, scope_name: str | None) -> None:
        """Forget how often the paths below one were opened."""
        for path in self.variable_scopes_count:
            if scope_name is None or path.startswith(f"{scope_name}/"):
                self.variable_scopes_count[path] = 0

    def variable_scope_count(self, scope_name: str) -> int:
        """How often a path was opened."""
        return self.variable_scopes_count.get(scope_name, 0)


def get_variable_scope_store() -> ScopeStore:
    """The variable scopes of the default graph."""
    store: ScopeStore | None = default_graph().naming.get("variable scopes")
    if store is None:
        store = default_graph().naming.setdefault("variable scopes", ScopeStore())
    return store


def get_variable_scope() -> VariableScope:
    """The current variable scope."""
    return get_variable_scope_store().current_scope


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """The variable called ``name`` in the current variable scope: the one that is there, or a new one.

    Which of the two is allowed is up to the scope's ``reuse``: False allows a new one, True one
    that is there, ``tf.AUTO_REUSE`` both.  What is not given here is taken from the scope.

    Args:
      shape: the shape of a new variable; not for an ``initializer`` that is a value.
      initializer: a value, an initializer object or class, or a function of ``shape``, ``dtype`` and
        ``partition_info``; by default Glorot's uniform distribution for floats, zeros for the rest.
      regularizer: a function of the variable whose result joins ``GraphKeys.REGULARIZATION_LOSSES``.
      custom_getter: ``custom_getter(getter, name, ...)`` may call ``getter`` with other arguments.

    Raises:
      ValueError: ``reuse`` forbids it, or shape or dtype are not those of the variable that is there.

    >>> with variable_scope("a", reuse=AUTO_REUSE):
    ...     v = get_variable("v", [2], initializer=lambda shape, dtype, partition_info: [1.0, 2.0])
    ...     v is get_variable("v", [2])
    True
    """
    return get_variable_scope().get_variable(
        default_variable_store(), name, shape=shape, dtype=dtype, initializer=initializer,
        regularizer=regularizer,
        trainable=trainable, collections=collections, caching_device=caching_device, partitioner=partitioner,
        validate_shape=validate_shape, use_resource=use_resource, custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization, aggregation=aggregation,
    )  # fmt: skip


def get_local_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = False,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """``get_variable`` for a local variable: not trainable, not saved."""
    return get_variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=False,
        collections=[*(collections or ()), GraphKeys.LOCAL_VARIABLES], caching_device=caching_device,
        partitioner=partitioner, validate_shape=validate_shape, use_resource=use_resource,
        custom_getter=custom_getter, constraint=constraint, synchronization=synchronization,
        aggregation=aggregation,
    )  # fmt: skip


def no_regularizer(_: Any) -> None:
    """Gives no loss: lifts the regularizer that a scope would apply."""


class PureScope:
    """The variable scope of a ``variable_scope`` block, without its name scope."""

    def __init__(
        self, name_or_scope: Any, reuse: Any = None, old_name_scope: str | None = None, **settings: Any
    ) -> None:
        self._given = name_or_scope
        self._reuse = reuse
        self._old_name_scope = old_name_scope
        self._settings = settings
        self._store = get_variable_scope_store()
        self._scope: VariableScope | None = None
        if isinstance(name_or_scope, VariableScope):
            self._path = name_or_scope.name
            self._jump = self._derived(name_or_scope, reuse or name_or_scope.reuse, name_or_scope.original_name_scope)

    def _derived(self, base: VariableScope, reuse: Any, original_name_scope: str) -> VariableScope:
        settings = dict(self._settings)
        if settings["custom_getter"] is not None:
            settings["custom_getter"] = _getter_around(settings["custom_getter"], base.custom_getter)
        for key in settings:
            if key != "constraint":  # the one setting that an inner scope does not inherit
                settings[key] = _first(settings[key], getattr(base, key))
        return VariableScope(reuse, name=self._path, name_scope=original_name_scope, **settings)

    def __enter__(self) -> VariableScope:
        store = self._store
        self._outer = store.current_scope
        if isinstance(self._given, VariableScope):
            store.open_variable_scope(self._path)
            self._outer_counts = dict(store.variable_scopes_count)
            scope = self._jump
        else:
            outer = self._outer
            self._path = f"{outer.name}/{self._given}" if outer.name else self._given
            self._reuse = self._reuse or outer.reuse
            scope = self._derived(outer, self._reuse, _first(self._old_name_scope, self._given))
            store.open_variable_scope(self._path)
        store.current_scope = self._scope = scope
        return scope

    def __exit__(self, *error: Any) -> None:
        store = self._store
        if store.current_scope is not self._scope:
            raise RuntimeError("Improper nesting of variable_scope.")
        if isinstance(self._given, VariableScope):
            store.variable_scopes_count = self._outer_counts
        else:
            store.close_variable_subscopes(self._path)
        store.current_scope = self._outer


def pure_variable_scope(
    name_or_scope: Any,
    reuse: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    old_name_scope: str | None = None,
    dtype: Any = dtypes.float32,
    use_resource: bool | None = None,
    constraint: Any = None,
) -> PureScope:
    """``variable_scope`` without its name scope."""
    return PureScope(
        name_or_scope, reuse, old_name_scope, initializer=initializer, regularizer=regularizer,
        caching_device=caching_device, partitioner=partitioner, custom_getter=custom_getter, dtype=dtype,
        use_resource=use_resource, constraint=constraint,
    )  # fmt: skip


def _getter_around(custom_getter: Any, outer: Any) -> Any:
    if outer is None:
        return custom_getter

    def both(getter: Any, *args: Any, **kwargs: Any) -> Any:
        return custom_getter(functools.partial(outer, getter), *args, **kwargs)

    return both


def unique_variable_scope(prefix: str) -> str:
    """``prefix``, or with ``_1``, ``_2``, ... the first that has not been opened in the current scope."""
    store = get_variable_scope_store()
    outer = store.current_scope.name
    path = f"{outer}/{prefix}" if outer else prefix
    if not store.variable_scope_count(path):
        return prefix
    number = 1
    while store.variable_scope_count(f"{path}_{number}"):
        number += 1
    return f"{prefix}_{number}"


class variable_scope:
    """Name the variables of the block, and set the defaults that ``get_variable`` uses there.

    ``name_or_scope`` is a name below the current scope, or a ``VariableScope`` to go back to; None
    takes ``default_name``, made unique.  With ``values`` the block builds into their graph.  The
    block is a name scope too, unless ``auxiliary_name_scope`` is False.

    Raises:
      TypeError, ValueError: the arguments are not of the right kinds.
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        self._given = name_or_scope
        self._default_name = default_name
        self._settings = {
            "initializer": initializer, "regularizer": regularizer, "caching_device": caching_device,
            "partitioner": partitioner, "custom_getter": custom_getter, "dtype": dtype,
            "use_resource": use_resource, "constraint": constraint,
        }  # fmt: skip
        self._reuse = None if reuse is False else reuse
        if not (self._reuse is True or self._reuse is None or self._reuse is AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(f"The auxiliary_name_scope must be `True` or `False`, while get {auxiliary_name_scope}")
        self._opens_name_scope = auxiliary_name_scope
        self._graph = graph_of(values or ())
        self._pure: PureScope | None = None
        self._name_scope: Any = None

    def __enter__(self) -> VariableScope:
        self._graph_block = self._graph.as_default()
        self._graph_block.__enter__()
        try:
            if self._pure is not None:  # entered once more
                if self._name_scope is not None:
                    self._name_scope.__enter__()
                return self._pure.__enter__()
            return self._enter_first()
        except BaseException as error:
            self._graph_block.__exit__(type(error), error, error.__traceback__)
            raise

    def _enter_first(self) -> VariableScope:
        given = self._given
        if given is None:
            if self._reuse:
                raise ValueError("reuse=True cannot be used without a name_or_scope")
            path = self._enter_name_scope(self._default_name)
            pure = PureScope(unique_variable_scope(self._default_name or ""), None, path, **self._settings)
        else:
            if not isinstance(given, VariableScope | str):
                raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
            last = given if isinstance(given, str) else given.name.split("/")[-1]
            path = None
            if last or not self._opens_name_scope:
                path = self._enter_name_scope(last)
                if isinstance(given, VariableScope):
                    path = given.original_name_scope
            pure = PureScope(given, self._reuse, path, **self._settings)
        scope = pure.__enter__()
        self._pure = pure
        return scope

    def _enter_name_scope(self, name: str | None) -> str:
        if not self._opens_name_scope:
            current = self._graph.get_name_scope()
            name = f"{current}/" if current else ""
        self._name_scope = name_scope(name)
        path: str = self._name_scope.__enter__()
        return path

    def __exit__(self, *error: Any) -> None:
        try:
            assert self._pure is not None
            self._pure.__exit__(*error)
        finally:
            try:
                if self._name_scope is not None:
                    self._name_scope.__exit__(*error)
            finally:
                self._graph_block.__exit__(*error)

    def __call__(self, function: Any) -> Any:
        """Use the scope as a decorator: each call of ``function`` is made inside it."""

        @functools.wraps(function)
        def inside(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return inside


@contextmanager
def variable_op_scope(
    values: Any,
    name_or_scope: Any,
    default_name: str | None = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    reuse: Any = None,
    dtype: Any = None,
    use_resource: bool | None = None,
    constraint: Any = None,
) -> Iterator[VariableScope]:
    """The old order of ``variable_scope``'s arguments."""
    with variable_scope(
        name_or_scope, default_name, values, initializer, regularizer, caching_device, partitioner,
        custom_getter,
        reuse, dtype, use_resource, constraint,
    ) as scope:  # fmt: skip
        yield scope
