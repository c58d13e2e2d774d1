"""The names of ``tensorflow.python.ops.summary_ops_v2``."""

from retrograd.faces import missing
from retrograd.io.written_summaries import (
    INVALID_SCOPE_CHARACTERS as _INVALID_SCOPE_CHARACTERS,
)
from retrograd.io.written_summaries import (
    NoopSummaryWriter,
    ResourceSummaryWriter,
    SummaryWriter,
    all_summary_ops,
    all_v2_summary_ops,
    always_record_summaries,
    audio,
    create_file_writer,
    create_file_writer_v2,
    create_noop_writer,
    create_summary_file_writer,
    eval_dir,
    flush,
    generic,
    get_step,
    histogram,
    image,
    import_event,
    initialize,
    keras_model,
    never_record_summaries,
    record_if,
    record_summaries_every_n_global_steps,
    run_metadata,
    run_metadata_graphs,
    scalar,
    set_step,
    should_record_summaries,
    summary_scope,
    summary_writer_function,
    summary_writer_initializer_op,
    write,
    write_raw_pb,
)
from retrograd.io.written_summaries import (
    graph_ as graph,
)

__getattr__ = missing(__name__)
