"""The names of ``tensorflow.compat.v2.estimator``."""

from retrograd.estimator.canned.boosted_trees import (
    BoostedTreesClassifier,
    BoostedTreesEstimator,
    BoostedTreesRegressor,
)
from retrograd.estimator.canned.extending import add_metrics
from retrograd.estimator.canned.parsing import classifier_parse_example_spec, regressor_parse_example_spec
from retrograd.estimator.canned.second_generation import (
    BaselineClassifierV2 as BaselineClassifier,
)
from retrograd.estimator.canned.second_generation import (
    BaselineEstimatorV2 as BaselineEstimator,
)
from retrograd.estimator.canned.second_generation import (
    BaselineRegressorV2 as BaselineRegressor,
)
from retrograd.estimator.canned.second_generation import (
    DNNClassifierV2 as DNNClassifier,
)
from retrograd.estimator.canned.second_generation import (
    DNNEstimatorV2 as DNNEstimator,
)
from retrograd.estimator.canned.second_generation import (
    DNNLinearCombinedClassifierV2 as DNNLinearCombinedClassifier,
)
from retrograd.estimator.canned.second_generation import (
    DNNLinearCombinedEstimatorV2 as DNNLinearCombinedEstimator,
)
from retrograd.estimator.canned.second_generation import (
    DNNLinearCombinedRegressorV2 as DNNLinearCombinedRegressor,
)
from retrograd.estimator.canned.second_generation import (
    DNNRegressorV2 as DNNRegressor,
)
from retrograd.estimator.canned.second_generation import (
    LinearClassifierV2 as LinearClassifier,
)
from retrograd.estimator.canned.second_generation import (
    LinearEstimatorV2 as LinearEstimator,
)
from retrograd.estimator.canned.second_generation import (
    LinearRegressorV2 as LinearRegressor,
)
from retrograd.estimator.class_heads import BinaryClassHead, MultiClassHead, MultiLabelHead
from retrograd.estimator.config import RunConfig
from retrograd.estimator.estimator import EstimatorV2 as Estimator
from retrograd.estimator.exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from retrograd.estimator.heads import Head
from retrograd.estimator.number_heads import (
    LogisticRegressionHead,
    MultiHead,
    PoissonRegressionHead,
    RegressionHead,
)
from retrograd.estimator.preparing import WarmStartSettings
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.estimator.training import EvalSpec, TrainSpec, train_and_evaluate
from retrograd.estimator.warm_starting import VocabInfo
from retrograd.faces import missing
from retrograd.sessions.hooks import (
    FeedFnHook,
    FinalOpsHook,
    GlobalStepWaiterHook,
    LoggingTensorHook,
    NanLossDuringTrainingError,
    NanTensorHook,
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    StopAtStepHook,
)
from retrograd.sessions.saving_hooks import (
    CheckpointSaverHook,
    CheckpointSaverListener,
    ProfilerHook,
    StepCounterHook,
    SummarySaverHook,
)

__getattr__ = missing(__name__)
