"""Keys of ``tf.contrib.learn``: predictions, metrics, kinds of problems."""

from __future__ import annotations


class PredictionKey:
    """The names of predictions."""

    CLASSES, PROBABILITIES, LOGITS = "classes", "probabilities", "logits"
    LOGISTIC, SCORES, TOP_K, GENERIC = "logistic", "scores", "top_k", "output"


class MetricKey:
    """The names of metrics."""

    LOSS, AUC, AUC_PR = "loss", "auc", "auc_precision_recall"
    CLASS_AUC, CLASS_AUC_PR = "auc/class%d", "auc_precision_recall/class%d"
    PREDICTION_MEAN, CLASS_PREDICTION_MEAN = "labels/prediction_mean", "labels/prediction_mean/class%d"
    CLASS_LOGITS_MEAN, CLASS_PROBABILITY_MEAN = "labels/logits_mean/class%d", "labels/probability_mean/class%d"
    LABEL_MEAN, CLASS_LABEL_MEAN = "labels/actual_label_mean", "labels/actual_label_mean/class%d"
    ACCURACY, ACCURACY_BASELINE = "accuracy", "accuracy/baseline_label_mean"
    ACCURACY_MEAN = "accuracy/threshold_%f_mean"
    PRECISION_MEAN = "precision/positive_threshold_%f_mean"
    RECALL_MEAN = "recall/positive_threshold_%f_mean"


class ProblemType:
    """What a model is for."""

    UNSPECIFIED, CLASSIFICATION, LINEAR_REGRESSION, LOGISTIC_REGRESSION = range(4)
