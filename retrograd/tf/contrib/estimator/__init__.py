"""The names of ``tensorflow.contrib.estimator``."""

from retrograd.estimator.canned.dnn import dnn_logit_fn_builder
from retrograd.estimator.canned.extending import add_metrics, forward_features
from retrograd.estimator.canned.heads import (
    binary_classification_head,
    logistic_regression_head,
    multi_class_head,
    poisson_regression_head,
    regression_head,
)
from retrograd.estimator.canned.linear import linear_logit_fn_builder
from retrograd.estimator.canned.more_heads import multi_head, multi_label_head
from retrograd.estimator.canned.recurrent import RNNClassifier, RNNEstimator
from retrograd.estimator.canned.trees_in_memory import (
    boosted_trees_classifier_train_in_memory,
    boosted_trees_regressor_train_in_memory,
)
from retrograd.estimator.exporters import export_all_saved_models, export_saved_model_for_mode
from retrograd.estimator.from_saved_model import SavedModelEstimator
from retrograd.estimator.receivers import (
    build_raw_supervised_input_receiver_fn,
    build_supervised_input_receiver_fn_from_input_fn,
)
from retrograd.estimator.specs import call_logit_fn
from retrograd.estimator.towers import TowerOptimizer, clip_gradients_by_norm, replicate_model_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
