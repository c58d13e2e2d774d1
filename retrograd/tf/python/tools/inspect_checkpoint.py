"""The names of ``tensorflow.python.tools.inspect_checkpoint``."""

from retrograd.faces import missing
from retrograd.io.tools import print_tensors_in_checkpoint_file

if __name__ == "__main__":
    from retrograd.io.tool_commands import run_inspect_checkpoint

    raise SystemExit(run_inspect_checkpoint())

__getattr__ = missing(__name__)
