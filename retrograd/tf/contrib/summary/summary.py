"""The names of ``tensorflow.contrib.summary.summary``."""

from retrograd.faces import missing
from retrograd.io.summary_writers import (
    SummaryWriter,
    all_summary_ops,
    all_v2_summary_ops,
    always_record_summaries,
    create_file_writer,
    create_summary_file_writer,
    eval_dir,
    flush,
    initialize,
    never_record_summaries,
    record_summaries_every_n_global_steps,
    should_record_summaries,
    summary_writer_initializer_op,
)
from retrograd.io.summary_writers import (
    graph_ as graph,
)
from retrograd.io.written_summaries import audio, generic, histogram, image, import_event, scalar

__getattr__ = missing(__name__)
