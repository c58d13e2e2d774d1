"""The names of ``tensorflow.contrib.slim.python.slim.data.prefetch_queue``."""

from retrograd.contrib.slim_data import prefetch_queue
from retrograd.faces import missing

__getattr__ = missing(__name__)
