"""The names of ``tensorflow.python.tools.import_pb_to_tensorboard``."""

from retrograd.faces import missing
from retrograd.io.tool_commands import import_to_tensorboard

if __name__ == "__main__":
    from retrograd.io.tool_commands import run_import_pb_to_tensorboard

    raise SystemExit(run_import_pb_to_tensorboard())

__getattr__ = missing(__name__)
