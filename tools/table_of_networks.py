"""What names alone cannot say of layers, losses, metrics, recurrent networks and distributions."""

from faces_table import HIDDEN, RENAMED, G, T, words

_KERAS, _LAYERS = "retrograd.nn.keras.", "retrograd.nn.layers."
for _topic in ("activations", "initializers", "regularizers", "constraints"):
    for _name in ("get", "serialize"):
        for _module in (f"keras.{_topic}", f"python.keras.{_topic}"):
            RENAMED[_module, _name] = f"{_KERAS}{_topic}:"
for _name in words("elu exponential hard_sigmoid linear relu selu sigmoid softmax softplus softsign"):
    RENAMED["keras.activations", _name] = RENAMED["python.keras.activations", _name] = f"{_KERAS}activations:"
RENAMED["keras.activations", "tanh"] = RENAMED["python.keras.activations", "tanh"] = "retrograd.ops.trigonometry:"
for _name in words("RandomNormal RandomUniform TruncatedNormal"):
    RENAMED["keras.initializers", _name] = RENAMED["python.keras.initializers", _name] = f"{_KERAS}initializers:"
RENAMED["keras.initializers", "normal"] = RENAMED["keras.initializers", "random_normal"] = (
    f"{_KERAS}initializers:RandomNormal"
)
RENAMED["keras.initializers", "uniform"] = RENAMED["keras.initializers", "random_uniform"] = (
    f"{_KERAS}initializers:RandomUniform"
)
RENAMED["keras.initializers", "truncated_normal"] = f"{_KERAS}initializers:TruncatedNormal"
for _name in words("Constraint MaxNorm MinMaxNorm NonNeg UnitNorm max_norm min_max_norm non_neg unit_norm"):
    RENAMED["keras.constraints", _name] = RENAMED["python.keras.constraints", _name] = f"{_KERAS}constraints:"
for _name in words("L1L2 Regularizer l1 l1_l2 l2"):
    RENAMED["keras.regularizers", _name] = RENAMED["python.keras.regularizers", _name] = f"{_KERAS}regularizers:"
HIDDEN.update(
    (f"{_KERAS}{_topic}", "*") for _topic in ("activations", "constraints", "initializers", "regularizers", "lookup")
)
for _module in ("keras.layers", "python.keras.engine.base_layer"):
    RENAMED[_module, "Layer"] = f"{_LAYERS}engine:"
for _name in words("GRU GRUCell LSTM LSTMCell"):
    for _module in ("compat.v2.keras.layers", "python.keras.layers.recurrent_v2"):
        RENAMED[_module, _name] = "retrograd.keras.layers.recurrent_v2:"
HIDDEN.add(("retrograd.keras.layers.recurrent_v2", "*"))
for _module in ("keras.layers", "layers", "python.layers.base", "python.keras.engine.input_spec"):
    RENAMED[_module, "InputSpec"] = f"{_LAYERS}input_spec:"
for _module in ("layers", "python.layers.base"):
    RENAMED[_module, "Layer"] = f"{_LAYERS}base:"
for _name in words("""
    constant_value conv_input_length conv_output_length convert_data_format deconv_output_length
    get_reachable_from_inputs normalize_data_format normalize_padding normalize_tuple smart_cond
"""):
    RENAMED["python.layers.utils", _name] = f"{_LAYERS}sizes:"
for _name in words("Dense Dropout Flatten dense dropout flatten FullyConnected fully_connected"):
    RENAMED["python.layers.core", _name] = f"{_LAYERS}core:"
    if not _name.lower().startswith("fully"):
        RENAMED["layers", _name] = f"{_LAYERS}core:"
HIDDEN.update(
    (f"{_LAYERS}{_file}", "*")
    for _file in ("core", "sizes", "names", "engine", "calls", "held_weights", "added_losses")
)
for _name in words("BatchNorm BatchNormalization batch_norm batch_normalization"):
    RENAMED["python.layers.normalization", _name] = f"{_LAYERS}normalization:"
RENAMED["layers", "BatchNormalization"] = RENAMED["layers", "batch_normalization"] = f"{_LAYERS}normalization:"
HIDDEN.add((f"{_LAYERS}normalization", "*"))
_SPATIAL = {
    "convolutional": """Conv1D Conv2D Conv2DTranspose Conv3D Conv3DTranspose SeparableConv1D SeparableConv2D conv1d
    conv2d conv2d_transpose conv3d conv3d_transpose separable_conv1d separable_conv2d""",
    "pooling": """AveragePooling1D AveragePooling2D AveragePooling3D MaxPooling1D MaxPooling2D MaxPooling3D
    average_pooling1d average_pooling2d average_pooling3d max_pooling1d max_pooling2d max_pooling3d""",
}
_OLDER = {
    "convolutional": """Convolution1D Convolution2D Convolution3D SeparableConvolution2D Convolution2DTranspose
    Deconvolution2D Deconv2D Convolution3DTranspose Deconvolution3D Deconv3D convolution1d convolution2d convolution3d
    separable_convolution2d convolution2d_transpose deconvolution2d deconv2d convolution3d_transpose deconvolution3d
    deconv3d""",
    "pooling": "AvgPool2D MaxPool2D avg_pool2d max_pool2d",
}
for _file, _names in _SPATIAL.items():
    RENAMED.update({("layers", _name): f"{_LAYERS}{_file}:" for _name in words(_names)})
    for _name in words(_names) + words(_OLDER[_file]):
        RENAMED[f"python.layers.{_file}", _name] = f"{_LAYERS}{_file}:"
    HIDDEN.add((f"{_LAYERS}{_file}", "*"))
_METRICS = {
    "streaming": "metric_variable",
    "means": """accuracy mean mean_absolute_error mean_cosine_distance mean_iou mean_per_class_accuracy
    mean_relative_error mean_squared_error mean_tensor percentage_below root_mean_squared_error""",
    "counts": "false_negatives false_positives precision recall true_negatives true_positives",
    "thresholds": """auc false_negatives_at_thresholds false_positives_at_thresholds precision_at_thresholds
    recall_at_thresholds sensitivity_at_specificity specificity_at_sensitivity true_negatives_at_thresholds
    true_positives_at_thresholds""",
    "top_k": """average_precision_at_k precision_at_k precision_at_top_k recall_at_k recall_at_top_k
    sparse_average_precision_at_k sparse_precision_at_k""",
}
for _file, _names in _METRICS.items():
    for _module in ("metrics", "python.ops.metrics", "python.ops.metrics_impl"):
        RENAMED.update({(_module, _name): f"retrograd.nn.metrics.{_file}:" for _name in words(_names)})
    HIDDEN.add((f"retrograd.nn.metrics.{_file}", "*"))
del RENAMED["metrics", "metric_variable"]
_RNN = {
    "rnn_cells": "RNNCell BasicRNNCell GRUCell LSTMCell BasicLSTMCell LSTMStateTuple LayerRNNCell assert_like_rnncell",
    "rnn_wrappers": "DropoutWrapper ResidualWrapper DeviceWrapper MultiRNNCell",
}
for _file, _names in _RNN.items():
    for _module in ("nn.rnn_cell", "python.ops.rnn_cell_impl", "python.ops.rnn_cell", "contrib.rnn"):
        RENAMED.update({(_module, _name): f"retrograd.nn.{_file}:" for _name in words(_names)})
RENAMED.update(
    {
        ("python.ops.rnn_cell_impl", _name): "retrograd.nn.rnn_cells:"
        for _name in ("_WEIGHTS_VARIABLE_NAME", "_BIAS_VARIABLE_NAME")
    }
)
HIDDEN.update((f"retrograd.nn.{_file}", "*") for _file in _RNN)
for _name in ("transpose_batch_time", "best_effort_input_batch_size"):
    RENAMED["contrib.rnn", _name] = RENAMED["python.ops.rnn", f"_{_name}"] = f"retrograd.nn.rnn:{_name}"
for _name in ("sequence_loss", "sequence_loss_by_example"):
    RENAMED["contrib.legacy_seq2seq", _name] = "retrograd.nn.seq2seq.legacy:"
HIDDEN.add(("retrograd.nn.seq2seq.legacy", "sequence_loss"))
RENAMED["contrib.seq2seq", "gather_tree"] = "retrograd.ops.beams:"
HIDDEN.update({("retrograd.run.lowered_loops", "*"), ("retrograd.run.equations", "*")})
HIDDEN.add(("retrograd.ops.single", "*"))
for _module in ("contrib.eager", "python.eager.execution_callbacks"):
    for _name in ("ExecutionCallback", "errstate"):
        RENAMED[_module, _name] = T + "execution_callbacks:"

for _module in ("contrib.layers", "contrib.slim", "contrib.layers.python.layers.rev_block_lib"):
    RENAMED[_module, "recompute_grad"] = "retrograd.state.custom_gradient:recomputed_layer"
_FUNCTION = "python.framework.function"
RENAMED.update(
    {
        (_FUNCTION, "_DefinedFunction"): "retrograd.state.defun:",
        (_FUNCTION, "_OverloadedFunction"): "retrograd.state.defun:",
        (_FUNCTION, "_from_definition"): "retrograd.state.defun:",
        (_FUNCTION, "_FuncGraph"): G + "functions:FunctionGraph",
        (_FUNCTION, "_type_list_to_str"): "retrograd.state.defun:_letters_of",
    }
)
for _module in ("contrib.framework", "contrib.slim", "contrib.framework.python.ops.arg_scope"):
    for _name in words(
        "add_arg_scope arg_scope arg_scope_func_key arg_scoped_arguments current_arg_scope has_arg_scope"
    ):
        RENAMED[_module, _name] = "retrograd.nn.contrib.arg_scope:"
for _module in ("contrib.layers", "contrib.slim", "contrib.layers.python.layers.layers"):
    for _name in words("""avg_pool2d bias_add dropout elu embed_sequence embedding_lookup_unique flatten fully_connected
    linear max_pool2d one_hot_encoding relu relu6 repeat stack"""):
        RENAMED[_module, _name] = "retrograd.nn.contrib.layers:"
    for _name in words("batch_norm layer_norm unit_norm"):
        RENAMED[_module, _name] = "retrograd.nn.contrib.normalization:"
    for _name in words("""conv1d conv2d conv2d_transpose convolution convolution1d convolution2d convolution2d_transpose
    separable_conv2d separable_convolution2d"""):
        RENAMED[_module, _name] = "retrograd.nn.contrib.convolution:"
HIDDEN.update({("retrograd.nn.contrib." + _part, "*") for _part in words("arg_scope convolution layers normalization")})

_CONTRIB = "contrib.layers.python.layers."
RENAMED.update(
    {
        ("contrib.framework.python.ops.variables", "get_or_create_global_step"): "retrograd.train.training_util:",
        ("contrib.framework.python.ops.variables", "get_global_step"): "retrograd.train.training_util:",
        (_CONTRIB + "initializers", "xavier_initializer"): "retrograd.state.xavier:",
        (_CONTRIB + "initializers", "xavier_initializer_conv2d"): "retrograd.state.xavier:",
        (_CONTRIB + "initializers", "variance_scaling_initializer"): "retrograd.state.xavier:",
        (_CONTRIB + "regularizers", "l1_regularizer"): "retrograd.state.regularizers:",
        (_CONTRIB + "regularizers", "l2_regularizer"): "retrograd.state.regularizers:",
        (_CONTRIB + "regularizers", "l1_l2_regularizer"): "retrograd.state.regularizers:",
        (_CONTRIB + "regularizers", "sum_regularizer"): "retrograd.state.regularizers:",
        (_CONTRIB + "regularizers", "apply_regularization"): "retrograd.state.regularizers:",
    }
)

_DISTRIBUTIONS = {
    "arguments": """assert_integer_form assert_symmetric embed_check_categorical_event_shape
    embed_check_integer_casting_closed embed_check_nonnegative_integer_form gen_new_seed get_logits_and_probs
    log_combinations parent_frame_arguments reduce_weighted_logsumexp softplus_inverse""",
    "vectors": """dimension_size fill_triangular fill_triangular_inverse matrix_diag_transform maybe_get_static_value
    pad pick_vector prefer_static_broadcast_shape prefer_static_rank prefer_static_shape prefer_static_value
    rotate_transpose same_dynamic_shape tridiag""",
    "special_math": "erfinv log_cdf_laplace log_ndtr ndtr ndtri",
    "divergences": "RegisterKL cross_entropy kl_divergence",
    "distribution": "Distribution FULLY_REPARAMETERIZED NOT_REPARAMETERIZED ReparameterizationType",
    "discrete": "Bernoulli Categorical",
    "normal": "Normal NormalWithSoftplusScale",
    "continuous": "Laplace LaplaceWithSoftplusScale StudentT StudentTWithAbsDfSoftplusScale Uniform",
    "gamma": """Beta BetaWithSoftplusConcentration Exponential ExponentialWithSoftplusRate Gamma
    GammaWithSoftplusConcentrationRate""",
    "counts": "Dirichlet DirichletMultinomial Multinomial",
    "bijector": "Bijector",
    "bijectors": """AbsoluteValue AffineScalar Chain Exp Identity Inline Invert PowerTransform Sigmoid
    SoftmaxCentered Softplus""",
    "transformed": "TransformedDistribution",
    "normal_vectors": """MultivariateNormalDiag MultivariateNormalDiagWithSoftplusScale
    MultivariateNormalFullCovariance MultivariateNormalTriL""",
}
# modules of TensorFlow with other parts than ours
_DISTRIBUTION_MODULES = {
    "util": "arguments vectors", "special_math": "special_math", "kullback_leibler": "divergences",
    "distribution": "distribution", "bernoulli": "discrete", "categorical": "discrete", "normal": "normal",
    "laplace": "continuous", "student_t": "continuous", "uniform": "continuous", "beta": "gamma",
    "exponential": "gamma", "gamma": "gamma", "dirichlet": "counts", "dirichlet_multinomial": "counts",
    "multinomial": "counts", "bijector": "bijector", "bijector_impl": "bijector",
    "identity_bijector": "bijectors", "transformed_distribution": "transformed",
}  # fmt: skip
for _module, _parts in _DISTRIBUTION_MODULES.items():
    for _part in words(_parts):
        for _name in words(_DISTRIBUTIONS[_part]):
            RENAMED[f"python.ops.distributions.{_module}", _name] = f"retrograd.nn.distributions.{_part}:"
for _part, _names in _DISTRIBUTIONS.items():
    for _name in words(_names):
        if _part in ("bijector", "bijectors"):
            RENAMED["contrib.distributions.bijectors", _name] = f"retrograd.nn.distributions.{_part}:"
        elif _part not in ("arguments", "vectors", "special_math"):
            RENAMED["contrib.distributions", _name] = f"retrograd.nn.distributions.{_part}:"
            if "Softplus" not in _name and _part not in ("transformed", "normal_vectors"):
                for _module in ("distributions", "python.ops.distributions.distributions"):
                    RENAMED[_module, _name] = f"retrograd.nn.distributions.{_part}:"
for _name in words("fill_triangular fill_triangular_inverse matrix_diag_transform tridiag"):
    RENAMED["contrib.distributions", _name] = "retrograd.nn.distributions.vectors:"
for _name in words("reduce_weighted_logsumexp softplus_inverse"):
    RENAMED["contrib.distributions", _name] = "retrograd.nn.distributions.arguments:"
for _module in ("distributions", "contrib.distributions", "python.ops.distributions.distributions"):
    del RENAMED[_module, "cross_entropy"]
RENAMED["python.ops.distributions.kullback_leibler", "_DIVERGENCES"] = (
    "retrograd.nn.distributions.divergences:_divergences"
)
RENAMED["python.ops.distributions.kullback_leibler", "_registered_kl"] = (
    "retrograd.nn.distributions.divergences:_registered"
)
for _name in words("LOGNDTR_FLOAT32_LOWER LOGNDTR_FLOAT32_UPPER LOGNDTR_FLOAT64_LOWER LOGNDTR_FLOAT64_UPPER"):
    RENAMED["python.ops.distributions.special_math", _name] = "retrograd.nn.distributions.special_math:"
HIDDEN.update((f"retrograd.nn.distributions.{_part}", "*") for _part in _DISTRIBUTIONS)
