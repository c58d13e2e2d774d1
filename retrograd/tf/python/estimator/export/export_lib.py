"""The names of ``tensorflow.python.estimator.export.export_lib``."""

from retrograd.estimator.receivers import (
    ServingInputReceiver,
    TensorServingInputReceiver,
    build_parsing_serving_input_receiver_fn,
    build_raw_serving_input_receiver_fn,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
