"""The benchmark's programs run, its statistics are right, and its tables say what was measured."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from bench import judging, lowerings, measuring, peers, report
from bench.catalogue import WORKLOADS, Goal, Workload
from retrograd import tf

SMALL = {
    "softmax": 2,
    "mlp": 2,
    "lenet": 2,
    "lstm": 2,
    "characters": 2,
    "dqn": 2,
    "ddpg": 2,
    "transformer": 2,
    "word2vec": 2,
}
STEPS = {name: w for name, w in WORKLOADS.items() if w.kind == "steps" and not w.options.get("variables", 0) > 2}
DIGITS = measuring.Digits(
    np.random.RandomState(0).rand(60, 784).astype(np.float32), np.eye(10, dtype=np.float32)[np.arange(60) % 10]
)


@pytest.mark.parametrize("name", STEPS)
def test_program_runs_and_learns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each TensorFlow program runs; where it trains, the loss on a batch that comes again is lower."""
    monkeypatch.setenv("RETROGRAD_JIT", "never")  # quick: the same in both tiers is what other tests are about
    workload = STEPS[name]
    module = importlib.import_module(f"bench.workloads.{workload.module}")
    for constant in ("WORDS", "LARGEST"):
        if hasattr(module, constant):
            monkeypatch.setattr(module, constant, 50)
    sizes: dict[str, Any] = {"batch": SMALL[name]} if name in SMALL else dict(workload.sizes)
    if name == "resnet":
        sizes = {"batch": 2, "depth": 8}
    monkeypatch.setattr(module, "BATCHES", 2, raising=False)
    options = {**workload.options, **({"depth": 8} if name == "resnet" else {})}
    data = module.data(np.random.RandomState(0), DIGITS, **sizes)
    data = {k: v[:1].repeat(len(v), 0) if k in ("images", "labels", "text", "x", "y") else v for k, v in data.items()}
    with tf.Graph().as_default():
        program = module.in_tensorflow(tf, data, **options)
        first = program.finish() if program.finish else program.step(0)
        for i in range(1, 6):
            last = program.step(i)
        last = program.finish() if program.finish else last
        assert np.all(np.isfinite(last))
        trainable = tf.trainable_variables()
        assert trainable
        if not workload.options.get("inference") and name not in ("dqn", "ddpg", "word2vec"):
            assert last < first


def test_every_workload_has_its_files_and_peers() -> None:
    for name, workload in WORKLOADS.items():
        names = measuring.applicable(workload, peers.PEERS)
        assert "tf1" in names, name
        if workload.kind == "process":
            assert (measuring.ROOT / "examples" / f"{workload.module}.py").exists()
        else:
            assert {"retrograd", "tf2", "torch", "jax"} <= set(names), name
        for goal in workload.goals:
            than = goal.than.removeprefix("over ")
            assert than in ("best", "memory", "seconds") or than in names, name


def test_ratio_of_medians_and_its_interval() -> None:
    base = [1.0 + 0.01 * k for k in range(21)]
    found = judging.ratio([2 * b for b in base], base)
    assert found.value == pytest.approx(2)
    assert found.low == pytest.approx(2)
    assert found.high == pytest.approx(2)
    noisy = judging.ratio([2 * b for b in base[::-1]], base)
    assert noisy.low < 2 < noisy.high
    assert judging.difference([b + 3 for b in base], base).value == pytest.approx(3)
    assert judging.quartiles([1, 2, 3, 4, 5]) == (2, 4)


def _record() -> judging.Record:
    return judging.Record(
        samples={"retrograd": [2.0, 2.0, 2.1], "tf1": [4.0, 4.0, 4.0], "jax": [1.0, 1.0, 1.1]},
        losses={"retrograd": 0.5, "tf1": 0.5002, "jax": 0.5},
        memory={"retrograd": 105, "tf1": 100, "jax": 300},
        failures={"torch": "it is not installed"},
        load=99.0,
    )


def test_goals_are_judged_and_written() -> None:
    goals = (Goal("tf1", 0.6), Goal("best", 1.0), Goal("memory", 1.1), Goal("seconds", 3.0), Goal("over jax", 0.5))
    verdicts = judging.judged(Workload("a step", "scalar", goals), _record(), report.LABELS)
    assert [v.met for v in verdicts] == [True, False, True, True, False]
    assert [report.outcome(v) for v in verdicts][1::3] == ["missed: 2.00 times the goal"] * 2
    assert [report.measured_text(v)[0] for v in verdicts] == [
        "0.50 ×", "2.00 × (JAX)", "1.05 × (TensorFlow 1.15.5's memory)", "2.00 s", "1.00 s",
    ]  # fmt: skip
    unmeasured = judging.judged(Workload("", "", (Goal("torch", 1.0),)), _record(), report.LABELS)[0]
    assert report.outcome(unmeasured) == "?"


def test_losses_that_differ_are_told() -> None:
    record = _record()
    assert judging.agree(record)
    record.losses["jax"] = 0.51
    assert not judging.agree(record)
    assert "they differ" in report.agreement(record)


def test_report_is_written_and_read_again(tmp_path: Any) -> None:
    records = {"scalar": _record()}
    report.write(tmp_path / "results.json", records)
    assert report.read(tmp_path / "results.json") == records
    text = report.markdown(records)
    assert "| scalar chain rule step (busy) | ≤ 1.2 × JAX" in text
    assert "PyTorch 2.13: `it is not installed`" in text
    assert report.as_csv(records).splitlines()[1].startswith("scalar,retrograd,2,2,2.05,3,0.5,105")
    assert report.drawing(records)["peers"].keys() == {"tf1", "jax"}  # type: ignore[attr-defined]


def test_durations_have_three_digits() -> None:
    assert [report.duration(s) for s in (12.34, 1.2e-3, 9.96e-5, 0.0, -2e-6)] == [
        "12.3 s", "1.20 ms", "99.6 µs", "0.00 µs", "-2.00 µs",
    ]  # fmt: skip


def test_a_worker_that_fails_is_noted(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with measuring.Worker("interpreter", tmp_path) as worker, pytest.raises(measuring.WorkerFailed, match="No module"):
        worker.ask("prepare", workload="missing", data="", options={})


def test_a_workload_is_measured(tmp_path: Any) -> None:
    effort = measuring.Effort(rounds=2, processes=1, warm_up=0.01, patience=0.1)
    record = measuring.measured(WORKLOADS["scalar"], ["interpreter"], DIGITS, effort, lambda text: None)
    assert len(record.samples["interpreter"]) == 2
    assert record.losses["interpreter"] == pytest.approx(100 * 0.8**40, rel=1e-4)
    assert record.memory["interpreter"] > 1e7


def test_forms_of_kernels_are_measured() -> None:
    lines = list(lowerings.table(rounds=1, only="64 x 64 x 64"))
    assert [line.split(" | ")[1] for line in lines if line.startswith("| product")] in (
        ["YNN", "Eigen"],
        ["Eigen", "YNN"],
    )
