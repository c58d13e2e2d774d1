"""The names of ``tensorflow.contrib.learn.python.learn.datasets.text_datasets``."""

from retrograd.faces import missing
from retrograd.io.small_sets import DBPEDIA_URL, load_dbpedia, maybe_download_dbpedia

__getattr__ = missing(__name__)
