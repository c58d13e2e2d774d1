"""The names of ``tensorflow.python.estimator.export.export``."""

from retrograd.estimator.receivers import (
    ServingInputReceiver,
    SupervisedInputReceiver,
    TensorServingInputReceiver,
    UnsupervisedInputReceiver,
    build_parsing_serving_input_receiver_fn,
    build_raw_serving_input_receiver_fn,
    build_raw_supervised_input_receiver_fn,
    build_supervised_input_receiver_fn_from_input_fn,
    wrap_and_check_input_tensors,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
