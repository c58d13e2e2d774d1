"""The names of ``tensorflow.contrib.distribute.python.parameter_server_strategy``."""

from retrograd.distribute.kinds import ContribParameterServerStrategy as ParameterServerStrategy
from retrograd.faces import missing

__getattr__ = missing(__name__)
