"""Whether the cores share array work.

Threads that do a piece of work together wait for the last of them.  Where another thread of this process works on all
cores, as a compiler does, one of them has just been put aside as a rule: each piece then takes as long as the system
lets a thread run, and the compiler gets nothing for it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from retrograd.ops import onednn_library

_here = threading.local()


def is_shared() -> bool:
    """Whether work of this thread may be done by several."""
    return not getattr(_here, "is_alone", False)


@contextmanager
def alone() -> Iterator[None]:
    """Let this thread do its work by itself."""
    before, _here.is_alone = not is_shared(), True
    dnnl = onednn_library.library() if onednn_library.library.cache_info().currsize else None
    try:
        with dnnl.one_thread() if dnnl is not None else nullcontext():
            yield
    finally:
        _here.is_alone = before
