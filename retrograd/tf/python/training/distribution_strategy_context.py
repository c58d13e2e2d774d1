"""The names of ``tensorflow.python.training.distribution_strategy_context``."""

from retrograd.distribute.contexts import (
    experimental_set_strategy,
    get_cross_replica_context,
    get_replica_context,
    get_strategy,
    get_strategy_and_replica_context,
    has_strategy,
    in_cross_replica_context,
)
from retrograd.distribute.contexts import (
    get_strategy as get_distribution_strategy,
)
from retrograd.distribute.contexts import (
    has_strategy as has_distribution_strategy,
)
from retrograd.faces import missing
from retrograd.graph.module_names import LazyLoader

__getattr__ = missing(__name__)
