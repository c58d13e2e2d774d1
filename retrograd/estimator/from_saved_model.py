"""``tf.contrib.estimator.SavedModelEstimator``: an estimator whose graphs are those of a SavedModel.

Source: ``tensorflow_estimator`` 1.15.1's names, messages and order of ops.
"""

from __future__ import annotations

from typing import Any

from retrograd.estimator.estimator import EstimatorV2
from retrograd.estimator.exporting import TAGS
from retrograd.estimator.preparing import WarmStartSettings, get_default_warm_start_settings
from retrograd.estimator.receivers import wrap_and_check_input_tensors
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.graph import log
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import get_collection, get_collection_ref
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_values import list_variables
from retrograd.io.saved_model import constants, signature_constants
from retrograd.io.saved_model.loader import SavedModelLoader, get_init_op
from retrograd.sessions.scaffold import Scaffold
from retrograd.train.training_util import assert_global_step, get_global_step

_METHODS = {
    ModeKeys.TRAIN: signature_constants.SUPERVISED_TRAIN_METHOD_NAME,
    ModeKeys.EVAL: signature_constants.SUPERVISED_EVAL_METHOD_NAME,
}
_OF_FILES = (constants.ASSETS_KEY, constants.LEGACY_INIT_OP_KEY, constants.MAIN_OP_KEY, constants.TRAIN_OP_KEY)


class SavedModelEstimator(EstimatorV2):
    """The model that ``experimental_export_all_saved_models`` or ``export_saved_model`` wrote, as an estimator again.

    It does what it has a graph for, and begins with the variables of the SavedModel.

    Args:
      saved_model_dir: the folder of the SavedModel.
      model_dir: the folder of new checkpoints.

    Raises:
      RuntimeError: when it is asked for something of which the SavedModel has no graph.
    """

    def __init__(self, saved_model_dir: Any, model_dir: Any = None) -> None:
        found = get_default_warm_start_settings(saved_model_dir)
        assert found is not None
        checkpoint = found.ckpt_to_initialize_from
        names = [name for name, _ in list_variables(checkpoint)]
        settings = WarmStartSettings(ckpt_to_initialize_from=checkpoint, vars_to_warm_start=names)
        super().__init__(self._model_fn_from_saved_model, model_dir, warm_start_from=settings)
        self.saved_model_dir = saved_model_dir
        self.saved_model_loader = SavedModelLoader(saved_model_dir)
        self._available_modes = self._extract_available_modes()

    def _extract_available_modes(self) -> list[str]:
        log.info("Checking available modes for SavedModelEstimator.")
        found = []
        for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT):
            try:
                meta = self.saved_model_loader.get_meta_graph_def_from_tags(TAGS[mode])
            except RuntimeError:
                log.warning("%s mode not found in SavedModel.", mode)
                continue
            key = _signature_key(mode)
            if key in meta.signature_def:
                found.append(mode)
            else:
                log.warning(
                    'Metagraph for mode %s was found, but SignatureDef with key "%s" is missing.', mode, key
                )  # fmt: skip
        log.info("Available modes for Estimator: %s", found)
        return found

    def _create_and_assert_global_step(self, graph: Graph) -> None:
        """The SavedModel has it."""

    def _model_fn_from_saved_model(self, features: Any, labels: Any, mode: str) -> EstimatorSpec:
        if mode not in self._available_modes:
            raise RuntimeError(
                f"{mode} mode is not available in the SavedModel. Use saved_model_cli to check that the Metagraph for "
                "this mode has been exported."
            )
        graph = default_graph()
        if get_global_step(graph) is not None:
            raise RuntimeError(
                "Graph must not contain a global step tensor before the SavedModel is loaded. Please make sure that "
                "the input function does not create a global step."
            )
        meta = self.saved_model_loader.get_meta_graph_def_from_tags(TAGS[mode])
        signature = meta.signature_def[_signature_key(mode)]
        keys = list(signature.outputs)
        _, tensors = self.saved_model_loader.load_graph(
            graph, TAGS[mode], input_map=_fed(signature, features, labels),
            return_elements=[signature.outputs[key].name for key in keys],
        )  # fmt: skip
        scaffold = Scaffold(local_init_op=get_init_op(meta))
        assert_global_step(get_global_step(graph))
        outputs = dict(zip(keys, tensors, strict=True))
        train_ops = get_collection(constants.TRAIN_OP_KEY)
        if len(train_ops) > 1:
            raise RuntimeError("Multiple ops found in the train_op collection.")
        spec = _spec_of(mode, outputs, signature.method_name, train_ops[0] if train_ops else None, scaffold)
        for key in _OF_FILES:  # so that the graph can be exported again
            get_collection_ref(key).clear()
        return spec


def _signature_key(mode: str) -> str:
    return signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY if mode == ModeKeys.PREDICT else mode


def _fed(signature: Any, features: Any, labels: Any) -> dict[str, Tensor]:
    """What takes the place of the graph's placeholders, and of waiting for them.

    Raises:
      ValueError: one is missing, or is of another dtype or shape.
    """
    given = {} if labels is None else wrap_and_check_input_tensors(labels, "label")
    given = {**given, **wrap_and_check_input_tensors(features, "feature")}
    taken = {}
    for key, info in signature.inputs.items():
        if key not in given:
            raise ValueError(
                f'Key "{key}" not found in features or labels passed in to the model function. All required keys: '
                f"{signature.inputs.keys()}"
            )
        _check_fits(given[key], info, key)
        node = info.name.partition(":")[0]
        taken[node] = taken["^" + node] = given[key]
    return taken


def _check_fits(tensor: Tensor, info: Any, key: str) -> None:
    wrong = ""
    if tensor.dtype != as_dtype(info.dtype):
        wrong += f"\n\tExpected dtype: {as_dtype(info.dtype)}, Got: {tensor.dtype}"
    if not tensor.shape.is_compatible_with(info.tensor_shape):
        wrong += f"\n\tExpected shape: {TensorShape(info.tensor_shape)}, Got: {tensor.shape}"
    if wrong:
        raise ValueError(f"Tensor shape and/or dtype validation failed for input {key}:{wrong}")


def _spec_of(mode: str, outputs: dict[str, Any], method: str, train_op: Any, scaffold: Scaffold) -> EstimatorSpec:
    """What the graph gives, told apart by the first part of its names."""
    if mode == ModeKeys.PREDICT:
        return EstimatorSpec(mode, outputs, train_op=train_op, scaffold=scaffold)
    if method != _METHODS[mode]:
        raise RuntimeError(
            f"Invalid SignatureDef method name for mode {mode}.\n\tExpected: {_METHODS[mode]}\n\tGot: {method}\nPlease "
            "ensure that the SavedModel was exported with `tf.estimator.experimental_export_all_saved_models()`."
        )
    predictions = {key: x for key, x in outputs.items() if key.split("/")[0] == "predictions"}
    metrics = {}
    for key, value in outputs.items():
        name, _, kind = key.rpartition("/")
        if key.split("/")[0] == "metrics" and kind == "value" and f"{name}/update_op" in outputs:
            metrics[name] = value, outputs[f"{name}/update_op"]
    return EstimatorSpec(mode, predictions, outputs["loss"], train_op, metrics, scaffold=scaffold)
