"""The names of ``tensorflow.contrib.training.python.training.sequence_queueing_state_saver``."""

from retrograd.faces import missing
from retrograd.train.sequence_batches import _padding, batch_sequences_with_states
from retrograd.train.state_saver import NextQueuedSequenceBatch, SequenceQueueingStateSaver

__getattr__ = missing(__name__)
