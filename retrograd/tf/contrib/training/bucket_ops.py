"""The names of ``tensorflow.contrib.training.bucket_ops``."""

from retrograd.faces import missing
from retrograd.train.bucketing import bucket, bucket_by_sequence_length

__getattr__ = missing(__name__)
