"""A queue runner's runs that only read, compute and enqueue are done together, and nobody can tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.graph import errors
from retrograd.run import many_runs


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def examples(files: list[str], change: Any, epochs: int = 2, capacity: int = 256) -> Any:
    names = tf.train.string_input_producer(files, num_epochs=epochs, shuffle=False)
    key, line = tf.TextLineReader().read(names)
    number = tf.string_to_number(line)
    return tf.train.batch([key, number, change(number)], 1, capacity=capacity)


def collected(batch: Any) -> tuple[list[Any], BaseException | None]:
    """All elements, and what the runners' threads raised."""
    found = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            while True:
                found.append(sess.run(batch))
        except errors.OutOfRangeError:
            pass
        try:
            coord.request_stop()
            coord.join(threads)
        except errors.OpError as error:
            return found, error
    return found, None


def noisy(x: Any) -> Any:
    noise = tf.random_uniform([3], seed=1) + tf.random_normal([3], seed=2)
    return tf.cond(tf.random_uniform([], seed=3) < 0.5, lambda: noise * x, lambda: tf.fill([3], x))


def files_of(folder: Path, lines: list[list[str]]) -> list[str]:
    for i, part in enumerate(lines):
        (folder / f"{i}.txt").write_text("".join(f"{line}\n" for line in part))
    return [str(folder / f"{i}.txt") for i in range(len(lines))]


def test_records_come_in_order_with_their_random_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = files_of(tmp_path, [[str(i) for i in range(n)] for n in (70, 3, 0, 41)])
    counts = []
    computed = many_runs.ManyRuns._computed
    monkeypatch.setattr(many_runs.ManyRuns, "_computed", lambda self, c: counts.append(len(c[0])) or computed(self, c))
    together, error = collected(examples(files, noisy))
    assert error is None
    assert max(counts) > 8
    monkeypatch.setattr("retrograd.run.session.many_runs_of", lambda *_: None)
    with tf.Graph().as_default():
        alone, _ = collected(examples(files, noisy))
    assert len(together) == len(alone) == 2 * 114
    for one, other in zip(together, alone, strict=True):
        assert [x.tolist() for x in one] == [x.tolist() for x in other]


def test_a_record_that_cannot_be_computed_fails_behind_those_before_it(tmp_path: Path) -> None:
    files = files_of(tmp_path, [[*map(str, range(20)), "word", "21"]])
    found, error = collected(examples(files, lambda x: x, epochs=1))
    assert [float(x[1][0]) for x in found] == [*range(20)]
    assert isinstance(error, errors.InvalidArgumentError)
    assert str(error).startswith("StringToNumberOp could not correctly convert string: word")
    assert "QueueEnqueue" not in str(error).split("\n")[1]


def test_a_reader_that_is_asked_how_far_it_is_reads_nothing_ahead(tmp_path: Path) -> None:
    (name,) = files_of(tmp_path, [[*map(str, range(50))]])
    reader = tf.TextLineReader()
    batch = tf.train.batch([reader.read(tf.train.string_input_producer([name]))[1]], 1, capacity=400)
    reader.num_records_produced()
    with tf.Session() as sess:
        put = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[-1].enqueue_ops[0]
        assert many_runs.many_runs_of(sess._found(put, None)[1], "never") is None
        sess.close()
    assert batch.shape == (1,)


def test_small_queues_are_filled_one_by_one(tmp_path: Path) -> None:
    files = files_of(tmp_path, [[*map(str, range(30))]])
    found, _ = collected(examples(files, noisy, 1, capacity=2))
    assert np.concatenate([x[1] for x in found]).tolist() == [*range(30)]


def test_large_elements_are_computed_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []
    computed = many_runs.ManyRuns._computed
    monkeypatch.setattr(many_runs.ManyRuns, "_computed", lambda self, c: counts.append(len(c[0])) or computed(self, c))
    files = files_of(tmp_path, [[*map(str, range(30))]])
    found, error = collected(examples(files, lambda x: tf.fill([300, 300], x), 1))
    assert error is None
    assert [x[2][0, 0, 0] for x in found] == [*range(30)]
    assert counts == [2]
