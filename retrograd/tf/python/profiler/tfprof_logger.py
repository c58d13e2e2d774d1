"""The names of ``tensorflow.python.profiler.tfprof_logger``."""

from retrograd.faces import missing
from retrograd.sessions.op_logs import write_op_log

__getattr__ = missing(__name__)
