"""The names of ``tensorflow.compat.v2.summary.experimental``."""

from retrograd.faces import missing
from retrograd.io.summary_writers import get_step, set_step
from retrograd.io.written_summaries import summary_scope, write_raw_pb

__getattr__ = missing(__name__)
