"""The names of ``tensorflow.python.ops.partitioned_variables``."""

from retrograd.faces import missing
from retrograd.state.partitioned import (
    create_partitioned_variables,
    fixed_size_partitioner,
    min_max_variable_partitioner,
    variable_axis_size_partitioner,
)

__getattr__ = missing(__name__)
