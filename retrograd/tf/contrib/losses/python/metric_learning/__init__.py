"""The names of ``tensorflow.contrib.losses.python.metric_learning``."""

from retrograd.faces import missing
from retrograd.nn.contrib.cluster_loss import cluster_loss
from retrograd.nn.contrib.metric_losses import (
    contrastive_loss,
    lifted_struct_loss,
    npairs_loss,
    npairs_loss_multilabel,
    triplet_semihard_loss,
)

__getattr__ = missing(__name__)
