"""The names of ``tensorflow.contrib.summary``."""

import __future__

from retrograd.faces import missing
from retrograd.io.written_summaries import (
    SummaryWriter,
    all_summary_ops,
    always_record_summaries,
    audio,
    create_file_writer,
    create_summary_file_writer,
    eval_dir,
    flush,
    generic,
    histogram,
    image,
    import_event,
    initialize,
    never_record_summaries,
    record_summaries_every_n_global_steps,
    scalar,
    should_record_summaries,
    summary_writer_initializer_op,
)
from retrograd.io.written_summaries import (
    graph_ as graph,
)

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function

__getattr__ = missing(__name__)
