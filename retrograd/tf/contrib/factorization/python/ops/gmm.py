"""The names of ``tensorflow.contrib.factorization.python.ops.gmm``."""

from retrograd.estimator.older.factorizing import GMM
from retrograd.faces import missing

__getattr__ = missing(__name__)
