"""The names of ``tensorflow.contrib.nn.python.ops.sampling_ops``."""

from retrograd.faces import missing
from retrograd.nn.contrib.functions import rank_sampled_softmax_loss, sampled_sparse_softmax_loss

__getattr__ = missing(__name__)
