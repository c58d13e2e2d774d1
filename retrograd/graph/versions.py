"""The release of TensorFlow that retrograd stands for, and what programs ask about it."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator

from retrograd.graph.graph import Versions

VERSION = "1.15.5"
GIT_VERSION = "v1.15.4-39-g3db52be"
COMPILER_VERSION = "7.3.1 20180303"
CXX11_ABI_FLAG = 0
MONOLITHIC_BUILD = 0
GRAPH_DEF_VERSION = Versions.producer
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0

_horizon = datetime.date(2019, 8, 21)


@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Take that day for the release's own in the block."""
    global _horizon
    before, _horizon = _horizon, datetime.date(year, month, day)
    try:
        yield
    finally:
        _horizon = before


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs need no longer be readable by TensorFlow of that day."""
    return datetime.date(year, month, day) < _horizon
