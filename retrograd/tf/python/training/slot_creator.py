"""The names of ``tensorflow.python.training.slot_creator``."""

from retrograd.faces import missing
from retrograd.train.slot_creator import create_slot, create_slot_with_initializer, create_zeros_slot

__getattr__ = missing(__name__)
