"""``tf.contrib.distribute``'s steps of training and the loop that runs them.

Source: TensorFlow 1.15.5, ``python/distribute/step_fn.py``, ``contrib/distribute/python/monitor.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.derivatives.functions import implicit_gradients
from retrograd.graph import errors
from retrograd.graph.modes import executing_eagerly
from retrograd.state.initialization import global_variables_initializer


class Step:
    """What is done again and again under a strategy, by a call."""

    def __init__(self, distribution: Any) -> None:
        self._distribution = distribution

    @property
    def distribution(self) -> Any:
        """The strategy."""
        return self._distribution

    def initialize(self) -> Any:
        """What is to run before the first step."""
        return []

    def __call__(self) -> Any:
        """One step; in a graph the op of one.

        Raises:
          NotImplementedError: here.
        """
        raise NotImplementedError("must be implemented in descendants")


class StandardInputStep(Step):
    """A step that reads ``dataset_fn()``."""

    def __init__(self, dataset_fn: Callable[[], Any], distribution: Any) -> None:
        super().__init__(distribution)
        self._iterator = distribution.make_input_fn_iterator(lambda _: dataset_fn())

    def initialize(self) -> Any:
        return self._iterator.initialize()


class StandardSingleLossStep(StandardInputStep):
    """A step of an optimizer down ``loss_fn(context, element)``, for ``iterations_per_step`` elements."""

    def __init__(
        self, dataset_fn: Callable[[], Any], loss_fn: Callable[..., Any], optimizer: Any, distribution: Any,
        iterations_per_step: int = 1,
    ) -> None:  # fmt: skip
        super().__init__(dataset_fn, distribution)
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._iterations_per_step = iterations_per_step

    def __call__(self) -> Any:
        gradients_fn = implicit_gradients(self._loss_fn)

        def update(context: Any, inputs: Any) -> Any:
            return self._optimizer.apply_gradients(
                [pair for pair in gradients_fn(context, inputs) if pair[0] is not None]
            )

        def step(*given: Any) -> Any:
            return self.distribution.extended.call_for_each_replica(update, args=given)

        with self._distribution.scope():
            context = self.distribution.extended.experimental_run_steps_on_iterator(
                step, self._iterator, self._iterations_per_step
            )
            return context.run_op


class Monitor:
    """Runs a step until the data end, or as often as it is told; in a graph by a session.

    Raises:
      ValueError: there is no session in a graph, or one where ops run at once.
    """

    def __init__(self, step_callable: Any, session: Any = None) -> None:
        if executing_eagerly():
            if session is not None:
                raise ValueError("Should not provide a `session` in Eager mode.")
            self._run_step = step_callable
            return
        if session is None:
            raise ValueError("Should provide a `session` in Graph mode.")
        session.run(step_callable.initialize())
        self._run_step = session.make_callable(step_callable())
        session.run(global_variables_initializer())

    def run_steps(self, num_steps: int | None = None) -> None:
        """Run so many steps, or to the end."""
        done = 0
        while num_steps is None or done < num_steps:
            try:
                self._run_step()
            except errors.OutOfRangeError:
                break
            done += 1
