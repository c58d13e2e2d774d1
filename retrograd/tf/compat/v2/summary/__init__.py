"""The names of ``tensorflow.compat.v2.summary``."""

from retrograd.faces import missing
from retrograd.io.second_summaries import audio, histogram, image, scalar, text
from retrograd.io.written_summaries import (
    SummaryWriter,
    create_noop_writer,
    flush,
    record_if,
    write,
)
from retrograd.io.written_summaries import (
    create_file_writer_v2 as create_file_writer,
)

__getattr__ = missing(__name__)
