"""The names of ``tensorflow.contrib.integrate.python.ops.odes``."""

from retrograd.contrib.odes import odeint, odeint_fixed
from retrograd.faces import missing

__getattr__ = missing(__name__)
