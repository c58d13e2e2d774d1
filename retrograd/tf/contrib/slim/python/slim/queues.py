"""The names of ``tensorflow.contrib.slim.python.slim.queues``."""

from retrograd.contrib.slim_data import NestedQueueRunnerError, QueueRunners
from retrograd.faces import missing

__getattr__ = missing(__name__)
