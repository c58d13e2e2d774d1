"""Batches made ahead, by threads or by processes: ``tf.keras.utils``' enqueuers, which ``fit`` takes for its workers.

A thread hands the calls that make batches to a pool of workers, and their results, finished or not, to a queue of
limited length; who takes them waits for each in turn.  Processes are forks: each has the sequence as it was when the
epoch began, or its own copy of a generator.
"""

from __future__ import annotations

import inspect
import multiprocessing
import multiprocessing.pool
import queue
import random
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from multiprocessing.pool import AsyncResult, Pool, ThreadPool
from typing import Any

import numpy as np

_pools: weakref.WeakSet[Pool] = weakref.WeakSet()  # of processes
_source: list[Any] = [None]  # in a process of a pool: the sequence or generator that its batches come from


def _begin_worker(source: Any, random_seed: int | None) -> None:
    """What a process does first."""
    process = multiprocessing.current_process()
    process.name = f"Keras_worker_{process.name}"
    _source[0] = source
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a library may have caught it, as SDL does; a pool ends by it
    if random_seed is not None:
        np.random.seed(random_seed + (process.ident or 0))


def _item(index: int) -> Any:
    return _source[0][index]


def _next(_: int) -> Any:
    return next(_source[0])


class SequenceEnqueuer:
    """Makes batches ahead: ``start``, ``get``, ``stop``."""

    def __init__(self, sequence: Any, use_multiprocessing: bool = False) -> None:
        self.sequence, self.use_multiprocessing = sequence, use_multiprocessing
        self.random_seed: int | None = None
        self.workers = 0
        self.stop_signal = threading.Event()
        self.queue: queue.Queue[AsyncResult[Any]] = queue.Queue()
        self.run_thread: threading.Thread | None = None

    def is_running(self) -> bool:
        """Whether batches are being made."""
        return self.run_thread is not None and not self.stop_signal.is_set()

    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Begin, with so many workers and so many batches that wait."""
        self.stop_signal.clear()
        self.workers, self.queue = workers, queue.Queue(max_queue_size)
        self.run_thread = threading.Thread(target=self._run, daemon=True)
        self.run_thread.start()

    def stop(self, timeout: float | None = None) -> None:
        """End; batches that nobody took are dropped."""
        self.stop_signal.set()
        with self.queue.mutex:
            self.queue.queue.clear()
            self.queue.unfinished_tasks = 0
            self.queue.not_full.notify_all()
            self.queue.all_tasks_done.notify_all()
        if self.run_thread is not None and self.run_thread is not threading.current_thread():
            self.run_thread.join(timeout)

    def get(self) -> Iterator[Any]:
        """The batches, in order; those that are None are left out."""
        try:
            while self.is_running():
                batch = self.queue.get().get()
                self.queue.task_done()
                if batch is not None:
                    yield batch
        except StopIteration:
            yield from self._left()
        except Exception:
            self.stop()
            raise

    def _left(self) -> Iterator[Any]:
        """What other workers had taken when one came to the end."""
        asked = [self.queue.get() for _ in range(self.queue.qsize() + 1)]
        for result in asked:
            result.wait()
        self.stop()
        yield from (r.get() for r in asked if r.successful() and r.get() is not None)

    def _run(self) -> None:
        """Ask for batch after batch."""
        raise NotImplementedError

    def _workers(self, count: int) -> Any:
        """A pool of workers."""
        if not self.use_multiprocessing:
            return ThreadPool(count)
        pool = multiprocessing.get_context("fork").Pool(count, _begin_worker, (self.sequence, self.random_seed))
        _pools.add(pool)
        return pool

    def _ask(self, pool: Any, make: Callable[[int], Any], index: int) -> bool:
        """Let the pool make a batch; False once it is time to stop."""
        if self.stop_signal.is_set():
            return False
        self.queue.put(pool.apply_async(make, (index,)))
        return not self.stop_signal.is_set()


class OrderedEnqueuer(SequenceEnqueuer):
    """Makes the batches of a ``Sequence`` ahead, epoch by epoch, each in order or with ``shuffle`` in a random one."""

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, shuffle: bool = False) -> None:
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _run(self) -> None:
        order = list(range(len(self.sequence)))
        make = _item if self.use_multiprocessing else self.sequence.__getitem__
        while not self.stop_signal.is_set():
            if self.shuffle:
                random.shuffle(order)
            with self._workers(self.workers) as pool:
                asked = all(self._ask(pool, make, i) for i in order)
                if not asked or not self._all_taken():
                    return
            self.sequence.on_epoch_end()

    def _all_taken(self) -> bool:
        """Wait until the last batch of the epoch was taken; False once it is time to stop."""
        with self.queue.all_tasks_done:
            while self.queue.unfinished_tasks and not self.stop_signal.is_set():
                self.queue.all_tasks_done.wait()
        return not self.stop_signal.is_set()


class GeneratorEnqueuer(SequenceEnqueuer):
    """Makes the batches of a generator ahead; each process has one of its own.

    Args:
      random_seed: of NumPy's numbers in the processes, plus the number of the process.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, random_seed: int | None = None) -> None:
        super().__init__(sequence, use_multiprocessing)
        self.random_seed = random_seed

    def _run(self) -> None:
        alone = inspect.isgenerator(self.sequence) and not self.use_multiprocessing  # one thread at a time runs it
        make: Callable[[int], Any] = _next if self.use_multiprocessing else lambda _: next(self.sequence)
        with self._workers(1 if alone else self.workers) as pool:
            while self._ask(pool, make, 0):
                pass


def terminate_keras_multiprocessing_pools(grace_period: float = 0.1, use_sigkill: bool = False) -> list[str]:
    """End the processes that make batches.

    Args:
      grace_period: seconds to wait for them to end.
      use_sigkill: whether those that do not end are killed.

    Returns:
      What could not be ended, in words.
    """
    pools = list(_pools)
    workers = [worker for pool in pools for worker in getattr(pool, "_pool", None) or ()]
    for pool in pools:
        pool.terminate()
        _pools.discard(pool)
    stubborn = _alive(workers, grace_period)
    for worker in stubborn:
        (worker.kill if use_sigkill else worker.terminate)()
    stubborn = _alive(stubborn, grace_period)
    return [f"worker still alive: {w.name}, pid={w.pid}, hash={hash(w)}" for w in stubborn]


def _alive(workers: list[Any], seconds: float) -> list[Any]:
    """Those that have not ended within so many seconds."""
    until = time.monotonic() + seconds
    for worker in workers:
        worker.join(max(0.0, until - time.monotonic()))
    return [worker for worker in workers if worker.is_alive()]
