"""The names of ``tensorflow.contrib.summary``."""

from retrograd.contrib.eager_summaries import (
    SummaryWriter,
    all_summary_ops,
    always_record_summaries,
    create_file_writer,
    create_summary_file_writer,
    flush,
    histogram,
    image,
    initialize,
    never_record_summaries,
    record_summaries_every_n_global_steps,
    scalar,
    should_record_summaries,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
