"""The names of ``tensorflow.contrib.learn``."""

from retrograd.contrib.example_queues import (
    read_batch_examples,
    read_batch_features,
    read_batch_record_features,
    read_keyed_batch_examples,
    read_keyed_batch_examples_shared_queue,
    read_keyed_batch_features,
    read_keyed_batch_features_shared_queue,
)
from retrograd.contrib.graph_runs import infer, run_feeds, run_n
from retrograd.estimator.config import TaskType
from retrograd.estimator.learn import BaseEstimator, Estimator, SKCompat
from retrograd.estimator.older.arrays import InputFnOps, build_parsing_serving_input_fn
from retrograd.estimator.older.bases import Evaluable, NotFittedError, Trainable
from retrograd.estimator.older.clusters import KMeansClustering
from retrograd.estimator.older.experiments import Experiment
from retrograd.estimator.older.exporting import ExportStrategy, make_export_strategy
from retrograd.estimator.older.frames import extract_pandas_data, extract_pandas_labels, extract_pandas_matrix
from retrograd.estimator.older.head_makers import (
    binary_svm_head,
    multi_class_head,
    multi_head,
    multi_label_head,
    poisson_regression_head,
    regression_head,
)
from retrograd.estimator.older.heads import Head, no_op_train_fn
from retrograd.estimator.older.keys import PredictionKey, ProblemType
from retrograd.estimator.older.linear_kinds import SVM
from retrograd.estimator.older.metric_specs import MetricSpec
from retrograd.estimator.older.models import (
    DNNClassifier,
    DNNEstimator,
    DNNLinearCombinedClassifier,
    DNNLinearCombinedEstimator,
    DNNLinearCombinedRegressor,
    DNNRegressor,
    LinearClassifier,
    LinearEstimator,
    LinearRegressor,
    LogisticRegressor,
    infer_real_valued_columns_from_input,
    infer_real_valued_columns_from_input_fn,
)
from retrograd.estimator.older.run_configs import RunConfig
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.faces import missing
from retrograd.io.vocabularies import ModeKeys
from retrograd.sessions.hooks import NanLossDuringTrainingError

__getattr__ = missing(__name__)
