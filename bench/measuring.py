"""Measuring: the peers' processes are kept alive and take turns, so that what disturbs one disturbs all."""

from __future__ import annotations

import contextlib
import datetime
import importlib
import io
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench import peers
from bench.catalogue import Workload
from bench.judging import Record

ROOT = Path(__file__).parents[1]
SEED = 20_150
TURN = 0.2  # seconds that a peer's turn takes, as long as a turn has more than one step
LIMIT = 600  # seconds that a peer may take to answer
Progress = Callable[[str], None]


class Effort(NamedTuple):
    """How thoroughly to measure."""

    rounds: int = 25
    processes: int = 7  # rounds of what starts new processes
    warm_up: float = 2.0  # seconds, at least
    patience: float = 60.0  # seconds of warming up, at most


QUICK = Effort(rounds=5, processes=2, warm_up=0.5, patience=20.0)


class Digits(NamedTuple):
    """MNIST's training images, flat and between 0 and 1, and their labels, one hot."""

    images: np.ndarray
    labels: np.ndarray


class WorkerFailed(Exception):
    """A peer could not do what it was asked for; the message ends what it printed."""


class Worker:
    """A peer's process."""

    def __init__(self, name: str, scratch: Path) -> None:
        peer = peers.PEERS[name]
        python = peers.python_of(peer.environment)
        assert python is not None
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed when the worker ends)
        variables = peers.environment_variables(peer)
        variables.setdefault("RETROGRAD_CACHE", str(scratch / "cache"))
        self.process = subprocess.Popen(
            [python, "-W", "ignore", str(ROOT / "bench" / "worker.py"), name, peer.function],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True, env=variables,
        )  # fmt: skip

    def ask(self, do: str, **order: Any) -> dict[str, Any]:
        """What the worker answers.

        Raises:
          WorkerFailed: it ended instead, or is too slow.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps({"do": do, **order}) + "\n")
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], LIMIT)[0]:
                raise WorkerFailed(f"no answer within {LIMIT} s")
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.process.wait()
            self.log.seek(0)
            said = [text for text in self.log.read().splitlines() if text.strip()]
            raise WorkerFailed(said[-1] if said else f"exit code {self.process.returncode}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.log):
            assert stream is not None
            stream.close()


def applicable(workload: Workload, names: Iterable[str]) -> list[str]:
    """Those of ``names`` that the workload has a program for."""
    if workload.kind == "process":  # TensorFlow 2 lacks the tutorials' reader of MNIST
        fitting = {"cold", "warm", "interpreter", "tf1"}
    else:
        module = importlib.import_module(f"bench.workloads.{workload.module}")
        functions = {name for name in dir(module) if name.startswith("in_")}
        if "channels_last" in module.in_torch.__code__.co_varnames:
            functions.add("in_torch_channels_last")
        fitting = {name for name, peer in peers.PEERS.items() if peer.function in functions}
        if workload.kind != "steps" or workload.steps is not None:
            fitting.discard("lowered")  # it is the same computation again and again
    return [name for name in names if name in fitting]


def given(workload: Workload, digits: Digits, folder: Path) -> Path:
    """A file with the data and first weights that every peer gets."""
    module = importlib.import_module(f"bench.workloads.{workload.module}")
    path = folder / f"{workload.module}.npz"
    np.savez(path, **module.data(np.random.RandomState(SEED), digits, **workload.sizes))
    return path


def measured(workload: Workload, names: Sequence[str], digits: Digits, effort: Effort, progress: Progress) -> Record:
    """The times of ``workload`` under the peers ``names``, in turn."""
    record = Record(load=os.getloadavg()[0], date=f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M}")
    names = applicable(workload, names)
    missing = [name for name in names if peers.python_of(peers.PEERS[name].environment) is None]
    record.failures.update(dict.fromkeys(missing, "it is not installed"))
    names = [name for name in names if name not in missing]
    kinds = {"steps": _measure_steps, "first": _measure_first, "process": _measure_processes}
    with tempfile.TemporaryDirectory() as folder:
        if workload.kind != "process":
            order = {"workload": workload.module, "options": workload.options}
            order["data"] = str(given(workload, digits, Path(folder)))
        else:
            order = {"program": str(ROOT / "examples" / f"{workload.module}.py")}
        kinds[workload.kind](Job(workload, names, order, Path(folder), effort), record, progress)
    return record


@dataclass(frozen=True)
class Job:
    """What is to be measured of whom, and how."""

    workload: Workload
    names: list[str]
    order: dict[str, Any]  # what a worker is told, or which program is run
    folder: Path
    effort: Effort


@contextmanager
def _noted(record: Record, name: str) -> Iterator[None]:
    """A peer that fails is noted and left out."""
    try:
        yield
    except WorkerFailed as error:
        record.failures[name] = str(error)
        record.samples.pop(name, None)


@dataclass
class Turn:
    """A peer that waits for its turns."""

    worker: Worker
    steps: int


def _measure_steps(job: Job, record: Record, progress: Progress) -> None:
    with ExitStack() as stack:
        turns: dict[str, Turn] = {}
        for name in job.names:
            progress(f"{peers.PEERS[name].label} warms up")
            worker = stack.enter_context(Worker(name, job.folder))
            with _noted(record, name):
                record.preparing[name] = worker.ask("prepare", **job.order)
                answer = worker.ask("steps", count=job.workload.compares)
                record.preparing[name]["first steps"] = answer["seconds"]
                record.losses[name] = answer["results"][-1]
                turns[name] = Turn(worker, job.workload.steps or _warmed_up(worker, job.effort))
        for k in range(job.effort.rounds):
            progress(f"round {k + 1} of {job.effort.rounds}")
            for name in _rotated(list(turns), k):
                with _noted(record, name):
                    if name not in record.failures:
                        turn = turns[name]
                        answer = turn.worker.ask("time", count=turn.steps)
                        for kept, seconds in ((record.samples, answer["seconds"]), (record.cpu, answer["cpu"])):
                            kept.setdefault(name, []).append(seconds / turn.steps)
        for name in record.samples:
            record.memory[name] = turns[name].worker.ask("memory")["bytes"]


def _rotated(names: Sequence[str], k: int) -> list[str]:
    """``names`` from the k-th on, so that nobody always follows the same."""
    k %= max(len(names), 1)
    return [*names[k:], *names[:k]]


def _warmed_up(worker: Worker, effort: Effort) -> int:
    """Run steps until they get no faster, and no computation is waited for; gives how many of them make a turn."""
    begin, count, last = time.monotonic(), 1, float("inf")
    while True:
        seconds = worker.ask("time", count=count)["seconds"] / count
        spent = time.monotonic() - begin
        settled = spent >= effort.warm_up and seconds > 0.9 * last and not worker.ask("wait")["is_pending"]
        count = max(1, round(TURN / seconds))
        if settled or spent >= effort.patience:
            return count
        last = min(seconds, last)


def _measure_first(job: Job, record: Record, progress: Progress) -> None:
    for k in range(job.effort.processes):
        for name in _rotated(job.names, k):
            progress(f"{peers.PEERS[name].label}, process {k + 1} of {job.effort.processes}")
            shutil.rmtree(job.folder / "cache", ignore_errors=True)
            with _noted(record, name), Worker(name, job.folder) as worker:
                if name not in record.failures:
                    record.preparing[name] = worker.ask("prepare", **job.order)
                    answer = worker.ask("steps", count=1)
                    record.samples.setdefault(name, []).append(answer["seconds"])
                    record.losses[name] = answer["results"][-1]
                    record.memory[name] = worker.ask("memory")["bytes"]


def _measure_processes(job: Job, record: Record, progress: Progress) -> None:
    if "warm" in job.names:
        progress("the cache is filled")
        with _noted(record, "warm"):
            _process("warm", job.order["program"], job.folder)
    for k in range(job.effort.processes):
        for name in _rotated(job.names, k):
            progress(f"{peers.PEERS[name].label}, process {k + 1} of {job.effort.processes}")
            with _noted(record, name):
                if name not in record.failures:
                    seconds, memory, loss = _process(name, job.order["program"], job.folder)
                    record.samples.setdefault(name, []).append(seconds)
                    record.memory[name] = max(memory, record.memory.get(name, 0))
                    record.losses[name] = loss


def _process(name: str, program: str, folder: Path) -> tuple[float, int, float]:
    """Seconds and peak memory of a whole process, and the last cost that it printed."""
    peer = peers.PEERS[name]
    python = peers.python_of(peer.environment)
    assert python is not None
    command = [python, "-W", "ignore", program]
    if peer.environment is None:
        command[1:3] = ["-m", "retrograd", "run"]
    if name != "warm":
        shutil.rmtree(folder / name, ignore_errors=True)
    variables = {**peers.environment_variables(peer), "RETROGRAD_CACHE": str(folder / name)}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=errors, env=variables, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            raise WorkerFailed((errors.read().strip().splitlines() or [f"exit code {process.returncode}"])[-1])
        costs = [line.split("cost=")[1] for line in out if "cost=" in line]
        return seconds, usage.ru_maxrss * 1024, float(costs[-1])


def put_digits(source: Path, folder: Path = Path("/tmp/data")) -> None:
    """Where TensorFlow's tutorials look for MNIST: the files that are missing there are copied from ``source``."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in source.glob("*-ubyte.gz"):
        if not (folder / path.name).exists():
            shutil.copy(path, folder)


def read_digits(source: Path) -> Digits:
    """MNIST's training images, as the tutorials' reader gives them."""
    from retrograd.io import mnist

    with contextlib.redirect_stdout(io.StringIO()):  # the reader tells what it reads
        train = mnist.read_data_sets(str(source), one_hot=True).train
    return Digits(train.images, train.labels.astype(np.float32))
