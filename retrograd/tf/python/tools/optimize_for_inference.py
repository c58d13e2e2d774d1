"""The names of ``tensorflow.python.tools.optimize_for_inference``."""

from retrograd.faces import missing

if __name__ == "__main__":
    from retrograd.io.tool_commands import run_optimize_for_inference

    raise SystemExit(run_optimize_for_inference())

__getattr__ = missing(__name__)
