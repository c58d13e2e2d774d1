"""``retrograd.explain_gradients``: how large gradients are, line by line, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from retrograd.explain import not_finite, page, sizes, slips, still, text
from retrograd.explain.finding import Finding
from retrograd.explain.way import Way
from retrograd.grad.gradients import Pass, gradients, passes_read_by
from retrograd.graph import stack
from retrograd.graph.collections import GraphKeys
from retrograd.graph.errors import taught
from retrograd.run.plan import Plan
from retrograd.run.recorded import Record, runs_read_by

_OF_FINITE = (
    still.zero, still.off, still.alike, sizes.fading_or_growing, sizes.over_time, sizes.saturated, slips.every_pair,
    slips.softmax_of_softmax, slips.trained_copies,
)  # fmt: skip


class Explanation:
    """What was found of one derivative in one run.  Printed it is a text, in a notebook a page."""

    def __init__(self, way: Way) -> None:
        self.way = way

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader should know, the worst first."""
        found = [*not_finite.not_finite(self.way), *still.without_derivative(self.way)]
        found += [f for rule in _OF_FINITE for f in rule(self.way)]
        found += still.left_out(self.way)
        return tuple(sorted(dict.fromkeys(found), key=lambda f: not f.is_wrong))

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not any(f.is_wrong for f in self.findings)

    def save(self, path: str | Path) -> None:
        """Write the page of it to ``path``: one file of HTML that needs no other."""
        save([self], path)

    def __str__(self) -> str:
        return text.report(self.way, self.findings)

    def _repr_html_(self) -> str:
        return page.fragment(self.way, self.findings)


def explain_gradients(ys: Any, xs: Any = None, feed_dict: Any = None, session: Any = None) -> Explanation:
    """Run ``tf.gradients(ys, xs)`` and say what the gradients do on their way from ys to xs.

    Prints, and returns as an ``Explanation``: what is wrong (gradients that are None, 0, nan or infinite, that fade
    or grow from layer to layer or through time; units that are off, sigmoids at their ends, weights that nobody
    trains, losses that hold every prediction against every label), each with why, where and what to type; then each
    line of the program with the size of its value and of its gradient, and each x.

    The explanation adds ops to the graph.

    Args:
      ys: what is differentiated, as a loss; a tensor or a list of them.
      xs: tensors or variables, or a list of them; by default all trainable variables.
      feed_dict: what the run is given.
      session: what runs it, by default the default session.

    Raises:
      ValueError: there is no session, or nothing to differentiate with respect to.
      RuntimeError: the graph is finalized.

    >>> import retrograd
    >>> from retrograd import tf
    >>> x = tf.placeholder(tf.float32, [2, 3], name="x")
    >>> w = tf.get_variable("w", [3, 4], initializer=tf.ones_initializer())
    >>> loss = tf.reduce_mean(tf.nn.relu(tf.matmul(x, -w)), name="loss")
    >>> with tf.Session() as sess:
    ...     sess.run(tf.global_variables_initializer())
    ...     found = retrograd.explain_gradients(loss, feed_dict={x: [[1, 2, 3], [4, 5, 6]]})  # doctest: +ELLIPSIS
    gradients of 'loss' ... 1 problem
    ...
    >>> found.ok
    False
    """
    session = session or stack.default_session()
    if session is None:
        raise taught(
            ValueError("explain_gradients needs a session to run the gradients in"),
            fix="with tf.Session() as sess: retrograd.explain_gradients(loss, feed_dict=...)",
        )
    graph = session.graph
    xs = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES) if xs is None else xs
    if isinstance(xs, list | tuple) and not xs:
        raise taught(
            ValueError("No variables to explain the gradients of"),
            fix="retrograd.explain_gradients(ys, xs), xs being the tensors to differentiate with respect to",
        )
    if graph.finalized:
        raise taught(
            RuntimeError("Graph is finalized and cannot be modified."),
            why="explain_gradients adds gradients of its own to the graph",
            fix="retrograd explain PROGRAM.py, which looks at the program's own",
        )
    made: list[Pass] = []
    with graph.as_default(), passes_read_by(made.append):
        gradients(ys, xs, name="explain_gradients")
    (found,) = made
    fetches = [dx for dx in (*found.dxs, *found.ys) if dx is not None]
    records: list[Record] = []

    def ours(plan: Plan) -> Any:
        return records.append if plan.fetches[-1:] == tuple(fetches[-1:]) else None

    with runs_read_by(ours):
        session.run(fetches, feed_dict)
    explanation = Explanation(Way(found, records[-1]))
    print(explanation)
    return explanation


def save(explanations: Iterable[Explanation], path: str | Path) -> None:
    """Write several to one page."""
    Path(path).write_text(page.document([(e.way, e.findings) for e in explanations]), encoding="utf-8")
