"""The names of ``tensorflow.contrib.opt.python.training.matrix_functions``."""

from retrograd.faces import missing
from retrograd.train.shampoo import matrix_inverse_pth_root, matrix_square_root

__getattr__ = missing(__name__)
