"""The names of ``tensorflow.contrib.slim.python.slim.summaries``."""

from retrograd.contrib.summarizing import (
    add_histogram_summaries,
    add_histogram_summary,
    add_image_summaries,
    add_image_summary,
    add_scalar_summaries,
    add_scalar_summary,
    add_zero_fraction_summaries,
    add_zero_fraction_summary,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
