"""Threads that pipelines share: ``ThreadPoolHandle`` and the datasets that use one."""

from __future__ import annotations

from typing import Any

from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.errors import invalid
from retrograd.ops.dataset_states import unwrapped, with_threads
from retrograd.ops.datasets import dataset_op
from retrograd.ops.queues import resource_of


class ThreadPool:
    """How many threads the parts of pipelines may use."""

    def __init__(self, count: int) -> None:
        self.count = count


def _pool(xp: Any, memory: Any, *, num_threads: int, container: Any, shared_name: Any) -> Any:
    if num_threads < 1:
        raise invalid("`num_threads` must be >= 1")
    return resource_of(memory, container, shared_name, lambda name: ThreadPool(num_threads))


THREAD_POOL_HANDLE = define(
    "ThreadPoolHandle", "", "handle: resource",
    attrs={
        "num_threads": REQUIRED, "max_intra_op_parallelism": 1, "display_name": REQUIRED, "container": "",
        "shared_name": "",
    },
    shape=lambda: (), kernel=_pool, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
THREAD_POOL = dataset_op(
    "ThreadPoolDataset", "input_dataset: variant, thread_pool: resource",
    lambda xp, memory, dataset, pool: with_threads(unwrapped(dataset), unwrapped(pool).count),
)  # fmt: skip
