"""What names alone cannot say about eager execution; read by write_faces.py."""

from faces_table import HIDDEN, RENAMED, words

_E = "retrograd.eager."
for _module in ("", "python.framework.ops"):
    RENAMED[_module, "get_default_graph"] = f"{_E}context:"
RENAMED["python.framework.ops", "EagerTensor"] = f"{_E}tensor:"
RENAMED["python.framework.ops", "executing_eagerly_outside_functions"] = "retrograd.graph.modes:"
RENAMED["python.tf2", "enabled"] = f"{_E}context:"
for _name in words("GRAPH_MODE EAGER_MODE SYNC ASYNC eager_mode graph_mode execution_mode context"):
    RENAMED["python.eager.context", _name] = f"{_E}context:"
for _name in words(
    "DEVICE_PLACEMENT_EXPLICIT DEVICE_PLACEMENT_WARN DEVICE_PLACEMENT_SILENT SYNC ASYNC list_devices execution_mode "
    "set_execution_mode async_wait async_clear_error num_gpus enable_eager_execution"
):
    RENAMED["contrib.eager", _name] = f"{_E}context:"
HIDDEN.add((f"{_E}context", "enabled"))
HIDDEN.update((f"{_E}{_file}", "*") for _file in words("graph operation tapes"))
RENAMED["contrib.eager", "Iterator"] = "retrograd.data.iterators:EagerIterator"
for _name in words("implicit_gradients implicit_value_and_gradients gradients_function value_and_gradients_function"):
    RENAMED["contrib.eager", _name] = "retrograd.derivatives.functions:"
RENAMED["contrib.eager", "EagerVariableStore"] = "retrograd.state.variable_store:"
for _name, _ours in {
    "implicit_grad": "implicit_gradients", "implicit_val_and_grad": "implicit_value_and_gradients",
    "gradients_function": "", "val_and_grad_function": "value_and_gradients_function", "make_vjp": "",
}.items():  # fmt: skip
    RENAMED["python.eager.backprop", _name] = f"retrograd.derivatives.functions:{_ours or _name}"
