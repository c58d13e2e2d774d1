"""Contexts of a strategy: that of all replicas and that of one, ``ReplicaContext``."""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from retrograd.graph import dtypes, nest
from retrograd.graph.stack import default_graph
from retrograd.ops import arrays, constants
from retrograd.state.custom_gradient import custom_gradient
from retrograd.state.strategies import Mode, current_mode, modes

if TYPE_CHECKING:
    from retrograd.distribute.strategies import Strategy


class ReduceOp(enum.Enum):
    """How the values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


def reduce_op_of(value: Any) -> ReduceOp:
    """A ``ReduceOp``, or one by its name."""
    return ReduceOp(value.upper()) if isinstance(value, str) else value


_UPDATING = threading.local()


def get_update_device() -> Any:
    """The device, or the variable, that an update is for; None outside of updates."""
    return getattr(_UPDATING, "device", None)


class UpdateContext:
    """A block that updates a variable on a device."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._outer: Any = None

    def __enter__(self) -> None:
        self._outer, _UPDATING.device = get_update_device(), self._device

    def __exit__(self, *_: object) -> None:
        _UPDATING.device = self._outer


class ReplicaContext:
    """What a function that every replica calls knows of its replica."""

    def __init__(self, strategy: Strategy, replica_id_in_sync_group: Any) -> None:
        self._strategy = strategy
        self._replica_id_in_sync_group = replica_id_in_sync_group

    def __enter__(self) -> None:
        modes_of_graph().append(Mode(self._strategy, self))

    def __exit__(self, *_: object) -> None:
        modes_of_graph().pop()

    @property
    def strategy(self) -> Strategy:
        return self._strategy

    @property
    def num_replicas_in_sync(self) -> int:
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self) -> Any:
        """The number of the replica."""
        require_replica_context(self)
        return self._replica_id_in_sync_group

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of the replica."""
        require_replica_context(self)
        return self._strategy.extended._devices

    def merge_call(self, merge_fn: Callable[..., Any], args: Any = (), kwargs: Any = None) -> Any:
        """``merge_fn(strategy, *args, **kwargs)`` in the context of all replicas.

        Raises:
          RuntimeError: called outside of the replica.
        """
        require_replica_context(self)
        modes_of_graph().append(Mode(self._strategy))
        try:
            return merge_fn(self._strategy, *args, **(kwargs or {}))
        finally:
            modes_of_graph().pop()

    def all_reduce(self, reduce_op: Any, value: Any) -> Any:
        """The sum or the mean of the values of all replicas, for each tensor of a structure.

        It has a gradient if ``reduce_op`` is a ``ReduceOp``, and not its name.
        """

        def reduced(strategy: Strategy, *values: Any) -> Any:
            return strategy.extended.batch_reduce_to(reduce_op, [(v, v.device) for v in values])

        @custom_gradient
        def with_gradient(*xs: Any) -> Any:
            return self.merge_call(reduced, args=xs), lambda *dys: self.all_reduce(reduce_op, dys)

        values = nest.flatten(value)
        if isinstance(reduce_op, ReduceOp):
            return nest.pack_sequence_as(value, nest.flatten(with_gradient(*values)))
        return nest.pack_sequence_as(value, [arrays.prevent_gradient(v) for v in self.merge_call(reduced, args=values)])


def modes_of_graph() -> list[Mode]:
    """The default graph's own modes."""
    stack: list[Mode] = default_graph().notes.setdefault("strategies", list(modes()))
    return stack


def _default_mode() -> Mode:
    from retrograd.distribute.strategies import default_strategy

    strategy = default_strategy()
    return Mode(strategy, strategy._replica_context)


def mode() -> Mode:
    """The current mode, or the default one."""
    return current_mode() or _default_mode()


def get_strategy() -> Strategy:
    """The strategy of the current scope, or the default one, of one replica and no device of its own."""
    found: Strategy = mode().strategy
    return found


def has_strategy() -> bool:
    """Whether the current scope is a strategy's."""
    return get_strategy() is not _default_mode().strategy


def get_replica_context() -> ReplicaContext | None:
    """The context of the replica; None in that of all replicas."""
    found: ReplicaContext | None = mode().replica
    return found


def get_cross_replica_context() -> Strategy | None:
    """The strategy in the context of all replicas; None in that of one."""
    return get_strategy() if in_cross_replica_context() else None


def in_cross_replica_context() -> bool:
    """Whether ops are built for all replicas together."""
    return mode().replica is None


def get_strategy_and_replica_context() -> tuple[Any, Any]:
    """Both."""
    return mode().strategy, mode().replica


def require_replica_context(replica_ctx: ReplicaContext) -> None:
    """Check that the current context is this replica's."""
    now = mode()
    if now.replica is replica_ctx:
        return
    if now.replica is None:
        raise RuntimeError("Need to be inside `call_for_each_replica()`")
    if now.strategy is replica_ctx.strategy:
        raise RuntimeError("Mismatching ReplicaContext.")
    raise RuntimeError(f"Mismatching tf.distribute.Strategy objects: {now.strategy} is not {replica_ctx.strategy}.")


def require_all_replicas(strategy: Strategy) -> None:
    """Check that the current context is that of all replicas of a strategy, or that there is none."""
    now = current_mode()
    if now is None or (now.strategy is strategy and now.replica is None):
        return
    if now.strategy is not strategy:
        raise wrong_strategy(strategy, now.strategy)
    raise RuntimeError("Method requires being in cross-replica context, use get_replica_context().merge_call()")


def require_scope(strategy: Strategy) -> None:
    """Check that the current scope is a strategy's."""
    now = mode().strategy
    if now is not strategy:
        raise wrong_strategy(strategy, now)


def wrong_strategy(wanted: Strategy, now: Strategy) -> RuntimeError:
    if not has_strategy():
        return RuntimeError(f'Need to be inside "with strategy.scope()" for {wanted}')
    return RuntimeError(f"Mixing different tf.distribute.Strategy objects: {now} is not {wanted}")


def replica_zero() -> Any:
    """The number of the only replica, as a tensor."""
    return constants.constant(0, dtypes.int32)


def experimental_set_strategy(strategy: Strategy | None) -> None:
    """Enter the scope of a strategy for the rest of the program; None leaves it.

    Raises:
      RuntimeError: called in a strategy's scope.
    """
    notes = default_graph().notes
    old = notes.pop("scope of a strategy", None)
    if old is not None:
        old.__exit__(None, None, None)
    if has_strategy():
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    if strategy is not None:
        scope = strategy.scope()
        scope.__enter__()
        notes["scope of a strategy"] = scope
