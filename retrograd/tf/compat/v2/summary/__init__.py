"""The names of ``tensorflow.compat.v2.summary``."""

from retrograd.faces import missing
from retrograd.io.second_summaries import audio, histogram, image, scalar, text
from retrograd.io.summary_writers import (
    SummaryWriter,
    create_noop_writer,
    flush,
    record_if,
)
from retrograd.io.summary_writers import (
    create_file_writer_v2 as create_file_writer,
)
from retrograd.io.written_summaries import write

__getattr__ = missing(__name__)
