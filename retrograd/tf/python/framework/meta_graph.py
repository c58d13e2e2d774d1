"""The names of ``tensorflow.python.framework.meta_graph``."""

from retrograd.faces import missing
from retrograd.io.fusing import ops_used_by_graph_def
from retrograd.io.imported_meta_graphs import (
    copy_scoped_meta_graph,
    import_scoped_meta_graph,
    import_scoped_meta_graph_with_return_elements,
    read_meta_graph_file,
)
from retrograd.io.meta_graphs import (
    create_meta_graph_def,
    export_scoped_meta_graph,
    stripped_op_list_for_graph,
)

__getattr__ = missing(__name__)
