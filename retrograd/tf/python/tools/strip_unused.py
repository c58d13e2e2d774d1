"""The names of ``tensorflow.python.tools.strip_unused``."""

from retrograd.faces import missing

if __name__ == "__main__":
    from retrograd.io.tool_commands import run_strip_unused

    raise SystemExit(run_strip_unused())

__getattr__ = missing(__name__)
