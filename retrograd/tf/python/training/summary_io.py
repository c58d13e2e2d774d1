"""The names of ``tensorflow.python.training.summary_io``."""

from retrograd.faces import missing
from retrograd.io.event_files import FileWriter as SummaryWriter
from retrograd.io.event_files import FileWriterCache as SummaryWriterCache

__getattr__ = missing(__name__)
