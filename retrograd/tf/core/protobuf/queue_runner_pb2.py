"""The names of ``tensorflow.core.protobuf.queue_runner_pb2``."""

from retrograd.faces import missing
from retrograd.files.messages import QueueRunnerDef

__getattr__ = missing(__name__)
