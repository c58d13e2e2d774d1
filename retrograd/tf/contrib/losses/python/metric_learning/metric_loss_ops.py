"""The names of ``tensorflow.contrib.losses.python.metric_learning.metric_loss_ops``."""

from retrograd.faces import missing
from retrograd.nn.contrib.cluster_loss import cluster_loss
from retrograd.nn.contrib.metric_losses import (
    contrastive_loss,
    lifted_struct_loss,
    masked_maximum,
    masked_minimum,
    npairs_loss,
    npairs_loss_multilabel,
    pairwise_distance,
    triplet_semihard_loss,
)

__getattr__ = missing(__name__)
