"""The names of ``tensorflow.train.queue_runner``."""

from retrograd.faces import missing
from retrograd.train.queue_runner import QueueRunner, add_queue_runner, start_queue_runners

__getattr__ = missing(__name__)
