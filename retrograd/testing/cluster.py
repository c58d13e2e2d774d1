"""Clusters of one process, for tests."""

from __future__ import annotations

from typing import Any

from retrograd.run.clusters import ClusterSpec, Server, unused_port


def create_local_cluster(
    num_workers: int, num_ps: int, protocol: str = "grpc", worker_config: Any = None, ps_config: Any = None
) -> tuple[list[Server], list[Server]]:
    """(workers, parameter servers), all of them this process; their sessions share variables."""
    jobs = {
        job: [f"localhost:{unused_port()}" for _ in range(count)]
        for job, count in (("worker", num_workers), ("ps", num_ps))
        if count
    }
    cluster = ClusterSpec(jobs)
    workers = [Server(cluster, "worker", i, protocol, worker_config) for i in range(num_workers)]
    return workers, [Server(cluster, "ps", i, protocol, ps_config) for i in range(num_ps)]


__all__ = ["create_local_cluster"]
