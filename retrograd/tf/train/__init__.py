"""The names of ``tensorflow.train``."""

from retrograd.estimator.warm_starting import VocabInfo, warm_start
from retrograd.faces import missing
from retrograd.io.checkpoint_files import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from retrograd.io.checkpoint_managers import CheckpointManager
from retrograd.io.checkpoint_values import (
    NewCheckpointReader,
    checkpoints_iterator,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from retrograd.io.event_files import summary_iterator
from retrograd.io.graph_defs import write_graph
from retrograd.io.meta_graphs import export_meta_graph
from retrograd.io.object_checkpoints import Checkpoint
from retrograd.io.saver import Saver, import_meta_graph
from retrograd.ops.sdca import sdca_fprint, sdca_optimizer, sdca_shrink_l1
from retrograd.run.clusters import ClusterSpec, Server
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
from retrograd.sessions.manager import SessionManager
from retrograd.sessions.monitored import (
    ChiefSessionCreator,
    MonitoredSession,
    MonitoredTrainingSession,
    SessionCreator,
    SingularMonitoredSession,
    WorkerSessionCreator,
)
from retrograd.sessions.saving_hooks import (
    CheckpointSaverHook,
    CheckpointSaverListener,
    ProfilerHook,
    StepCounterHook,
    SummarySaverHook,
)
from retrograd.sessions.scaffold import Scaffold
from retrograd.sessions.supervisor import Supervisor, basic_train_loop
from retrograd.sessions.sync_replicas import SyncReplicasOptimizer
from retrograd.train.adadelta import AdadeltaOptimizer
from retrograd.train.adagrad import AdagradDAOptimizer, AdagradOptimizer
from retrograd.train.adam import AdamOptimizer
from retrograd.train.averages import ExponentialMovingAverage
from retrograd.train.coordinator import Coordinator, LooperThread
from retrograd.train.device_setter import replica_device_setter
from retrograd.train.ftrl import FtrlOptimizer
from retrograd.train.gradient_descent import GradientDescentOptimizer
from retrograd.train.input import (
    batch,
    batch_join,
    input_producer,
    limit_epochs,
    match_filenames_once,
    maybe_batch,
    maybe_batch_join,
    maybe_shuffle_batch,
    maybe_shuffle_batch_join,
    range_input_producer,
    shuffle_batch,
    shuffle_batch_join,
    slice_input_producer,
    string_input_producer,
)
from retrograd.train.learning_rates import (
    cosine_decay,
    cosine_decay_restarts,
    exponential_decay,
    inverse_time_decay,
    linear_cosine_decay,
    natural_exp_decay,
    noisy_linear_cosine_decay,
    piecewise_constant,
    polynomial_decay,
)
from retrograd.train.learning_rates import (
    piecewise_constant as piecewise_constant_decay,
)
from retrograd.train.momentum import MomentumOptimizer
from retrograd.train.optimizer import Optimizer
from retrograd.train.proximal import ProximalAdagradOptimizer, ProximalGradientDescentOptimizer
from retrograd.train.queue_runner import QueueRunner, add_queue_runner, start_queue_runners
from retrograd.train.rmsprop import RMSPropOptimizer
from retrograd.train.training_util import (
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    global_step,
)

_LAZY = {
    "BytesList": "retrograd.files.messages",
    "ClusterDef": "tensorboard.compat.proto.cluster_pb2",
    "Example": "retrograd.files.messages",
    "Feature": "retrograd.files.messages",
    "FeatureList": "retrograd.files.messages",
    "FeatureLists": "retrograd.files.messages",
    "Features": "retrograd.files.messages",
    "FloatList": "retrograd.files.messages",
    "Int64List": "retrograd.files.messages",
    "JobDef": "tensorboard.compat.proto.cluster_pb2",
    "SaverDef": "tensorboard.compat.proto.saver_pb2",
    "SequenceExample": "retrograd.files.messages",
    "ServerDef": "retrograd.run.clusters",
}
__getattr__ = missing(__name__, _LAZY)
