"""The names of ``tensorflow.python.keras.utils``."""

from retrograd.faces import missing
from retrograd.keras.enqueuers import GeneratorEnqueuer, OrderedEnqueuer, SequenceEnqueuer
from retrograd.keras.model_utils import (
    HDF5Matrix,
    convert_all_kernels_in_model,
    get_source_inputs,
    model_to_dot,
    plot_model,
)
from retrograd.keras.replicas import multi_gpu_model
from retrograd.keras.utils import (
    CustomObjectScope,
    Progbar,
    Sequence,
    custom_object_scope,
    deserialize_keras_object,
    get_custom_objects,
    get_file,
    normalize,
    serialize_keras_object,
    to_categorical,
)

__getattr__ = missing(__name__)
