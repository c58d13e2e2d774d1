"""The names of ``tensorflow.python.platform.build_info``."""

from retrograd.faces import missing

is_cuda_build = is_rocm_build = False

__getattr__ = missing(__name__)
