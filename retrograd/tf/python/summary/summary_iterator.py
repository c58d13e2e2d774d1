"""The names of ``tensorflow.python.summary.summary_iterator``."""

from retrograd.faces import missing
from retrograd.io.event_files import summary_iterator

__getattr__ = missing(__name__)
