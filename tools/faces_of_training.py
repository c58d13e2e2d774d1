"""Where names of training beyond optimizers come from; see ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve

_SEQUENCES = "contrib.training contrib.training.python.training.sequence_queueing_state_saver"
_LINEAR = "contrib.linear_optimizer"
SERVED = f"""
train.state_saver | {_SEQUENCES} | SequenceQueueingStateSaver NextQueuedSequenceBatch
train.sequence_batches | {_SEQUENCES} | batch_sequences_with_states
train.sequence_batches | contrib.training.python.training.sequence_queueing_state_saver | _padding
contrib.coordinate_ascent | {_LINEAR} {_LINEAR}.python.ops.sdca_ops | SdcaModel
contrib.coordinate_ascent | {_LINEAR} {_LINEAR}.python.ops.sparse_feature_column | SparseFeatureColumn
ops.sdca | train python.ops.sdca_ops python.ops.gen_sdca_ops | sdca_fprint sdca_shrink_l1 sdca_optimizer
ops.sdca | python.ops.gen_sdca_ops | sdca_optimizer_v2
"""

serve(SERVED)
HIDDEN.update({("retrograd.train.state_saver", "*"), ("retrograd.train.sequence_batches", "*")})
