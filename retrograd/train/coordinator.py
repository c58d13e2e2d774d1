"""``Coordinator``: threads that stop together, and the error that made them stop."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from retrograd.graph import errors, log


class Coordinator:
    """Lets threads ask each other to stop.  The first error that one reports is raised where they are joined.

    Args:
      clean_stop_exception_types: errors that ask for a stop and are not raised; by default ``OutOfRangeError``.

    >>> coord = Coordinator()
    >>> thread = threading.Thread(target=coord.request_stop)
    >>> thread.start()
    >>> coord.join([thread])
    """

    def __init__(self, clean_stop_exception_types: Any = None) -> None:
        if clean_stop_exception_types is None:
            clean_stop_exception_types = (errors.OutOfRangeError,)
        self._clean_stop_exception_types = tuple(clean_stop_exception_types)
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._error: BaseException | None = None
        self._joined = False
        self._registered_threads: set[threading.Thread] = set()

    def _unclean(self, ex: BaseException | None) -> BaseException | None:
        return None if isinstance(ex, self._clean_stop_exception_types) else ex

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop; with an error, let ``join`` raise it.

        Args:
          ex: an exception, or what ``sys.exc_info()`` gave.

        Raises:
          Exception: ``ex``, if the threads are joined already.
        """
        with self._lock:
            error = self._unclean(_error_of(ex))
            if self._joined:
                if error is not None:
                    raise error
                return
            if not self._stop_event.is_set():
                if error is not None and self._error is None:
                    log.info("Error reported to Coordinator: %s, %s", type(error), error)
                    self._error = error
                self._stop_event.set()

    def clear_stop(self) -> None:
        """Take back the request to stop, and forget the error."""
        with self._lock:
            self._joined = False
            self._error = None
            self._stop_event.clear()

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self._stop_event.is_set()

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Let an error in the block ask for a stop; the block swallows it."""
        try:
            yield
        except BaseException as error:
            self.request_stop(error)

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until a stop is asked for, or for ``timeout`` seconds; whether it was."""
        return self._stop_event.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Let ``join`` wait for this thread too."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(
        self, threads: Sequence[Any] | None = None, stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:  # fmt: skip
        """Wait until the threads have ended, for ``stop_grace_period_secs`` after a stop was asked for.

        Raises:
          Exception: the error that a thread reported.
          RuntimeError: a thread goes on all the same, and ``ignore_live_threads`` is False.
        """
        with self._lock:
            both = self._registered_threads.union(threads or ())
        while any(t.is_alive() for t in both) and not self.wait_for_stop(0.1):
            pass
        self._wait_for(both, time.monotonic() + stop_grace_period_secs)
        alive = [t.name for t in both if t.is_alive()]
        with self._lock:
            self._joined = True
            self._registered_threads = set()
            if self._error is not None:
                raise self._error
        if alive and ignore_live_threads:
            log.info("Coordinator stopped with threads still running: %s", " ".join(alive))
        elif alive:
            raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(alive)}")

    @staticmethod
    def _wait_for(threads: set[Any], end: float) -> None:
        pause = 0.001
        while any(t.is_alive() for t in threads) and time.monotonic() < end:
            for thread in threads:
                thread.join(min(pause, max(end - time.monotonic(), 0)))
            pause = min(2 * pause, 0.1)

    @property
    def joined(self) -> bool:
        """Whether ``join`` is over."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raise the error that a thread reported, if one did."""
        with self._lock:
            if self._error is not None:
                raise self._error


def _error_of(ex: Any) -> BaseException | None:
    """The exception, of one or of a triple of ``sys.exc_info()``."""
    if isinstance(ex, tuple):
        ex = ex[1] if len(ex) > 1 and ex[1] is not None else ex[0]
    if isinstance(ex, type) and issubclass(ex, BaseException):
        return ex()
    if ex is not None and not isinstance(ex, BaseException):
        try:
            raise TypeError(f"exceptions must be exceptions, not {type(ex).__name__}")
        except TypeError:
            return sys.exc_info()[1]
    return ex


class LooperThread(threading.Thread):
    """A thread that calls a function every ``timer_interval_secs`` seconds (None: at once again) until a stop."""

    def __init__(
        self, coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any] | None = None,
        args: Any = None, kwargs: Any = None,
    ) -> None:  # fmt: skip
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__()
        self.daemon = True
        self._coord = coord
        self._interval = timer_interval_secs
        self._function = target
        if target is None:
            if args is not None or kwargs is not None:
                raise ValueError("'args' and 'kwargs' must be None without a target")
            args, kwargs = (), {}
        self._arguments = args or ()
        self._keywords = kwargs or {}
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any], args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:  # fmt: skip
        """A thread that calls ``target`` again and again; it is started."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self) -> None:
        """What the thread does."""
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._interval is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                following = time.time()
                while not self._coord.wait_for_stop(max(following - time.time(), 0)):
                    following += self._interval
                    self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called before the first round."""

    def stop_loop(self) -> None:
        """Called after the last round."""

    def run_loop(self) -> None:
        """One round."""
        if self._function:
            self._function(*self._arguments, **self._keywords)
