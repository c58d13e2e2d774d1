"""The names of ``tensorflow.python.distribute.summary_op_util``."""

from retrograd.faces import missing
from retrograd.nn.summaries import clean_tag, collect, skip_summary, summary_scope

__getattr__ = missing(__name__)
