"""``Scaffold``: the ops and objects that a training needs beside its model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import add_to_collection, get_collection
from retrograd.graph.stack import default_graph
from retrograd.io.lookup import tables_initializer
from retrograd.io.saver import Saver, _get_saver_or_default
from retrograd.nn.summaries import merge_all
from retrograd.ops import control, joining
from retrograd.state.initialization import (
    global_variables_initializer,
    initialize_resources,
    local_variables_initializer,
    report_uninitialized_variables,
)
from retrograd.state.registered import local_resources, report_uninitialized_resources, shared_resources


class Scaffold:
    """What a training needs: what is not given is taken from the graph's collections, or made, by ``finalize``.

    Args:
      init_op: gives variables their first values, with ``init_feed_dict``; then comes ``init_fn(scaffold, session)``.
      ready_op: gives the names of what has no value yet; empty when all is ready.
      ready_for_local_init_op: the same of what ``local_init_op`` needs.
      saver: writes checkpoints.
      copy_from_scaffold: a scaffold whose parts are taken.
    """

    def __init__(
        self,
        init_op: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Any, Any], Any] | None = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        local_init_op: Any = None,
        summary_op: Any = None,
        saver: Saver | None = None,
        copy_from_scaffold: Scaffold | None = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        def part(given: Any, name: str) -> Any:
            return getattr(copy_from_scaffold, name) if given is None and copy_from_scaffold is not None else given

        if copy_from_scaffold is not None and not isinstance(copy_from_scaffold, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")
        self._init_op = part(init_op, "init_op")
        self._init_feed_dict = part(init_feed_dict, "init_feed_dict")
        self._user_init_fn = init_fn if init_fn is not None else getattr(copy_from_scaffold, "_user_init_fn", None)
        self._ready_op = part(ready_op, "ready_op")
        self._ready_for_local_init_op = part(ready_for_local_init_op, "ready_for_local_init_op")
        self._local_init_op = part(local_init_op, "local_init_op")
        self._local_init_feed_dict = part(local_init_feed_dict, "local_init_feed_dict")
        self._summary_op = part(summary_op, "summary_op")
        self._saver = part(saver, "saver")
        user_init = self._user_init_fn
        self._init_fn = (lambda sess: user_init(self, sess)) if user_init is not None else None

    def finalize(self) -> Scaffold:
        """Make what is missing, and let the graph be changed no more."""
        if self._init_op is None:
            self._init_op = Scaffold.get_or_default("init_op", GraphKeys.INIT_OP, self._default_init_op)
        if self._ready_op is None:
            self._ready_op = Scaffold.get_or_default("ready_op", GraphKeys.READY_OP, self._default_ready_op)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = Scaffold.get_or_default(
                "ready_for_local_init_op", GraphKeys.READY_FOR_LOCAL_INIT_OP, self._default_ready_for_local_init_op
            )
        if self._local_init_op is None:
            self._local_init_op = Scaffold.get_or_default(
                "local_init_op", GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
        if self._summary_op is None:
            self._summary_op = Scaffold.get_or_default("summary_op", GraphKeys.SUMMARY_OP, merge_all)
        if self._saver is None:
            self._saver = _get_saver_or_default()
        if self._saver is not None:
            self._saver.build()
        default_graph().finalize()
        from retrograd.graph import log

        log.info("Graph was finalized.")
        return self

    @staticmethod
    def _default_init_op() -> Any:
        return control.group(global_variables_initializer(), initialize_resources(shared_resources()))

    @staticmethod
    def _default_ready_op() -> Any:
        return joining.concat([report_uninitialized_variables(), report_uninitialized_resources()], 0)

    @staticmethod
    def _default_ready_for_local_init_op() -> Any:
        from retrograd.state.initialization import global_variables

        return joining.concat(
            [report_uninitialized_variables(global_variables()), report_uninitialized_resources(shared_resources())], 0
        )

    @property
    def init_fn(self) -> Any:
        return self._init_fn

    @property
    def init_op(self) -> Any:
        return self._init_op

    @property
    def ready_op(self) -> Any:
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        return self._ready_for_local_init_op

    @property
    def local_init_op(self) -> Any:
        return self._local_init_op

    @property
    def local_init_feed_dict(self) -> Any:
        return self._local_init_feed_dict

    @property
    def summary_op(self) -> Any:
        return self._summary_op

    @property
    def saver(self) -> Any:
        return self._saver

    @property
    def init_feed_dict(self) -> Any:
        return self._init_feed_dict

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """The one element of the collection, or what ``default_constructor`` makes, which is then put there.

        Raises:
          RuntimeError: the collection has more than one.
        """
        elements = get_collection(collection_key)
        if elements:
            if len(elements) > 1:
                raise RuntimeError(
                    f'More than one item in the collection "{collection_key}". Please indicate which one to use by '
                    f"passing it to the tf.Scaffold constructor as:  tf.Scaffold({arg_name}=item to use)"
                )
            return elements[0]
        made = default_constructor()
        if made is not None:
            add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op() -> Any:
        """Initializes local variables, tables and local resources."""
        return control.group(
            local_variables_initializer(), tables_initializer(), initialize_resources(local_resources())
        )
