"""The names of ``tensorflow.python.ops.summary_ops_v2``."""

from retrograd.faces import missing
from retrograd.io.summary_writers import (
    NoopSummaryWriter,
    ResourceSummaryWriter,
    SummaryWriter,
    all_summary_ops,
    all_v2_summary_ops,
    always_record_summaries,
    create_file_writer,
    create_file_writer_v2,
    create_noop_writer,
    create_summary_file_writer,
    eval_dir,
    flush,
    get_step,
    initialize,
    never_record_summaries,
    record_if,
    record_summaries_every_n_global_steps,
    set_step,
    should_record_summaries,
    summary_writer_initializer_op,
)
from retrograd.io.summary_writers import (
    graph_ as graph,
)
from retrograd.io.written_summaries import (
    INVALID_SCOPE_CHARACTERS as _INVALID_SCOPE_CHARACTERS,
)
from retrograd.io.written_summaries import (
    audio,
    generic,
    histogram,
    image,
    import_event,
    keras_model,
    run_metadata,
    run_metadata_graphs,
    scalar,
    summary_scope,
    summary_writer_function,
    write,
    write_raw_pb,
)

__getattr__ = missing(__name__)
