"""Sums of matrix products over the iterations of a loop, as one product behind it.

    sum over t of a_t b_t  =  [a_1 a_2 ...] [b_1; b_2; ...]

A gradient loop adds up the gradients of its weights so.  One product of the stacked factors reads and writes the sum
once, where the loop would in every iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops.folding import summed

if TYPE_CHECKING:
    from retrograd.run.lowered_loops import LoweredLoop, Variable

_ADDS = ("AddN", "Add", "AddV2")


@dataclass(eq=False)
class Sum:
    """A loop variable to which every iteration adds the product or the column sums of ``factors``."""

    variable: Variable
    term: Operation

    @property
    def factors(self) -> list[Tensor]:
        """The tensors of which stacks are needed."""
        return [behind_names(t) for t in self.term.inputs]

    def total(self, first: Any, stacks: Sequence[Any]) -> Any:
        """What the variable is in the end, from the stacks of the factors."""
        from retrograd.ops.jax_start import jnp, lax

        if self.term.type == "BiasAddGrad":
            (x,) = stacks
            return first + summed(jnp, x, range(x.ndim - 1))
        a, b = stacks
        by = (0, 1 if self.term.attrs["transpose_a"] else 2), (0, 2 if self.term.attrs["transpose_b"] else 1)
        return first + lax.dot_general(a, b, (by, ((), ())))


def sums_in(loop: LoweredLoop) -> list[Sum]:
    """The variables of ``loop`` that are worth being added up behind it."""
    found = [s for v in loop.carried if (s := _sum_of(loop, v)) is not None]
    stacked = {t for s in found if s.term.type == "MatMul" for t in s.factors}
    return [s for s in found if s.term.type == "MatMul" or stacked.issuperset(s.factors)]


def _sum_of(loop: LoweredLoop, variable: Variable) -> Sum | None:
    add = behind_names(variable.following).op
    if add.type not in _ADDS or len(add.inputs) != 2 or not _is_plain(loop, add):
        return None
    terms = [t for t in add.inputs if behind_switches(t) is not variable.tensor]
    if len(terms) != 1 or not _is_read_by(loop, variable.tensor, add) or not _is_read_by(loop, add.outputs[0], None):
        return None
    term = behind_names(terms[0]).op
    if not _is_plain(loop, term) or not _is_read_by(loop, term.outputs[0], add):
        return None
    first = loop.inner[variable.first]
    if term.type == "BiasAddGrad":
        return Sum(variable, term) if term.attrs["data_format"] in ("NHWC", b"NHWC") else None
    if term.type != "MatMul" or len(first.shape) != 2 or any(t in loop.inner for t in term.inputs):
        return None
    return Sum(variable, term)


def _is_plain(loop: LoweredLoop, op: Operation) -> bool:
    """Whether every iteration computes ``op``, and no loop in it."""
    return op in loop.behind and not loop.walk.guard_of(op)


def _is_read_by(loop: LoweredLoop, tensor: Tensor, reader: Operation | None) -> bool:
    """Whether nobody reads ``tensor``, under whichever name, but ``reader`` and what carries it on."""
    for op in tensor.readers:
        if op is reader or op not in loop.walk.needed or op.type in ("NextIteration", "Exit"):
            continue
        if op.type not in ("Identity", "Switch") or not all(_is_read_by(loop, t, reader) for t in op.outputs):
            return False
    return tensor not in loop.walk.asked


def pays(total: int, factors: Iterable[int]) -> bool:
    """Whether the elements of the factors that one iteration stacks are fewer than those of the sum.

    Where they are not, the stacks take more time than the product behind the loop saves.
    """
    return sum(factors) <= total


def behind_names(tensor: Tensor) -> Tensor:
    """What ``tensor`` is another name of."""
    while tensor.op.type == "Identity" and not tensor.op.inputs[0].dtype.is_ref:
        (tensor,) = tensor.op.inputs
    return tensor


def behind_switches(tensor: Tensor) -> Tensor:
    """The value that ``tensor`` is another name of, in its branch."""
    while tensor.op.type in ("Identity", "Switch") and not tensor.op.inputs[0].dtype.is_ref:
        tensor = tensor.op.inputs[0]
    return tensor
