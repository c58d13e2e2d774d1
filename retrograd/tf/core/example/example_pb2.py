"""The names of ``tensorflow.core.example.example_pb2``."""

from retrograd.faces import missing
from retrograd.files.messages import Example, SequenceExample

__getattr__ = missing(__name__)
