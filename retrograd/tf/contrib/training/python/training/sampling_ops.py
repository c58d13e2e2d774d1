"""The names of ``tensorflow.contrib.training.python.training.sampling_ops``."""

from retrograd.faces import missing
from retrograd.train.sampling import rejection_sample, stratified_sample

__getattr__ = missing(__name__)
