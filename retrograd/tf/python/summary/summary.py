"""The names of ``tensorflow.python.summary.summary``."""

from retrograd.faces import missing
from retrograd.io.event_files import FileWriter, FileWriterCache
from retrograd.nn.summaries import (
    audio,
    get_summary_description,
    histogram,
    image,
    merge,
    merge_all,
    scalar,
    tensor_summary,
    text,
)

__getattr__ = missing(__name__)
