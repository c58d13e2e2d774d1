"""What names alone cannot say of tf.keras; added to the table of ``faces_table``.

The public names stand here; the modules inside of ``tensorflow.python.keras`` have those of the same objects.
"""

from faces_table import EXTRA, HIDDEN, RENAMED, words

_K = "retrograd.keras."
_LAYERS_OF = {
    "layers.core": """Activation ActivityRegularization Dense Dropout ELU Flatten LeakyReLU Masking PReLU Permute
    ReLU RepeatVector Reshape Softmax SpatialDropout1D SpatialDropout2D SpatialDropout3D ThresholdedReLU""",
    "layers.functions": "Lambda",
    "layers.noise": "AlphaDropout GaussianDropout GaussianNoise",
    "layers.merging": """Add Average Concatenate Dot Maximum Minimum Multiply Subtract add average concatenate dot
    maximum minimum multiply subtract""",
    "layers.normalizing": "BatchNormalization Embedding LayerNormalization",
    "layers.cudnn": "CuDNNGRU CuDNNLSTM",
    "layers.recurrent": "GRU LSTM RNN SimpleRNN",
    "layers.recurrent_cells": "AbstractRNNCell GRUCell LSTMCell SimpleRNNCell StackedRNNCells",
    "layers.spatial": """AveragePooling1D AveragePooling2D AveragePooling3D AvgPool1D AvgPool2D AvgPool3D Conv1D Conv2D
    Conv2DTranspose Conv3D Conv3DTranspose Convolution1D Convolution2D Convolution2DTranspose Convolution3D
    Convolution3DTranspose Cropping1D Cropping2D Cropping3D DepthwiseConv2D GlobalAveragePooling1D
    GlobalAveragePooling2D GlobalAveragePooling3D GlobalAvgPool1D GlobalAvgPool2D GlobalAvgPool3D GlobalMaxPool1D
    GlobalMaxPool2D GlobalMaxPool3D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D MaxPool1D MaxPool2D
    MaxPool3D MaxPooling1D MaxPooling2D MaxPooling3D SeparableConv1D SeparableConv2D SeparableConvolution1D
    SeparableConvolution2D UpSampling1D UpSampling2D UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D""",
    "layers.attention": "AdditiveAttention Attention",
    "layers.convolutional_recurrent": "ConvLSTM2D",
    "layers.local": "LocallyConnected1D LocallyConnected2D",
    "wrappers": "Bidirectional TimeDistributed Wrapper",
    "inputs": "Input InputLayer",
    "layer_table": "deserialize serialize",
}
_KERAS_MODULES = {
    "models": {
        "sequential": "Sequential",
        "cloning": "clone_model",
        "models": "Model",
        "filed_models": "load_model model_from_config model_from_json model_from_yaml save_model",
    },
    "losses": {
        "losses": """BinaryCrossentropy CategoricalCrossentropy CategoricalHinge CosineSimilarity Hinge Huber KLD
        KLDivergence LogCosh Loss MAE MAPE MSE MSLE MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredError
        MeanSquaredLogarithmicError Poisson SparseCategoricalCrossentropy SquaredHinge binary_crossentropy
        categorical_crossentropy categorical_hinge cosine cosine_proximity cosine_similarity deserialize get hinge kld
        kullback_leibler_divergence logcosh mae mape mean_absolute_error mean_absolute_percentage_error
        mean_squared_error mean_squared_logarithmic_error mse msle poisson serialize sparse_categorical_crossentropy
        squared_hinge"""
    },
    "metrics": {
        "metrics": """Accuracy BinaryAccuracy BinaryCrossentropy CategoricalAccuracy CategoricalCrossentropy
        CategoricalHinge CosineSimilarity Hinge KLDivergence LogCoshError MeanAbsoluteError
        MeanAbsolutePercentageError MeanIoU MeanRelativeError MeanSquaredError MeanSquaredLogarithmicError MeanTensor
        Poisson RootMeanSquaredError SparseCategoricalAccuracy SparseCategoricalCrossentropy
        SparseTopKCategoricalAccuracy SquaredHinge TopKCategoricalAccuracy deserialize get serialize""",
        "metric_base": "Mean Metric Sum",
        "counting_metrics": """AUC FalseNegatives FalsePositives Precision Recall SensitivityAtSpecificity
        SpecificityAtSensitivity TrueNegatives TruePositives""",
        "accuracies": """binary_accuracy categorical_accuracy sparse_categorical_accuracy
        sparse_top_k_categorical_accuracy top_k_categorical_accuracy""",
        "losses": """KLD MAE MAPE MSE MSLE binary_crossentropy categorical_crossentropy cosine cosine_proximity hinge
        kld kullback_leibler_divergence mae mape mean_absolute_error mean_absolute_percentage_error mean_squared_error
        mean_squared_logarithmic_error mse msle poisson sparse_categorical_crossentropy squared_hinge""",
    },
    "optimizers": {
        "optimizers": "Adadelta Adagrad Adam Adamax Ftrl Nadam RMSprop SGD TFOptimizer deserialize get serialize"
    },
    "callbacks": {
        "callbacks": """BaseLogger CSVLogger Callback EarlyStopping History LambdaCallback LearningRateScheduler
        ModelCheckpoint ProgbarLogger ReduceLROnPlateau RemoteMonitor TerminateOnNaN""",
        "tensorboard": "TensorBoard",
    },
    "utils": {
        "utils": """CustomObjectScope Progbar Sequence custom_object_scope deserialize_keras_object get_custom_objects
        get_file normalize serialize_keras_object to_categorical""",
        "model_utils": "HDF5Matrix convert_all_kernels_in_model get_source_inputs model_to_dot plot_model",
        "enqueuers": "GeneratorEnqueuer OrderedEnqueuer SequenceEnqueuer",
    },
    "wrappers.scikit_learn": {"scikit_learn": "KerasClassifier KerasRegressor"},
    "preprocessing.sequence": {"preprocessing": "TimeseriesGenerator make_sampling_table pad_sequences skipgrams"},
    "preprocessing.text": {"preprocessing": "Tokenizer hashing_trick one_hot text_to_word_sequence"},
    "preprocessing.image": {
        "preprocessing": "array_to_img img_to_array load_img save_img",
        "images": """DirectoryIterator ImageDataGenerator NumpyArrayIterator apply_affine_transform
        apply_brightness_shift apply_channel_shift random_brightness random_channel_shift random_rotation random_shear
        random_shift random_zoom""",
    },
    "layers": _LAYERS_OF,
    "backend": {
        "backend_state": """backend cast_to_floatx clear_session constant count_params dtype epsilon eye
        function get_uid get_value
        gradients image_data_format in_test_phase in_train_phase int_shape is_sparse is_keras_tensor
        learning_phase_scope moving_average_update ndim ones ones_like placeholder print_tensor
        random_binomial random_normal random_normal_variable random_uniform random_uniform_variable reset_uids
        set_epsilon set_image_data_format set_learning_phase set_value shape stop_gradient switch
        symbolic_learning_phase to_dense truncated_normal update update_add update_sub variable zeros
        zeros_like is_placeholder get_graph""",
        "backend_math": """argmax argmin batch_dot batch_normalization cast clip cos cumprod cumsum dot equal exp
        gather greater
        greater_equal less less_equal log maximum mean minimum normalize_batch_in_training not_equal prod sign
        sin sqrt square std transpose var logsumexp""",
        "backend_shapes": """arange batch_flatten concatenate expand_dims flatten one_hot permute_dimensions repeat
        repeat_elements reshape
        resize_images resize_volumes reverse spatial_2d_padding spatial_3d_padding squeeze stack
        temporal_padding tile""",
        "backend_networks": """bias_add binary_crossentropy categorical_crossentropy conv1d conv2d conv2d_transpose
        conv3d dropout elu foldl
        foldr hard_sigmoid in_top_k l2_normalize map_fn pool2d pool3d relu separable_conv2d sigmoid softmax
        softplus softsign sparse_categorical_crossentropy tanh depthwise_conv2d""",
        "recurrence": "rnn",
        "layers.local": "local_conv1d local_conv2d",
        "ctc": "ctc_batch_cost ctc_decode ctc_label_dense_to_sparse",
    },
}
for _topic in words("activations constraints initializers regularizers"):
    for _module in (f"keras.{_topic}", f"python.keras.{_topic}"):
        RENAMED[_module, "deserialize"] = f"retrograd.nn.keras.{_topic}:"
_ROOTS = ("keras", "python.keras", "contrib.keras", "contrib.keras.api.keras")
for _root in _ROOTS:
    for _module, _files in _KERAS_MODULES.items():
        for _file, _names in _files.items():
            RENAMED.update({(f"{_root}.{_module}", _name): f"{_K}{_file}:" for _name in words(_names)})
    for _name in words("batch_get_value batch_set_value get_session manual_variable_initialization set_session"):
        RENAMED[f"{_root}.backend", _name] = "retrograd.nn.layers.session:"
    for _name in words("abs all any max min pow round sum"):
        RENAMED[f"{_root}.backend", _name] = f"{_K}backend_math:{_name}_"
    RENAMED[f"{_root}.preprocessing.image", "Iterator"] = f"{_K}images:Iterator_"
    RENAMED[f"{_root}.backend", "eval"] = f"{_K}backend_state:eval_"
    RENAMED[f"{_root}.backend", "learning_phase"] = "retrograd.nn.layers.phase:"
    for _name in words("floatx set_floatx"):
        RENAMED[f"{_root}.backend", _name] = "retrograd.nn.layers.policies:"
    RENAMED[f"{_root}.backend", "name_scope"] = (
        "retrograd.graph.scopes:" if _root == "keras" else f"{_K}backend_state:name_scope_"
    )
    RENAMED[f"{_root}.optimizers", "Optimizer"] = f"{_K}optimizer_v2:OptimizerV2"
    for _module in ("optimizers.schedules",):
        for _name in words(
            "ExponentialDecay InverseTimeDecay LearningRateSchedule PiecewiseConstantDecay PolynomialDecay"
        ):
            RENAMED[f"{_root}.{_module}", _name] = f"{_K}schedules:"
        RENAMED[f"{_root}.{_module}", "deserialize"] = f"{_K}schedules:schedule_of"
        RENAMED[f"{_root}.{_module}", "serialize"] = f"{_K}schedules:described_schedule"
    RENAMED[f"{_root}.layers", "Layer"] = "retrograd.nn.layers.engine:"
    RENAMED[f"{_root}.layers", "InputSpec"] = "retrograd.nn.layers.input_spec:"
    RENAMED[_root, "Model"] = f"{_K}models:"
    RENAMED[_root, "Sequential"] = f"{_K}sequential:"
    RENAMED[_root, "Input"] = f"{_K}inputs:"
    for _set in words("boston_housing cifar10 cifar100 fashion_mnist imdb mnist reuters"):
        _lines = [f"from retrograd.keras.datasets import {_set} as _data", "", "load_data = _data.load_data"]
        if _set in ("imdb", "reuters"):
            _lines.append("get_word_index = _data.get_word_index")
        EXTRA[f"{_root}.datasets.{_set}"] = "\n".join(_lines)
    EXTRA[_root] = '__version__ = "2.2.4-tf"'
HIDDEN.update(
    (f"{_K}{_file}", "*")
    for _file in words(
        """backend cloning backend_math backend_networks backend_shapes backend_state callbacks datasets
    accuracies counting_metrics hdf5 inner_layers inputs layer_table losses metric_base metrics models network
    optimizers optimizer_v2 schedules batches compiling images model_utils scikit_learn preprocessing
    recurrence sequential summaries training utils wrappers layers.core layers.noise layers.merging
    layers.normalizing layers.functions layers.attention layers.convolutional_recurrent layers.local ctc
    layers.recurrent layers.recurrent_cells layers.cell_wrappers layers.spatial"""
    )
)

# -- what is inside of tensorflow.python.keras and has no public name -------------------------------

_INNER = {
    "engine.network": {"network": "Network"},
    "models": {"network": "Network"},
    "engine.base_layer": {"inner_layers": "TensorFlowOpLayer"},
    "layers.recurrent": {"layers.recurrent_cells": "DropoutRNNCellMixin"},
    "layers.rnn_cell_wrapper_v2": {"layers.cell_wrappers": "DeviceWrapper DropoutWrapper ResidualWrapper"},
    "layers.serialization": {"layers.cell_wrappers": "DeviceWrapper DropoutWrapper ResidualWrapper"},
    "callbacks": {"callbacks": "CallbackList"},
    "losses": {"losses": "huber_loss LossFunctionWrapper"},
    "metrics": {"metric_base": "MeanMetricWrapper", "losses": "squared_hinge"},
    "utils.np_utils": {"utils": "normalize to_categorical"},
    "utils.generic_utils": {"layers.functions": "func_dump func_load"},
    "utils.layer_utils": {"summaries": "print_summary"},
    "utils.losses_utils": {"losses": "compute_weighted_loss"},
}
for _module, _files in _INNER.items():
    for _file, _names in _files.items():
        RENAMED.update({(f"python.keras.{_module}", _name): f"{_K}{_file}:" for _name in words(_names)})
for _name in words("Device Dropout Residual"):
    RENAMED["compat.v2.nn", f"RNNCell{_name}Wrapper"] = f"{_K}layers.cell_wrappers:{_name}Wrapper"
RENAMED["python.util.serialization", "get_json_type"] = f"{_K}places:plain"
RENAMED["python.keras.utils.losses_utils", "ReductionV2"] = f"{_K}losses:Reduction"
for _name in ("Reduction", "Loss"):
    RENAMED["compat.v2.keras.losses", _name] = f"{_K}losses:"
RENAMED["python.keras.utils.losses_utils", "squeeze_or_expand_dimensions"] = f"{_K}losses:squeeze_or_expand"
RENAMED["python.keras.utils.metrics_utils", "Reduction"] = ""
RENAMED["python.keras.utils.metrics_utils", "assert_thresholds_range"] = f"{_K}metric_parts:check_thresholds"
RENAMED["python.keras.utils.metrics_utils", "ragged_assert_compatible_and_get_flat_values"] = (
    f"{_K}metric_parts:flat_values"
)
RENAMED["python.keras.backend", "conv3d_transpose"] = ""
RENAMED["python.keras.engine.node", "Node"] = "retrograd.nn.layers.nodes:"
for _name in words("normalize_tuple conv_input_length conv_output_length convert_data_format deconv_output_length"):
    RENAMED["python.keras.utils.conv_utils", _name] = "retrograd.nn.layers.sizes:"
RENAMED["python.keras.utils.conv_utils", "deconv_output_length"] = "retrograd.nn.layers.sizes:grown_length"
for _kind, _names in (
    ("RandomNormal", "normal random_normal"), ("RandomUniform", "random_uniform uniform"),
    ("TruncatedNormal", "truncated_normal"),
):  # fmt: skip
    for _name in words(_names):
        RENAMED["python.keras.initializers", _name] = f"retrograd.nn.keras.initializers:{_kind}"
for _name in words("conv_connected_inputs conv_kernel_idxs conv_kernel_mask"):
    RENAMED["python.keras.utils.conv_utils", _name] = "retrograd.nn.layers.connections:"
for _name in words("local_conv_matmul local_conv_sparse_matmul make_2d"):
    RENAMED["python.keras.layers.local", _name] = f"{_K}layers.local:"
RENAMED["python.keras.layers.dense_attention", "BaseDenseAttention"] = f"{_K}layers.attention:"
RENAMED["python.keras.layers.dense_attention", "_lower_triangular_mask"] = f"{_K}layers.attention:lower_triangular_mask"
for _name in words("""Constant GlorotNormal GlorotUniform Identity Initializer Ones Orthogonal RandomNormal
    RandomUniform TruncatedNormal VarianceScaling Zeros he_normal he_uniform lecun_normal lecun_uniform"""):
    RENAMED["python.keras.initializers", f"{_name}V2"] = f"retrograd.state.second_initializers:{_name}"
for _name in words("constant_value smart_cond"):
    RENAMED["python.keras.utils.tf_utils", _name] = "retrograd.nn.layers.sizes:"
RENAMED["python.keras.utils.tf_utils", "get_reachable_from_inputs"] = "retrograd.nn.layers.added_losses:reachable_from"
RENAMED["python.keras.utils.tf_utils", "is_symbolic_tensor"] = "retrograd.nn.layers.nodes:"
RENAMED["python.keras.utils.generic_utils", "to_snake_case"] = "retrograd.nn.layers.names:"

for _name in words("Adadelta Adagrad Adam Adamax Nadam Optimizer RMSprop SGD"):
    RENAMED["python.keras.optimizers", _name] = f"{_K}first_optimizers:"
    if _name != "Optimizer":
        RENAMED["python.keras.optimizers", _name.lower()] = f"{_K}first_optimizers:{_name}"
for _module in ("compat.v2.keras.callbacks", "python.keras.callbacks"):
    RENAMED[_module, "TensorBoard"] = f"{_K}second_tensorboard:"
HIDDEN.add((f"{_K}second_tensorboard", "*"))
RENAMED["python.keras.backend", "track_tf_optimizer"] = f"{_K}optimizers:"
RENAMED["python.keras.backend", "local_conv"] = f"{_K}layers.local:"
HIDDEN.add((f"{_K}first_optimizers", "*"))

RENAMED["keras.experimental", "terminate_keras_multiprocessing_pools"] = f"{_K}enqueuers:"

# -- half precision ----------------------------------------------------------------------------------

_HALF = "keras.mixed_precision.experimental"
for _policy, _optimizer in ((_HALF, _HALF), (f"python.{_HALF}.policy", f"python.{_HALF}.loss_scale_optimizer")):
    for _name in words("Policy global_policy set_policy"):
        RENAMED[_policy, _name] = "retrograd.nn.layers.policies:"
    RENAMED[_optimizer, "LossScaleOptimizer"] = f"{_K}loss_scale_optimizer:"
RENAMED[f"python.{_HALF}.policy", "USE_DEFAULT"] = "retrograd.nn.layers.policies:"
RENAMED[f"python.{_HALF}.autocast_variable", "AutoCastVariable"] = "retrograd.state.autocast:"
RENAMED["python.training.experimental.loss_scale", "get"] = "retrograd.state.loss_scales:loss_scale_of"
for _name in words("disable_v2_dtype_behavior enable_v2_dtype_behavior v2_dtype_behavior_enabled"):
    RENAMED["python.keras.engine.base_layer_utils", _name] = "retrograd.nn.layers.policies:"
HIDDEN.add((f"{_K}loss_scale_optimizer", "*"))

# -- tf.keras.applications ---------------------------------------------------------------------------

_APPLICATIONS = {
    "vgg16": ("vgg", "VGG16", ""),
    "vgg19": ("vgg", "VGG19", ""),
    "resnet": ("resnet", "ResNet50 ResNet101 ResNet152", ""),
    "resnet50": ("resnet", "ResNet50", ""),
    "resnet_v2": ("resnet", "ResNet50V2 ResNet101V2 ResNet152V2", "tf"),
    "densenet": ("densenet", "DenseNet121 DenseNet169 DenseNet201", "torch"),
    "mobilenet": ("mobilenet", "MobileNet", "tf"),
    "mobilenet_v2": ("mobilenet", "MobileNetV2", "tf"),
    "inception_v3": ("inception", "InceptionV3", "tf"),
    "xception": ("inception", "Xception", "tf"),
    "imagenet_utils": ("common", "", ""),
    "inception_resnet_v2": ("inception_resnet", "InceptionResNetV2", "tf"),
    "nasnet": ("nasnet", "NASNetLarge NASNetMobile", "tf"),
}
for _root in ("keras.applications", "python.keras.applications"):
    for _module, (_file, _names, _scale) in _APPLICATIONS.items():
        for _name in words(_names):
            RENAMED[_root, _name] = RENAMED[f"{_root}.{_module}", _name] = f"{_K}applications.{_file}:"
        RENAMED[f"{_root}.{_module}", "decode_predictions"] = f"{_K}applications.common:"
        RENAMED[f"{_root}.{_module}", "preprocess_input"] = f"{_K}applications.common:" + (
            f"preprocess_{_scale}" if _scale else ""
        )
HIDDEN.update((f"{_K}applications.{_file}", "*") for _file, _, _ in _APPLICATIONS.values())
_OF_BACKEND = ("switch", "update", "is_sparse")
RENAMED.update({("compat.v2.keras.backend", _name): "retrograd.keras.backend_state:" for _name in _OF_BACKEND})
RENAMED["compat.v2.keras.activations", "linear"] = "retrograd.nn.keras.activations:"
RENAMED["compat.v2.test", "main"] = "retrograd.testing.modes:"
