"""Where the names of the smaller packages of ``tf.contrib`` come from; see ``faces_of_contrib``."""

import faces_of_seldom  # noqa: F401  what it says comes first
from faces_of_contrib import HIDDEN, serve

_KERNELS = "contrib.kernel_methods contrib.kernel_methods.python"
_SCALES = "contrib.mixed_precision contrib.mixed_precision.python"
SERVED = f"""
nn.contrib.warping | contrib.image contrib.image.python.ops.interpolate_spline | interpolate_spline
nn.contrib.warping | contrib.image contrib.image.python.ops.sparse_image_warp | sparse_image_warp
ops.image_regions | contrib.image contrib.image.python.ops.image_ops | bipartite_match connected_components
nn.contrib.sparsemax | contrib.sparsemax contrib.sparsemax.python.ops.sparsemax | sparsemax
nn.contrib.sparsemax | contrib.sparsemax contrib.sparsemax.python.ops.sparsemax_loss | sparsemax_loss
contrib.kernel_methods | {_KERNELS}.mappers.random_fourier_features | RandomFourierFeatureMapper
contrib.kernel_methods | {_KERNELS}.losses | sparse_multiclass_hinge_loss
contrib.kernel_methods | contrib.kernel_methods.python.mappers.dense_kernel_mapper | DenseKernelMapper InvalidShapeError
contrib.loss_scaling | {_SCALES}.loss_scale_manager | LossScaleManager FixedLossScaleManager
    ExponentialUpdateLossScaleManager
contrib.loss_scaling | {_SCALES}.loss_scale_optimizer | LossScaleOptimizer
feature_column.steps | contrib.feature_column contrib.feature_column.python.feature_column.sequence_feature_column |
    sequence_input_layer
feature_column.sequence | contrib.feature_column.python.feature_column.sequence_feature_column |
    concatenate_context_input sequence_categorical_column_with_identity sequence_categorical_column_with_hash_bucket
    sequence_categorical_column_with_vocabulary_file sequence_categorical_column_with_vocabulary_list
feature_column.steps | contrib.feature_column contrib.feature_column.python.feature_column.sequence_feature_column |
    sequence_numeric_column
feature_column.sequence | contrib.feature_column | sequence_categorical_column_with_identity
    sequence_categorical_column_with_hash_bucket sequence_categorical_column_with_vocabulary_file
    sequence_categorical_column_with_vocabulary_list
estimator.predicting | contrib.predictor contrib.predictor.predictor_factories | from_estimator
estimator.predicting | contrib.predictor.core_estimator_predictor | CoreEstimatorPredictor
io.saved_model.loader | contrib.predictor.predictor | Predictor
io.tracking | contrib.checkpoint | NoDependency
"""
serve(SERVED)
HIDDEN.add(("retrograd.feature_column.steps", "*"))
HIDDEN.update(
    (f"retrograd.{_part}", _name)
    for _part, _name in (("derivatives.batch_axes", "Axes"), ("ops.windows", "Axis"), ("run.steps", "Step"))
)
