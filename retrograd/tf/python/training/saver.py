"""The names of ``tensorflow.python.training.saver``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_files import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from retrograd.io.meta_graphs import export_meta_graph
from retrograd.io.saver import (
    Saver,
    _get_saver_or_default,
    _import_meta_graph_with_return_elements,
    import_meta_graph,
)
from retrograd.io.saver_builder import BaseSaverBuilder, BulkSaverBuilder

__getattr__ = missing(__name__)
