"""Clusters of one process."""

from __future__ import annotations

from typing import Any


class LocalServer:
    """A server of a cluster that this process stands for: a session on it is a session of this process."""

    target = ""


def create_local_cluster(
    num_workers: int, num_ps: int, protocol: str = "grpc", worker_config: Any = None, ps_config: Any = None
) -> tuple[list[LocalServer], list[LocalServer]]:
    """(workers, parameter servers), all of them this process; each session keeps variables of its own."""
    return [LocalServer() for _ in range(num_workers)], [LocalServer() for _ in range(num_ps)]


__all__ = ["create_local_cluster"]
