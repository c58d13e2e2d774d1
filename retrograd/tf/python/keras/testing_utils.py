"""The names of ``tensorflow.python.keras.testing_utils``."""

from retrograd.faces import missing
from retrograd.testing.keras_models import (
    disable_v2_dtype_behavior,
    enable_v2_dtype_behavior,
    experimental_run_tf_function_scope,
    get_expected_metric_variable_names,
    get_model_from_layers,
    get_model_type,
    get_multi_io_model,
    get_small_functional_mlp,
    get_small_mlp,
    get_small_sequential_mlp,
    get_small_subclass_mlp,
    get_small_subclass_mlp_with_custom_build,
    get_test_data,
    get_v2_optimizer,
    layer_test,
    model_type_scope,
    run_eagerly_scope,
    should_run_eagerly,
    should_run_tf_function,
)

__getattr__ = missing(__name__)
