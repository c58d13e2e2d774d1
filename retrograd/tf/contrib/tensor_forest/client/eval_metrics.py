"""The names of ``tensorflow.contrib.tensor_forest.client.eval_metrics``."""

from retrograd.estimator.older.forest_metrics import (
    FEATURE_IMPORTANCE_NAME,
    INFERENCE_PRED_NAME,
    INFERENCE_PROB_NAME,
    get_metric,
    get_prediction_key,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
