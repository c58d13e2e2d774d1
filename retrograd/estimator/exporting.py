"""An estimator as a SavedModel: a graph for each mode that is asked for, over the variables of one checkpoint."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from retrograd.estimator import export_outputs as outputs_of
from retrograd.estimator.specs import ModeKeys
from retrograd.graph import errors, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.io.saved_model import tag_constants
from retrograd.io.saved_model.builder import SavedModelBuilder
from retrograd.io.saved_model.constants import TRAIN_OP_KEY
from retrograd.io.saver import Saver
from retrograd.ops.random import set_random_seed
from retrograd.run.session import Session
from retrograd.sessions.scaffold import Scaffold

TAGS = {
    ModeKeys.PREDICT: [tag_constants.SERVING],
    ModeKeys.TRAIN: [tag_constants.TRAINING],
    ModeKeys.EVAL: [tag_constants.EVAL],
}


def export_all(
    estimator: Any,
    export_dir_base: Any,
    input_receiver_fn_map: Mapping[str, Callable[[], Any]],
    assets_extra: Mapping[str, str] | None,
    as_text: bool,
    checkpoint_path: Any,
    strip_default_attrs: bool,
) -> bytes:
    """Write the graphs of all modes into a new folder of ``export_dir_base``, whose path is the result."""
    export_dir = outputs_of.get_timestamped_export_dir(export_dir_base)
    temporary = outputs_of.get_temp_export_dir(export_dir)
    builder = SavedModelBuilder(temporary)
    modes = [m for m in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT) if input_receiver_fn_map.get(m)]
    if not modes:
        raise ValueError(f"No valid modes for exporting found. Got {input_receiver_fn_map.keys()}.")
    for mode in modes:
        _add_meta_graph(
            estimator,
            builder,
            input_receiver_fn_map[mode],
            checkpoint_path,
            mode,
            mode == modes[0],
            strip_default_attrs,
        )
    builder.save(as_text)
    outputs_of.copy_assets(assets_extra, temporary)
    os.rename(temporary, export_dir)
    return export_dir


def _add_meta_graph(
    estimator: Any,
    builder: Any,
    input_receiver_fn: Callable[[], Any],
    checkpoint_path: Any,
    mode: str,
    save_variables: bool,
    strip_default_attrs: bool,
) -> None:
    with Graph().as_default() as graph:
        estimator._create_and_assert_global_step(graph)
        set_random_seed(estimator._config.tf_random_seed)  # type: ignore[attr-defined]
        received = input_receiver_fn()
        spec = estimator._call_model_fn(received.features, getattr(received, "labels", None), mode, estimator.config)
        outputs = outputs_of.export_outputs_for_mode(
            spec.mode, spec.export_outputs, spec.predictions, spec.loss, spec.eval_metric_ops
        )
        signatures = outputs_of.build_all_signature_defs(
            received.receiver_tensors,
            outputs,
            getattr(received, "receiver_tensors_alternatives", None),
            serving_only=mode == ModeKeys.PREDICT,
        )
        with Session(config=estimator._session_config) as session:
            local_init_op = spec.scaffold.local_init_op
            if local_init_op is None:
                local_init_op = Scaffold.default_local_init_op()
            saver = spec.scaffold.saver or Saver(sharded=True)
            try:
                saver.restore(session, checkpoint_path)
            except errors.NotFoundError as error:
                raise ValueError(
                    "Could not load all requested variables from checkpoint. Please make sure your model_fn does "
                    "not expect variables that were not saved in the checkpoint.\n\n"
                    f"Encountered error with mode `{mode}` while restoring checkpoint from: `{checkpoint_path}`. "
                    f"Full Traceback:\n\n{error}"
                ) from None
            if spec.train_op is not None:
                scopes.add_to_collection(TRAIN_OP_KEY, spec.train_op)
            said: dict[str, Any] = {
                "tags": TAGS[mode],
                "signature_def_map": signatures,
                "assets_collection": scopes.get_collection(GraphKeys.ASSET_FILEPATHS),
                "main_op": local_init_op,
                "saver": saver,
                "strip_default_attrs": strip_default_attrs,
            }
            if save_variables:
                builder.add_meta_graph_and_variables(session, **said)
            else:
                builder.add_meta_graph(**said)
