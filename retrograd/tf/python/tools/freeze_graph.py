"""The names of ``tensorflow.python.tools.freeze_graph``."""

from retrograd.faces import missing
from retrograd.io.tool_commands import run_freeze_graph as run_main
from retrograd.io.tools import freeze_graph, freeze_graph_with_def_protos

if __name__ == "__main__":
    from retrograd.io.tool_commands import run_freeze_graph

    raise SystemExit(run_freeze_graph())

__getattr__ = missing(__name__)
