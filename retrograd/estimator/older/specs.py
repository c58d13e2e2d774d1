"""What models of ``tf.contrib.learn`` are described by.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: arguments, defaults.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class _Fields(NamedTuple):
    mode: Any
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    output_alternatives: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any


class ModelFnOps(_Fields):
    """What an older ``model_fn`` may give in place of a tuple."""

    __slots__ = ()

    def __new__(
        cls,
        mode: Any,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        output_alternatives: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        return super().__new__(
            cls,
            mode,
            predictions,
            loss,
            train_op,
            eval_metric_ops or {},
            output_alternatives,
            training_chief_hooks or [],
            training_hooks or [],
            scaffold,
        )
