"""The names of ``tensorflow.compat.v2.summary.experimental``."""

from retrograd.faces import missing
from retrograd.io.written_summaries import get_step, set_step, summary_scope, write_raw_pb

__getattr__ = missing(__name__)
