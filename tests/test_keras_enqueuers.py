"""Batches made ahead by threads and processes: their order, their ends, and ``fit`` with workers."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.keras import enqueuers

K, k = tf.keras, tf.keras.layers
# a fork of a process in which JAX runs threads: the child only makes arrays
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:RuntimeWarning", "ignore:.*fork:DeprecationWarning")


class Growing(K.utils.Sequence):
    """Five batches, whose numbers are 3 times as large in each epoch."""

    def __init__(self) -> None:
        self.scale = 1.0

    def __len__(self) -> int:
        return 5

    def __getitem__(self, i: int) -> Any:
        return np.full((2, 1), i * self.scale, "f"), np.zeros((2, 1), "f")

    def on_epoch_end(self) -> None:
        self.scale *= 3


class Broken(Growing):
    def __getitem__(self, i: int) -> Any:
        if i == 3:
            raise IndexError("no such batch")
        return super().__getitem__(i)


def counted(end: int) -> Iterator[Any]:
    for i in range(end):
        yield np.full((2, 1), i, "f"), np.zeros((2, 1), "f")


def _numbers(enqueuer: Any, count: int) -> list[float]:
    enqueuer.start(workers=3, max_queue_size=2)
    made = enqueuer.get()
    found = [float(next(made)[0][0, 0]) for _ in range(count)]
    enqueuer.stop()
    assert not enqueuer.is_running()
    return found


def test_processes_end_though_a_library_has_caught_the_signal_for_that() -> None:
    before = signal.signal(signal.SIGTERM, print)
    try:
        with K.utils.OrderedEnqueuer(Growing(), True)._workers(1) as pool:
            assert pool.apply(signal.getsignal, (signal.SIGTERM,)) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("in_processes", [False, True])
def test_a_sequence_comes_in_order_and_epochs_follow_each_other(in_processes: bool) -> None:
    want = [0.0, 1, 2, 3, 4, 0, 3, 6, 9, 12, 0, 9]
    assert _numbers(K.utils.OrderedEnqueuer(Growing(), in_processes), len(want)) == want
    assert not enqueuers.terminate_keras_multiprocessing_pools()


@pytest.mark.parametrize("in_processes", [False, True])
def test_what_a_worker_raises_is_raised_where_the_batch_is_taken(in_processes: bool) -> None:
    with pytest.raises(IndexError, match="no such batch"):
        _numbers(K.utils.OrderedEnqueuer(Broken(), in_processes), 5)


def test_a_generator_has_one_thread_and_each_process_its_own() -> None:
    assert _numbers(K.utils.GeneratorEnqueuer(counted(9)), 6) == [0, 1, 2, 3, 4, 5]
    enqueuer = K.utils.GeneratorEnqueuer(counted(4))
    enqueuer.start(workers=3, max_queue_size=2)
    assert [float(x[0, 0]) for x, _ in enqueuer.get()] == [0, 1, 2, 3]
    enqueuer = K.utils.GeneratorEnqueuer(counted(3), use_multiprocessing=True)
    enqueuer.start(workers=2, max_queue_size=9)
    assert {float(x[0, 0]) for x, _ in enqueuer.get()} <= {0.0, 1.0, 2.0}


def test_pools_that_nobody_ended_are_ended() -> None:
    enqueuer = K.utils.OrderedEnqueuer(Growing(), use_multiprocessing=True)
    pool = enqueuer._workers(2)
    processes = list(pool._pool)
    assert all(p.is_alive() for p in processes)
    assert K.experimental.terminate_keras_multiprocessing_pools(grace_period=5.0) == []
    assert not any(p.is_alive() for p in processes)


@pytest.mark.parametrize(("workers", "in_processes"), [(1, False), (3, False), (2, True)])
def test_fit_takes_the_same_batches_whoever_makes_them(workers: int, in_processes: bool) -> None:
    K.backend.clear_session()
    model = K.Sequential([k.Dense(1, kernel_initializer="ones", input_shape=[1])])
    model.compile(K.optimizers.SGD(0.0), "mse")
    arguments = {"workers": workers, "use_multiprocessing": in_processes, "verbose": 0}
    history = model.fit(Growing(), epochs=2, shuffle=False, validation_data=Growing(), **arguments).history
    assert history["loss"] == [6.0, 54.0]
    assert history["val_loss"] == [6.0, 54.0]
    assert model.evaluate_generator(Growing(), workers=workers, use_multiprocessing=in_processes) == 6.0
    assert model.predict(Growing(), **arguments)[:, 0].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert not enqueuers.terminate_keras_multiprocessing_pools()
