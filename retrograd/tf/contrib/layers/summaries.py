"""The names of ``tensorflow.contrib.layers.summaries``."""

from retrograd.contrib.summarizing import (
    summarize_activation,
    summarize_activations,
    summarize_biases,
    summarize_collection,
    summarize_tensor,
    summarize_tensors,
    summarize_variables,
    summarize_weights,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
