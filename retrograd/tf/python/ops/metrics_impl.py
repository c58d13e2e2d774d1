"""The names of ``tensorflow.python.ops.metrics_impl``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.nn.metrics.counts import (
    false_negatives,
    false_positives,
    precision,
    recall,
    true_negatives,
    true_positives,
)
from retrograd.nn.metrics.means import (
    accuracy,
    mean,
    mean_absolute_error,
    mean_cosine_distance,
    mean_iou,
    mean_per_class_accuracy,
    mean_relative_error,
    mean_squared_error,
    mean_tensor,
    percentage_below,
    root_mean_squared_error,
)
from retrograd.nn.metrics.means import (
    streaming_confusion_matrix as _streaming_confusion_matrix,
)
from retrograd.nn.metrics.streaming import metric_variable
from retrograd.nn.metrics.thresholds import (
    auc,
    false_negatives_at_thresholds,
    false_positives_at_thresholds,
    precision_at_thresholds,
    recall_at_thresholds,
    sensitivity_at_specificity,
    specificity_at_sensitivity,
    true_negatives_at_thresholds,
    true_positives_at_thresholds,
)
from retrograd.nn.metrics.thresholds import (
    counts_at as _confusion_matrix_at_thresholds,
)
from retrograd.nn.metrics.top_k import (
    average_precision_at_k,
    precision_at_k,
    precision_at_top_k,
    recall_at_k,
    recall_at_top_k,
    sparse_average_precision_at_k,
    sparse_precision_at_k,
)

__getattr__ = missing(__name__)
