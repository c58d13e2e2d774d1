"""The names of ``tensorflow.python.estimator.canned.head``."""

from retrograd.estimator.canned.heads import (
    CLASSIFY as _CLASSIFY_SERVING_KEY,
)
from retrograd.estimator.canned.heads import (
    DEFAULT as _DEFAULT_SERVING_KEY,
)
from retrograd.estimator.canned.heads import (
    PREDICT as _PREDICT_SERVING_KEY,
)
from retrograd.estimator.canned.heads import (
    REGRESS as _REGRESS_SERVING_KEY,
)
from retrograd.estimator.canned.heads import (
    BinaryHead as _BinaryLogisticHeadWithSigmoidCrossEntropyLoss,
)
from retrograd.estimator.canned.heads import (
    BinaryHead as _binary_logistic_head_with_sigmoid_cross_entropy_loss,
)
from retrograd.estimator.canned.heads import (
    Head as _Head,
)
from retrograd.estimator.canned.heads import (
    LossSpec,
)
from retrograd.estimator.canned.heads import (
    MultiClassHead as _MultiClassHeadWithSoftmaxCrossEntropyLoss,
)
from retrograd.estimator.canned.heads import (
    MultiClassHead as _multi_class_head_with_softmax_cross_entropy_loss,
)
from retrograd.estimator.canned.heads import (
    RegressionHead as _RegressionHeadWithMeanSquaredErrorLoss,
)
from retrograd.estimator.canned.heads import (
    RegressionHead as _regression_head,
)
from retrograd.estimator.canned.heads import (
    binary_or_multi_class_head as _binary_logistic_or_multi_class_head,
)
from retrograd.estimator.canned.heads import (
    classification as _classification_output,
)
from retrograd.estimator.canned.labels import (
    accuracy_at as _accuracy_at_threshold,
)
from retrograd.estimator.canned.labels import (
    accuracy_baseline as _accuracy_baseline,
)
from retrograd.estimator.canned.labels import (
    all_class_ids as _all_class_ids,
)
from retrograd.estimator.canned.labels import (
    all_classes as _all_classes,
)
from retrograd.estimator.canned.labels import (
    auc as _auc,
)
from retrograd.estimator.canned.labels import (
    check_loss_fn as _validate_loss_fn_args,
)
from retrograd.estimator.canned.labels import (
    checked_class_count as _validate_n_classes,
)
from retrograd.estimator.canned.labels import (
    checked_labels as _check_dense_labels_match_logits_and_reshape,
)
from retrograd.estimator.canned.labels import (
    checked_logits as _check_logits_final_dim,
)
from retrograd.estimator.canned.labels import (
    in_range as _assert_range,
)
from retrograd.estimator.canned.labels import (
    labels_mean as _indicator_labels_mean,
)
from retrograd.estimator.canned.labels import (
    loss_of_user as _call_loss_fn,
)
from retrograd.estimator.canned.labels import (
    precision_at as _precision_at_threshold,
)
from retrograd.estimator.canned.labels import (
    predictions_mean as _predictions_mean,
)
from retrograd.estimator.canned.labels import (
    recall_at as _recall_at_threshold,
)
from retrograd.estimator.canned.labels import (
    weights_of as _get_weights_and_check_match_logits,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
