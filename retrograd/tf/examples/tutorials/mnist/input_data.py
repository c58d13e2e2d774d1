"""The names of ``tensorflow.examples.tutorials.mnist.input_data``, of 1.15 and of the releases before it."""

from retrograd.io.mnist import (
    DataSet,
    dense_to_one_hot,
    extract_images,
    extract_labels,
    maybe_download,
    read_data_sets,
)
