"""The names of ``tensorflow.contrib.linear_optimizer.python.ops.sharded_mutable_dense_hashtable``."""

from retrograd.contrib.sharded_tables import ShardedMutableDenseHashTable
from retrograd.faces import missing

__getattr__ = missing(__name__)
