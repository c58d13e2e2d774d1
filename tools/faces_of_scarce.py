"""Where further names that hardly a program uses come from; see ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve
from faces_of_seldom import _FUTURE
from faces_table import EXTRA

_CUDNN = "contrib.cudnn_rnn contrib.cudnn_rnn.python.layers contrib.cudnn_rnn.python.layers.cudnn_rnn"
SERVED = f"""
contrib.worker_averages | contrib.opt contrib.opt.python.training.model_average_optimizer | ModelAverageOptimizer
    ModelAverageCustomGetter
contrib.worker_averages | contrib.opt contrib.opt.python.training.elastic_average_optimizer | ElasticAverageOptimizer
    ElasticAverageCustomGetter
contrib.worker_averages | contrib.opt contrib.opt.python.training.agn_optimizer | AGNOptimizer AGNCustomGetter
contrib.worker_averages | contrib.opt contrib.opt.python.training.drop_stale_gradient_optimizer |
    DropStaleGradientOptimizer
contrib.cudnn_layers | {_CUDNN} | CudnnLSTM CudnnGRU CudnnRNNTanh CudnnRNNRelu
contrib.cudnn_saveables | contrib.cudnn_rnn contrib.cudnn_rnn.python.ops.cudnn_rnn_ops | CudnnLSTMSaveable
    CudnnGRUSaveable CudnnRNNTanhSaveable CudnnRNNReluSaveable CudnnParamsFormatConverterLSTM
    CudnnParamsFormatConverterGRU CudnnParamsFormatConverterTanh CudnnParamsFormatConverterRelu
nn.recurrent.cudnn_networks | contrib.cudnn_rnn.python.ops.cudnn_rnn_ops | CudnnLSTM CudnnGRU CudnnRNNTanh CudnnRNNRelu
    cudnn_lstm cudnn_gru cudnn_rnn_tanh cudnn_rnn_relu cudnn_rnn_opaque_params_size
    cudnn_rnn_opaque_params_to_canonical cudnn_rnn_canonical_to_opaque_params check_direction check_input_mode
    CUDNN_RNN_UNIDIRECTION CUDNN_RNN_BIDIRECTION CUDNN_LSTM CUDNN_GRU CUDNN_RNN_RELU CUDNN_RNN_TANH
    CUDNN_INPUT_LINEAR_MODE CUDNN_INPUT_SKIP_MODE CUDNN_INPUT_AUTO_MODE CUDNN_LSTM_PARAMS_PER_LAYER
    CUDNN_GRU_PARAMS_PER_LAYER CUDNN_RNN_TANH_PARAMS_PER_LAYER CUDNN_RNN_RELU_PARAMS_PER_LAYER _cudnn_rnn
    _cudnn_rnn_no_input_c
ops.tensor_lists | python.ops.list_ops | empty_tensor_list tensor_list_reserve tensor_list_get_item
    tensor_list_set_item tensor_list_push_back tensor_list_pop_back tensor_list_push_back_batch tensor_list_length
    tensor_list_element_shape tensor_list_resize
ops.list_stacks | python.ops.list_ops | tensor_list_from_tensor tensor_list_stack tensor_list_gather
    tensor_list_scatter tensor_list_concat tensor_list_split tensor_list_concat_lists
ops.list_elements | python.ops.list_ops | _build_element_shape
ops.unicode | strings python.ops.string_ops | unicode_script
contrib.checkpoint_objects | contrib.checkpoint python.training.tracking.data_structures | List Mapping
contrib.checkpoint_objects | contrib.checkpoint contrib.checkpoint.python.containers | UniqueNameTracker
contrib.checkpoint_objects | contrib.checkpoint contrib.checkpoint.python.python_state | NumpyState
contrib.checkpoint_objects | contrib.checkpoint contrib.checkpoint.python.visualize | dot_graph_from_checkpoint
contrib.checkpoint_objects | contrib.checkpoint python.training.tracking.util | list_objects object_metadata
io.tracking | contrib.checkpoint | PythonState=PythonStateWrapper
io.tracking | python.training.tracking.data_structures | NoDependency
io.tracking | python.training.tracking.base | TrackableReference
io.tracking | python.training.tracking.tracking | NotTrackable
io.object_views | python.training.tracking.graph_view | ObjectGraphView
io.object_views | python.training.tracking.util | add_variable gather_initializers
io.object_views | contrib.checkpoint contrib.checkpoint.python.split_dependency | split_dependency
ops.strings | user_ops python.user_ops.user_ops | my_fact
contrib.state_optimizers | contrib.optimizer_v2 contrib.optimizer_v2.gradient_descent | GradientDescentOptimizer
contrib.state_optimizers | contrib.opt contrib.opt.python.training.ggt | GGTOptimizer
contrib.state_optimizers | contrib.optimizer_v2 contrib.optimizer_v2.momentum | MomentumOptimizer
contrib.state_optimizers | contrib.optimizer_v2 contrib.optimizer_v2.adagrad | AdagradOptimizer
contrib.state_optimizers | contrib.optimizer_v2 contrib.optimizer_v2.adadelta | AdadeltaOptimizer
contrib.state_optimizers | contrib.optimizer_v2 contrib.optimizer_v2.rmsprop | RMSPropOptimizer
contrib.state_optimizers | contrib.optimizer_v2 contrib.optimizer_v2.adam | AdamOptimizer
contrib.state_optimizers | contrib.optimizer_v2 contrib.optimizer_v2.optimizer_v2 | OptimizerV2
estimator.canned.heads | python.estimator.canned.head | LossSpec Head=_Head
    BinaryHead=_BinaryLogisticHeadWithSigmoidCrossEntropyLoss MultiClassHead=_MultiClassHeadWithSoftmaxCrossEntropyLoss
    RegressionHead=_RegressionHeadWithMeanSquaredErrorLoss
    BinaryHead=_binary_logistic_head_with_sigmoid_cross_entropy_loss RegressionHead=_regression_head
    MultiClassHead=_multi_class_head_with_softmax_cross_entropy_loss classification=_classification_output
    binary_or_multi_class_head=_binary_logistic_or_multi_class_head
    DEFAULT=_DEFAULT_SERVING_KEY CLASSIFY=_CLASSIFY_SERVING_KEY REGRESS=_REGRESS_SERVING_KEY
    PREDICT=_PREDICT_SERVING_KEY
estimator.canned.labels | python.estimator.canned.head | checked_logits=_check_logits_final_dim
    checked_labels=_check_dense_labels_match_logits_and_reshape weights_of=_get_weights_and_check_match_logits
    in_range=_assert_range loss_of_user=_call_loss_fn all_class_ids=_all_class_ids all_classes=_all_classes
    labels_mean=_indicator_labels_mean predictions_mean=_predictions_mean accuracy_baseline=_accuracy_baseline auc=_auc
    accuracy_at=_accuracy_at_threshold precision_at=_precision_at_threshold recall_at=_recall_at_threshold
    checked_class_count=_validate_n_classes check_loss_fn=_validate_loss_fn_args
estimator.estimator | compat.v2.estimator | EstimatorV2=Estimator
estimator.estimator | python.estimator.estimator | EstimatorV2
estimator.canned.parsing | compat.v2.estimator | classifier_parse_example_spec regressor_parse_example_spec
estimator.preparing | python.estimator.util | parse_input_fn_result
estimator.specs | python.estimator.util | fn_args
estimator.towers | contrib.estimator contrib.estimator.python.estimator.replicate_model_fn | replicate_model_fn
    TowerOptimizer
estimator.towers | contrib.estimator contrib.estimator.python.estimator.extenders | clip_gradients_by_norm
estimator.specs | contrib.estimator contrib.estimator.python.estimator.logit_fns | call_logit_fn
estimator.exporters | contrib.estimator | export_saved_model_for_mode export_all_saved_models
estimator.receivers | contrib.estimator | build_raw_supervised_input_receiver_fn
    build_supervised_input_receiver_fn_from_input_fn
"""

serve(SERVED)
HIDDEN.update(
    (f"retrograd.ops.{_file}", "*") for _file in ("tensor_lists", "list_stacks", "list_elements", "list_values")
)

EXTRA["contrib.checkpoint"] = (
    "from tensorboard.compat.proto.trackable_object_graph_pb2 import TrackableObjectGraph as CheckpointableObjectGraph"
)
for _module in ("contrib.grid_rnn", "contrib.solvers", "contrib.staging"):
    EXTRA[_module] = EXTRA.get(_module, "") + _FUTURE
EXTRA["contrib.grid_rnn"] += """
from collections import namedtuple

from retrograd.tf.contrib import layers
from retrograd.tf.python.framework import tensor_shape
from retrograd.tf.python.ops import array_ops, math_ops, nn, rnn
from retrograd.tf.python.ops import variable_scope as vs
from retrograd.tf.python.platform import tf_logging as logging
"""
