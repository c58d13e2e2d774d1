"""The names of ``tensorflow.python.training.coordinator``."""

from retrograd.faces import missing
from retrograd.train.coordinator import Coordinator, LooperThread

__getattr__ = missing(__name__)
