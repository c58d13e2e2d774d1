"""The names of ``tensorflow.contrib.learn.python.learn.learn_io``."""

from retrograd.contrib.example_queues import (
    queue_parsed_features,
    read_batch_examples,
    read_batch_features,
    read_batch_record_features,
    read_keyed_batch_examples,
    read_keyed_batch_examples_shared_queue,
    read_keyed_batch_features,
    read_keyed_batch_features_shared_queue,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
