"""The names of ``tensorflow.contrib.factorization.python.ops.wals``."""

from retrograd.estimator.older.factorizing import (
    StopAtSweepHook as _StopAtSweepHook,
)
from retrograd.estimator.older.factorizing import (
    SweepHook as _SweepHook,
)
from retrograd.estimator.older.factorizing import (
    WALSMatrixFactorization,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
