"""What names alone cannot say about eager execution; read by write_faces.py."""

from faces_table import EMPTY, EXTRA, HIDDEN, RENAMED, words

_E = "retrograd.eager."
for _module in ("", "python.framework.ops"):
    RENAMED[_module, "get_default_graph"] = f"{_E}context:"
RENAMED["python.framework.ops", "EagerTensor"] = f"{_E}tensor:"
RENAMED["python.framework.ops", "executing_eagerly_outside_functions"] = "retrograd.graph.modes:"
RENAMED["python.tf2", "enabled"] = f"{_E}context:"
for _name in words("GRAPH_MODE EAGER_MODE SYNC ASYNC eager_mode graph_mode execution_mode context ensure_initialized"):
    RENAMED["python.eager.context", _name] = f"{_E}context:"
for _name in words(
    "DEVICE_PLACEMENT_EXPLICIT DEVICE_PLACEMENT_WARN DEVICE_PLACEMENT_SILENT SYNC ASYNC list_devices execution_mode "
    "set_execution_mode async_wait async_clear_error num_gpus enable_eager_execution"
):
    RENAMED["contrib.eager", _name] = f"{_E}context:"
HIDDEN.add((f"{_E}context", "enabled"))
HIDDEN.update((f"{_E}{_file}", "*") for _file in words("graph operation tapes"))
RENAMED["contrib.eager", "Iterator"] = "retrograd.data.iterators:EagerIterator"
for _name in words("save_network_checkpoint restore_network_checkpoint"):
    for _module in ("contrib.eager", "contrib.eager.python.network"):
        RENAMED[_module, _name] = "retrograd.contrib.network_checkpoints:"
for _name in words("implicit_gradients implicit_value_and_gradients gradients_function value_and_gradients_function"):
    RENAMED["contrib.eager", _name] = "retrograd.derivatives.functions:"
RENAMED["contrib.eager", "EagerVariableStore"] = "retrograd.state.variable_store:"
for _name, _ours in {
    "implicit_grad": "implicit_gradients", "implicit_val_and_grad": "implicit_value_and_gradients",
    "gradients_function": "", "val_and_grad_function": "value_and_gradients_function", "make_vjp": "",
}.items():  # fmt: skip
    RENAMED["python.eager.backprop", _name] = f"retrograd.derivatives.functions:{_ours or _name}"
RENAMED["python.eager.tape", "stop_recording"] = f"{_E}tapes:nothing_recorded"
RENAMED["python.eager.tape", "record_operation"] = f"{_E}tapes:record_as"
RENAMED["python.ops.custom_gradient", "_graph_mode_decorator"] = "retrograd.state.custom_gradient:in_a_graph"
for _name in words("Network Sequential"):
    RENAMED["contrib.eager", _name] = "retrograd.contrib.eager_networks:"
RENAMED["contrib.eager", "Saver"] = "retrograd.contrib.eager_saving:EagerSaver"
for _name in words("get_optimizer_variables restore_variables_on_create"):
    RENAMED["contrib.eager", _name] = "retrograd.contrib.eager_saving:"
for _name in words("Metric Mean Accuracy CategoricalAccuracy BinaryAccuracy SparseAccuracy"):
    for _module in ("contrib.eager.metrics", "contrib.eager.python.metrics"):
        RENAMED[_module, _name] = "retrograd.contrib.eager_metrics:"
HIDDEN.update((f"retrograd.contrib.eager_{_file}", "*") for _file in words("metrics networks saving"))
RENAMED["contrib.eager", "make_template"] = "retrograd.state.template:"
EXTRA["contrib.eager.python.tfe"] = "from retrograd.tf.contrib.eager import *"
EMPTY += ["contrib.eager.python", "contrib.eager.python.tfe"]
for _module, _names in {
    "datasets": "Iterator", "network": "Network Sequential",
    "saver": "Saver get_optimizer_variables restore_variables_on_create",
}.items():  # fmt: skip
    for _name in words(_names):
        RENAMED[f"contrib.eager.python.{_module}", _name] = RENAMED["contrib.eager", _name]
RENAMED["python.eager.test", "main"] = "retrograd.testing.modes:eager_main"
RENAMED["python.eager.test", "TestCase"] = "retrograd.testing.case:TensorFlowTestCase"
HIDDEN.add(("retrograd.testing.modes", "eager_main"))
for _module, _name in (("", "py_function"), ("contrib.eager", "py_func"), ("python.ops.script_ops", "eager_py_func")):
    RENAMED[_module, _name] = f"{_E}python_functions:py_function"
RENAMED["python.ops.script_ops", "py_function"] = f"{_E}python_functions:"
HIDDEN.add((f"{_E}python_functions", "*"))
_DEVICES = words(
    "list_physical_devices list_logical_devices get_visible_devices set_visible_devices set_memory_growth "
    "get_memory_growth get_synchronous_execution set_synchronous_execution get_device_policy set_device_policy "
    "get_virtual_device_configuration set_virtual_device_configuration"
)
_THREADS = words(
    "get_intra_op_parallelism_threads set_intra_op_parallelism_threads get_inter_op_parallelism_threads "
    "set_inter_op_parallelism_threads"
)
_PLACING = words("get_soft_device_placement set_soft_device_placement experimental_run_functions_eagerly")
for _module, _names in (
    ("config.experimental", _DEVICES), ("config.threading", _THREADS), ("config", _PLACING),
    ("python.framework.config", [*_DEVICES, *_THREADS, *_PLACING[:2]]),
):  # fmt: skip
    for _name in _names:
        RENAMED[_module, _name] = f"{_E}configuration:"
for _name in ("get_jit", "set_jit", "get_experimental_options", "set_experimental_options"):
    RENAMED["python.framework.config", _name.replace("_", "_optimizer_", 1)] = f"{_E}configuration:{_name}"
for _module in ("config.experimental", "python.eager.context"):
    RENAMED[_module, "VirtualDeviceConfiguration"] = f"{_E}configuration:"
HIDDEN.add((f"{_E}configuration", "*"))
for _name in words(
    "ExecutionCallback errstate seterr add_execution_callback clear_execution_callbacks inf_callback nan_callback "
    "inf_nan_callback"
):
    RENAMED["contrib.eager", _name] = RENAMED["python.eager.execution_callbacks", _name] = f"{_E}watching:"
RENAMED["python.eager.execution_callbacks", "InfOrNanError"] = f"{_E}watching:"
for _module in ("keras.estimator", "python.keras.estimator", "compat.v2.keras.estimator"):
    RENAMED[_module, "model_to_estimator"] = "retrograd.estimator.keras_models:"
for _name in words(
    "Metric Counter CounterCell IntGauge IntGaugeCell StringGauge StringGaugeCell BoolGauge BoolGaugeCell Buckets "
    "ExponentialBuckets Sampler SamplerCell"
):
    RENAMED["python.eager.monitoring", _name] = f"{_E}monitoring:"
HIDDEN.add((f"{_E}monitoring", "*"))
