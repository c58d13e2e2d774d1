"""The names of ``tensorflow.python.data.experimental.ops.readers``."""

from retrograd.data.readers import CsvDataset
from retrograd.data.readers import CsvDataset as CsvDatasetV1
from retrograd.data.tables import (
    SqlDataset,
    make_batched_features_dataset,
    make_csv_dataset,
    make_tf_record_dataset,
)
from retrograd.data.tables import SqlDataset as SqlDatasetV1
from retrograd.data.tables import make_csv_dataset as make_csv_dataset_v1
from retrograd.faces import missing

__getattr__ = missing(__name__)
