"""Array work that one thread does by itself: where a compiler works on all cores, others would wait for its turn."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.ops import onednn_library, parallel, sharing
from retrograd.run.interpreter import Interpreter


def threads_of_pieces() -> set[int]:
    return set(parallel.mapped(lambda piece: threading.get_ident(), range(8)))


def test_pieces_stay_in_a_thread_that_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrograd.ops.blas.workers", lambda: 2)
    with sharing.alone():
        assert threads_of_pieces() == {threading.get_ident()}
        with sharing.alone():
            pass
        assert not sharing.is_shared()
    assert sharing.is_shared()
    assert threading.get_ident() not in threads_of_pieces()


def test_another_thread_is_not_alone() -> None:
    found: list[bool] = []
    with sharing.alone():
        other = threading.Thread(target=lambda: found.append(sharing.is_shared()))
        other.start()
        other.join()
    assert found == [True]


@pytest.mark.skipif(onednn_library.library() is None, reason="oneDNN is not installed")
def test_the_library_takes_one_thread() -> None:
    dnnl = onednn_library.library()
    assert dnnl is not None
    before = dnnl.dnnl.omp_get_max_threads()
    with sharing.alone():
        assert dnnl.dnnl.omp_get_max_threads() == 1
    assert dnnl.dnnl.omp_get_max_threads() == before


def test_runs_are_alone_from_the_beginning_of_a_compilation_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are counted, so that two runs of a program print the same."""
    monkeypatch.setenv("RETROGRAD_JIT", "auto")
    seen: list[bool] = []
    run = Interpreter.run

    def noted(self: Interpreter, *arguments: Any) -> Any:
        seen.append(sharing.is_shared())
        return run(self, *arguments)

    monkeypatch.setattr(Interpreter, "run", noted)
    x = tf.placeholder(tf.float32, [64, 64])
    y = x
    for _ in range(12):
        y = tf.tanh(tf.matmul(y, x)) + tf.nn.softmax(y)
    value = np.full((64, 64), 0.01, np.float32)
    with tf.Session() as session:
        for _ in range(4000):
            session.run(y, {x: value})
    begun = seen.index(False)
    assert seen == [True] * begun + [False] * (len(seen) - begun)
    assert len(seen) < 4000
