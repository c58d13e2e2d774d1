"""The names of ``tensorflow.python.ops.logging_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.nn.contrib.older_summaries import (
    audio_summary,
    histogram_summary,
    image_summary,
    merge_all_summaries,
    merge_summary,
    scalar_summary,
)
from retrograd.ops.clock import timestamp
from retrograd.ops.printing import Print
from retrograd.ops.printing import print_ as print_v2

__getattr__ = missing(__name__)
