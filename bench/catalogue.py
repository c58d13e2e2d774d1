"""The workloads by name, with the goal that each is held to on two cores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Goal:
    """``subject`` takes at most ``limit`` times what ``than`` takes, or at most ``limit`` seconds (more than it).

    ``than`` is a peer; "best", whichever peer is fastest; "memory", the best peer's peak memory; "seconds"; or
    "over PEER": the seconds by which a step is longer than that peer's.
    """

    than: str
    limit: float
    subject: str = "retrograd"


@dataclass(frozen=True)
class Workload:
    """A row of the results."""

    title: str
    module: str  # in bench/workloads; of a whole process: the program in examples/
    goals: tuple[Goal, ...]
    options: dict[str, Any] = field(default_factory=dict)  # of its program
    sizes: dict[str, Any] = field(default_factory=dict)  # of its data
    kind: str = "steps"  # "first": the first step of a new process; "process": a whole one
    steps: int | None = None  # in a measurement; None: as many as take a fifth of a second, after warming up
    compares: int = 20  # the losses of so many steps are compared


def _goals(jax: float, tf1: float) -> tuple[Goal, ...]:
    return Goal("jax", jax), Goal("tf1", tf1), MEMORY


MEMORY = Goal("memory", 1.1)
BEST = (Goal("best", 1.0), MEMORY)
WHOLE = (Goal("tf1", 0.6, "cold"), Goal("tf1", 0.5, "warm"), Goal("memory", 1.1, "warm"))

WORKLOADS = {
    "scalar": Workload("scalar chain rule step", "scalar", _goals(1.2, 0.2)),
    "regression": Workload("linear regression step", "regression", _goals(1.2, 0.2)),
    "softmax": Workload("MNIST softmax, batch 100", "softmax", _goals(1.05, 0.4)),
    "mlp": Workload("MLP 784-256-256-10, Adam, batch 100", "mlp", BEST),
    "lenet": Workload("LeNet CNN, batch 100", "lenet", BEST),
    "lstm": Workload("LSTM 28 × 28, 128 units, batch 100", "lstm", BEST),
    "characters": Workload("character model, 2 LSTMs unrolled", "characters", (Goal("tf1", 0.6), MEMORY)),
    "dqn": Workload("DQN update, batch 32", "dqn", _goals(1.05, 0.3)),
    "ddpg": Workload("DDPG update, batch 64", "ddpg", _goals(1.05, 0.3)),
    "resnet": Workload("ResNet-20, 32 × 32, batch 32", "resnet", BEST),
    "transformer": Workload("transformer block, batch 32", "transformer", (Goal("jax", 1.05), MEMORY)),
    "word2vec": Workload("word2vec step, 50,000 × 128", "word2vec", BEST),
    "mlp-answer": Workload("inference, batch 1, MLP", "mlp", BEST, {"inference": True}, {"batch": 1}),
    "lenet-answer": Workload("inference, batch 1, CNN", "lenet", BEST, {"inference": True}, {"batch": 1}),
    "whole-optimizer": Workload("whole program, MNIST by optimizer", "mnist_softmax", WHOLE, kind="process"),
    "whole-gradients": Workload("whole program, MNIST by gradients", "mnist_softmax_gradients", WHOLE, kind="process"),
    "shapes": Workload("batch shape changes every step", "shapes", (Goal("tf1", 1.5), MEMORY), steps=10),
    "first": Workload(
        "first Session.run, 50 layers",
        "resnet",
        (Goal("seconds", 3.0), MEMORY),
        {"depth": 50},
        {"depth": 50},
        kind="first",
    ),
    **{
        f"overhead-{n}": Workload(
            f"overhead of a call, {n} variables",
            "overhead",
            (Goal("over lowered", 10e-6),),
            {"variables": n},
            {"variables": n},
        )
        for n in (2, 8, 50, 200)
    },
}
