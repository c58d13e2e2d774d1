"""The names of ``tensorflow.contrib.deprecated``."""

from retrograd.faces import missing
from retrograd.nn.contrib.older_summaries import (
    audio_summary,
    histogram_summary,
    image_summary,
    merge_all_summaries,
    merge_summary,
    scalar_summary,
)

__getattr__ = missing(__name__)
