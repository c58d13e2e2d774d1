"""The names of ``tensorflow.contrib.learn.io``."""

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
from retrograd.estimator.older.frames import extract_pandas_data, extract_pandas_labels, extract_pandas_matrix
from retrograd.estimator.older.inputs import generator_input_fn, numpy_input_fn, pandas_input_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
