"""The names of ``tensorflow.python.keras.backend``."""

from retrograd.faces import missing
from retrograd.keras.backend_math import (
    abs_ as abs,
)
from retrograd.keras.backend_math import (
    all_ as all,
)
from retrograd.keras.backend_math import (
    any_ as any,
)
from retrograd.keras.backend_math import (
    argmax,
    argmin,
    batch_dot,
    batch_normalization,
    cast,
    clip,
    cos,
    cumprod,
    cumsum,
    dot,
    equal,
    exp,
    gather,
    greater,
    greater_equal,
    less,
    less_equal,
    log,
    logsumexp,
    maximum,
    mean,
    minimum,
    normalize_batch_in_training,
    not_equal,
    prod,
    sign,
    sin,
    sqrt,
    square,
    std,
    transpose,
    var,
)
from retrograd.keras.backend_math import (
    max_ as max,
)
from retrograd.keras.backend_math import (
    min_ as min,
)
from retrograd.keras.backend_math import (
    pow_ as pow,
)
from retrograd.keras.backend_math import (
    round_ as round,
)
from retrograd.keras.backend_math import (
    sum_ as sum,
)
from retrograd.keras.backend_networks import (
    bias_add,
    binary_crossentropy,
    categorical_crossentropy,
    conv1d,
    conv2d,
    conv2d_transpose,
    conv3d,
    depthwise_conv2d,
    dropout,
    elu,
    foldl,
    foldr,
    hard_sigmoid,
    in_top_k,
    l2_normalize,
    map_fn,
    pool2d,
    pool3d,
    relu,
    separable_conv2d,
    sigmoid,
    softmax,
    softplus,
    softsign,
    sparse_categorical_crossentropy,
    tanh,
)
from retrograd.keras.backend_shapes import (
    arange,
    batch_flatten,
    concatenate,
    expand_dims,
    flatten,
    one_hot,
    permute_dimensions,
    repeat,
    repeat_elements,
    reshape,
    resize_images,
    resize_volumes,
    reverse,
    spatial_2d_padding,
    spatial_3d_padding,
    squeeze,
    stack,
    temporal_padding,
    tile,
)
from retrograd.keras.backend_state import (
    backend,
    cast_to_floatx,
    clear_session,
    constant,
    count_params,
    dtype,
    epsilon,
    eye,
    function,
    get_graph,
    get_uid,
    get_value,
    gradients,
    image_data_format,
    in_test_phase,
    in_train_phase,
    int_shape,
    is_keras_tensor,
    is_placeholder,
    is_sparse,
    learning_phase_scope,
    moving_average_update,
    ndim,
    ones,
    ones_like,
    placeholder,
    print_tensor,
    random_binomial,
    random_normal,
    random_normal_variable,
    random_uniform,
    random_uniform_variable,
    reset_uids,
    set_epsilon,
    set_image_data_format,
    set_learning_phase,
    set_value,
    shape,
    stop_gradient,
    switch,
    symbolic_learning_phase,
    to_dense,
    truncated_normal,
    update,
    update_add,
    update_sub,
    variable,
    zeros,
    zeros_like,
)
from retrograd.keras.backend_state import (
    eval_ as eval,
)
from retrograd.keras.backend_state import (
    name_scope_ as name_scope,
)
from retrograd.keras.ctc import ctc_batch_cost, ctc_decode, ctc_label_dense_to_sparse
from retrograd.keras.layers.local import local_conv, local_conv1d, local_conv2d
from retrograd.keras.optimizers import track_tf_optimizer
from retrograd.keras.recurrence import rnn
from retrograd.nn.layers.phase import learning_phase
from retrograd.nn.layers.policies import floatx, set_floatx
from retrograd.nn.layers.session import (
    batch_get_value,
    batch_set_value,
    get_session,
    manual_variable_initialization,
    set_session,
    track_variable,
)
from retrograd.nn.layers.session import (
    initialize as _initialize_variables,
)
from retrograd.ops.arrays import identity

__getattr__ = missing(__name__)
