"""The names of ``tensorflow.contrib.input_pipeline.python.ops.input_pipeline_ops``."""

from retrograd.contrib.example_queues import obtain_next, seek_next
from retrograd.faces import missing

__getattr__ = missing(__name__)
