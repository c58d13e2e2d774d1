"""LSTMs over whole sequences by oneDNN, in what XLA compiles for a CPU.

The sequences are divided among the cores: each goes through all steps by itself, and waits for no other.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from retrograd.ops import onednn_library
from retrograd.ops.onednn_library import Dims
from retrograd.ops.onednn_recurrence import Backward, Forward, Inference, Part, Sequences
from retrograd.ops.onednn_targets import registered

_FEWEST = 16  # sequences of which the library makes good use of a core
_FEWEST_MULTIPLICATIONS = 1 << 21  # of a step; of fewer XLA is as fast
_MOST_KEPT = 1 << 21  # numbers of h of all steps: the library keeps twenty times as many for the gradient


class Lstm(NamedTuple):
    """Functions for sequences that go through an LSTM.

    ``forward`` gives h of all steps, the last h, the last c, and what else ``backward`` reads, from x, h, c, wx, wh
    and b.  ``backward`` gives the gradients of these from them, what ``forward`` has given, and the gradients of h of
    all steps, of the last h and of the last c.
    """

    forward: Callable[..., list[Any]]
    backward: Callable[..., list[Any]]
    inference: Callable[..., list[Any]]  # h of all steps and the last h and c alone


def is_worth_it(of: Sequences) -> bool:
    """Whether the library is faster than XLA, and does not ask for much memory."""
    steps, batch, inputs, units = of
    is_small = batch < 2 * _FEWEST or batch * (inputs + units) * 4 * units < _FEWEST_MULTIPLICATIONS
    return not is_small and steps * batch * units <= _MOST_KEPT


@cache
def lstm(of: Sequences) -> Lstm | None:
    """The functions for such sequences; None where the library has none for them."""
    dnnl = onednn_library.library()
    if dnnl is None:
        return None
    parts = _parts(of)
    try:
        with dnnl.one_thread():
            forwards = [Forward(dnnl, part) for part in parts]
            backwards = [Backward(dnnl, part) for part in parts]
            alone = [Inference(dnnl, part) for part in parts]
        forward, backward = registered("lstm", of, *forwards), registered("lstm_gradient", of, *backwards)
        inference = registered("lstm_inference", of, *alone)
    except (NotImplementedError, OSError, ValueError, AttributeError):  # or its threads are of another library
        return None
    steps, batch, inputs, units = of
    outputs: list[Dims | int] = [(steps, batch, units), (batch, units), (batch, units), sum(f.kept for f in forwards)]
    slopes: list[Dims | int] = [(steps, batch, inputs), (batch, units), (batch, units)]
    slopes += [(len(parts), n, 4, units) for n in (inputs, units)] + [(len(parts), 4, units)]

    def gradients(*arguments: Any) -> list[Any]:
        results = backward(slopes, *arguments)
        return [*results[:3], *[x.sum(0) for x in results[3:]]]

    return Lstm(
        lambda *arguments: forward(outputs, *arguments),
        gradients,
        lambda *arguments: inference(outputs[:3], *arguments),
    )


def _parts(of: Sequences) -> list[Part]:
    count = max(1, min(len(os.sched_getaffinity(0)), of.batch // _FEWEST))
    edges = [of.batch * i // count for i in range(count + 1)]
    return [Part(of, i, edges[i], edges[i + 1]) for i in range(count)]
