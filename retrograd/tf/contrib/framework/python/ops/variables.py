"""The names of ``tensorflow.contrib.framework.python.ops.variables``."""

from retrograd.faces import missing
from retrograd.io.assigning import (
    assign_from_checkpoint,
    assign_from_checkpoint_fn,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from retrograd.nn.contrib.model_variables import (
    VariableDeviceChooser,
    add_model_variable,
    assign_from_values,
    assign_from_values_fn,
    filter_variables,
    get_local_variables,
    get_model_variables,
    get_name_scope,
    get_placeholders,
    get_trainable_variables,
    get_unique_variable,
    get_variable_full_name,
    get_variables,
    get_variables_by_name,
    get_variables_by_suffix,
    get_variables_to_restore,
    global_variable,
    local_variable,
    model_variable,
    reduce_sum_n,
    variable,
)
from retrograd.ops.zeroing import zero_initializer
from retrograd.train.training_util import (
    assert_global_step,
    assert_or_get_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
)

__getattr__ = missing(__name__)
