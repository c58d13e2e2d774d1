"""The names of ``tensorflow.python.training.tracking.graph_view``."""

from retrograd.faces import missing
from retrograd.io.object_views import ObjectGraphView

__getattr__ = missing(__name__)
