"""The names of ``tensorflow.contrib.kernel_methods``."""

from retrograd.contrib.kernel_methods import RandomFourierFeatureMapper, sparse_multiclass_hinge_loss
from retrograd.estimator.older.linear_kinds import KernelLinearClassifier
from retrograd.faces import missing

__getattr__ = missing(__name__)
