"""The names of ``tensorflow.python.estimator.run_config``."""

from retrograd.estimator.config import RunConfig, TaskType
from retrograd.faces import missing

__getattr__ = missing(__name__)
