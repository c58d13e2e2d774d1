"""The names of ``tensorflow.contrib.input_pipeline``."""

from retrograd.contrib.example_queues import obtain_next
from retrograd.faces import missing

__getattr__ = missing(__name__)
