"""The names of ``tensorflow.contrib.learn.python.learn.estimators.run_config``."""

from retrograd.estimator.config import TaskType
from retrograd.estimator.older.run_configs import Environment, RunConfig
from retrograd.faces import missing

__getattr__ = missing(__name__)
