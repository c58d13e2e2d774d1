"""The names of ``tensorflow.python.estimator.exporter``."""

from retrograd.estimator.exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from retrograd.faces import missing

__getattr__ = missing(__name__)
