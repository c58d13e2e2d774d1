"""The names of ``tensorflow.contrib.training``."""

from retrograd.contrib.evaluating import (
    StopAfterNEvalsHook,
    SummaryAtEndHook,
    checkpoints_iterator,
    evaluate_once,
    evaluate_repeatedly,
    get_or_create_eval_step,
    wait_for_new_checkpoint,
)
from retrograd.contrib.learning import train
from retrograd.estimator.inputs import _FeedingQueueRunner as FeedingQueueRunner
from retrograd.faces import missing
from retrograd.train.bucketing import bucket, bucket_by_sequence_length
from retrograd.train.device_setter import GreedyLoadBalancingStrategy, RandomStrategy, byte_size_load_fn
from retrograd.train.hparams import HParams, parse_values
from retrograd.train.sampling import rejection_sample, resample_at_rate, stratified_sample, weighted_resample
from retrograd.train.sequence_batches import batch_sequences_with_states
from retrograd.train.state_saver import NextQueuedSequenceBatch, SequenceQueueingStateSaver
from retrograd.train.train_ops import (
    add_gradients_summaries,
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
)

__getattr__ = missing(__name__)
