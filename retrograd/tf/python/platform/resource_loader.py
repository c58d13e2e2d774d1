"""The names of ``tensorflow.python.platform.resource_loader``."""

from retrograd.faces import missing
from retrograd.io.data_files import get_data_files_path, get_path_to_datafile, readahead_file_path

__getattr__ = missing(__name__)
