"""The names of ``tensorflow.contrib.learn.python.learn.learn_io.graph_io``."""

from retrograd.contrib.example_queues import (
    _KEY as KEY_FEATURE_NAME,
)
from retrograd.contrib.example_queues import (
    _file_names as _get_file_names,
)
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
