"""The names of ``tensorflow.python.training.basic_session_run_hooks``."""

from retrograd.faces import missing
from retrograd.io.event_files import FileWriterCache as SummaryWriterCache

__getattr__ = missing(__name__)
