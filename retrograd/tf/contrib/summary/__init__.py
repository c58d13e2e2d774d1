"""The names of ``tensorflow.contrib.summary``."""

import __future__

from retrograd.faces import missing
from retrograd.io.summary_writers import (
    SummaryWriter,
    all_summary_ops,
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

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function

__getattr__ = missing(__name__)
