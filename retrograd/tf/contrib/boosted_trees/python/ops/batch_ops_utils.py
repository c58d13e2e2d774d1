"""The names of ``tensorflow.contrib.boosted_trees.python.ops.batch_ops_utils``."""

from retrograd.estimator.gradient_trees.batching import (
    ScheduledOp,
    ScheduledStampedResourceOp,
    run_handler_scheduled_ops,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
