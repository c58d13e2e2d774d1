"""The names of ``tensorflow.contrib.quantize.python.quantize_graph``."""

from retrograd.contrib.quantizing import (
    create_eval_graph,
    create_training_graph,
    experimental_create_eval_graph,
    experimental_create_training_graph,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
