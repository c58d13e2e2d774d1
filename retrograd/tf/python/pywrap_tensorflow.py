"""The names of ``tensorflow.python.pywrap_tensorflow``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_values import NewCheckpointReader
from retrograd.io.events_writer import EventsWriter

__getattr__ = missing(__name__)
