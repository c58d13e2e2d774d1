"""The names of ``tensorflow.python.training.queue_runner_impl``."""

from retrograd.faces import missing
from retrograd.train.queue_runner import QueueRunner, add_queue_runner, start_queue_runners

__getattr__ = missing(__name__)
