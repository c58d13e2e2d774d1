"""The cross entropy of sequences of symbols as a loss of Keras' kind: ``SequenceLoss`` of ``tf.contrib.seq2seq``."""

from __future__ import annotations

from typing import Any

from retrograd.keras.losses import Loss
from retrograd.nn.seq2seq.loss import sequence_loss


class SequenceLoss(Loss):
    """``sequence_loss`` of predictions, ``[batch, time, symbols]``; its arguments say what it is averaged over."""

    def __init__(
        self, average_across_timesteps: bool = False, average_across_batch: bool = False,
        sum_over_timesteps: bool = True, sum_over_batch: bool = True, softmax_loss_function: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name)
        self.average_across_timesteps, self.average_across_batch = average_across_timesteps, average_across_batch
        self.sum_over_timesteps, self.sum_over_batch = sum_over_timesteps, sum_over_batch
        self.softmax_loss_function = softmax_loss_function

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """The loss of ``y_pred``; ``sample_weight``, ``[batch, time]``, is needed."""
        return sequence_loss(
            y_pred, y_true, sample_weight, self.average_across_timesteps, self.average_across_batch,
            self.sum_over_timesteps, self.sum_over_batch, self.softmax_loss_function, self.name,
        )  # fmt: skip
