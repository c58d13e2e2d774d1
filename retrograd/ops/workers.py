"""Calls in threads that nobody waits for at the end.

A process joins the threads of ``concurrent.futures`` before it ends, so a call that sleeps holds Ctrl-C up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future
from concurrent.futures import wait as futures_wait
from queue import Empty, SimpleQueue
from typing import Any

from retrograd.ops import waiting

Work = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]


class Workers:
    """At most ``count`` threads, which make calls in the order in which they are asked for."""

    def __init__(self, count: int, name: str) -> None:
        self.count, self.name = count, name
        self.started = 0
        self.work: SimpleQueue[Work | None] = SimpleQueue()

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """``call(*arguments)`` as something that will have its result."""
        future: Future[Any] = Future()
        self.work.put((future, call, arguments))
        if self.started < self.count:
            self.started += 1
            threading.Thread(target=_serve, args=(self.work,), daemon=True, name=f"{self.name}_{self.started}").start()
        return future

    def close(self) -> None:
        """Drop what has not begun, and let each thread end after its call."""
        try:
            while True:
                self.work.get_nowait()
        except Empty:
            for _ in range(self.started):
                self.work.put(None)


def _serve(work: SimpleQueue[Work | None]) -> None:
    while (one := work.get()) is not None:
        future, call, arguments = one
        try:
            future.set_result(call(*arguments))
        except BaseException as error:  # raised where the result is asked for
            future.set_exception(error)
        del one, future, call, arguments  # or they would live until the next call comes


def wait_for_one(futures: Collection[Future[Any]]) -> None:
    """Wait until one of ``futures`` has its result; Ctrl-C ends the wait of the main thread."""
    while not any(future.done() for future in futures):
        futures_wait(futures, waiting.glance(), FIRST_COMPLETED)
