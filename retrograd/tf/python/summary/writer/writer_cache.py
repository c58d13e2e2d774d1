"""The names of ``tensorflow.python.summary.writer.writer_cache``."""

from retrograd.faces import missing
from retrograd.io.event_files import FileWriter, FileWriterCache

__getattr__ = missing(__name__)
