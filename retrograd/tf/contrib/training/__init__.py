"""The names of ``tensorflow.contrib.training``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_values import wait_for_new_checkpoint
from retrograd.train.device_setter import GreedyLoadBalancingStrategy, RandomStrategy, byte_size_load_fn
from retrograd.train.hparams import HParams, parse_values
from retrograd.train.train_ops import (
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
)

__getattr__ = missing(__name__)
