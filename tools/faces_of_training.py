"""Where names of training beyond optimizers come from; see ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve

_SEQUENCES = "contrib.training contrib.training.python.training.sequence_queueing_state_saver"
SERVED = f"""
train.state_saver | {_SEQUENCES} | SequenceQueueingStateSaver NextQueuedSequenceBatch
train.sequence_batches | {_SEQUENCES} | batch_sequences_with_states
train.sequence_batches | contrib.training.python.training.sequence_queueing_state_saver | _padding
"""

serve(SERVED)
HIDDEN.update({("retrograd.train.state_saver", "*"), ("retrograd.train.sequence_batches", "*")})
