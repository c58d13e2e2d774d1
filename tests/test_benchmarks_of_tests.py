"""``tf.test.Benchmark`` and the first names of a supervisor's methods."""

from __future__ import annotations

import pytest

from retrograd import tf


class Sums(tf.test.Benchmark):
    def benchmark_one(self) -> dict:
        with tf.Graph().as_default(), tf.Session() as session:
            total = tf.constant(1.0) + 1.0
            assert self.evaluate(total) == 2
            return self.run_op_benchmark(session, total, min_iters=3, extras={"size": 1}, mbs=2)


def test_a_benchmark_reports_the_median_under_the_name_of_its_method(capsys: pytest.CaptureFixture[str]) -> None:
    measured = Sums().benchmark_one()
    assert measured["iters"] == 3
    assert measured["throughput"] == pytest.approx(2 / measured["wall_time"])
    printed = capsys.readouterr().out
    assert printed.startswith('entry {\n  name: "Sums.benchmark_one"\n  iters: 3\n  wall_time: ')
    assert '  extras {\n    key: "size"\n    value {\n      double_value: 1.0\n' in printed
    assert tf.test.Benchmark.is_abstract()
    assert not Sums.is_abstract()


def test_a_supervisor_has_the_first_names_of_its_methods() -> None:
    kind = tf.train.Supervisor
    assert kind.Stop is kind.stop
    assert kind.PrepareSession is kind.prepare_or_wait_for_session
    assert kind.ShouldStop is kind.should_stop
    assert kind.StartQueueRunners is kind.start_queue_runners
