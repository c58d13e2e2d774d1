"""The names of ``tensorflow.contrib.slim.parallel_reader``."""

from retrograd.contrib.slim_data import ParallelReader, get_data_files, parallel_read, single_pass_read
from retrograd.faces import missing

__getattr__ = missing(__name__)
