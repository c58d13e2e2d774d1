"""What an estimator gives: predictions one by one, metrics as summaries and in the log.

Source: ``tensorflow_estimator`` 1.15.1, ``estimator.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.estimator.specs import LOSS_METRIC_KEY
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.protos import make_tensor_proto
from retrograd.io.event_files import FileWriterCache


def refuse_metric(name: str, metrics: dict[str, Any]) -> None:
    """Raises ``ValueError`` if there is a metric under a name that estimators keep for their own."""
    if name in metrics:
        quoted = f'"{name}"' if name == LOSS_METRIC_KEY else f"`{name}`"
        raise ValueError(
            f"Metric with name {quoted} is not allowed, because Estimator already defines a default metric with the "
            "same name."
        )


def chosen_values(predictions: Any, keys: Any) -> Any:
    """The predictions of these names."""
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    found = {key: value for key, value in predictions.items() if key in keys}
    if not found:
        raise ValueError(f"Expected to run at least one output from {predictions.keys()}, provided {keys}.")
    return found


def batch_length(batch: dict[str, Any]) -> int:
    """How many predictions a batch holds."""
    length = None
    for key, value in batch.items():
        length = length or value.shape[0]
        if value.shape[0] != length:
            raise ValueError(
                f"Batch length of predictions should be same. {key} has different batch length than others."
            )
    return length or 0


def write_results(output_dir: str, results: dict[str, Any], step: Any) -> None:
    """Log the results of an evaluation, and write them into an event file."""
    from google.protobuf.message import DecodeError
    from tensorboard.compat.proto.summary_pb2 import Summary

    words = ", ".join(f"{k} = {v!s}" for k, v in sorted(results.items()) if not isinstance(v, bytes))
    log.info("Saving dict for global step %d: %s", step, words)
    summary = Summary()
    for name, value in results.items():
        if value is None or name == GraphKeys.GLOBAL_STEP:
            continue
        if isinstance(value, np.float32 | float):
            summary.value.add(tag=name, simple_value=float(value))
        elif isinstance(value, np.int64 | np.int32 | int):
            summary.value.add(tag=name, simple_value=int(value))
        elif isinstance(value, bytes):
            try:
                parts = Summary.FromString(value).value
            except DecodeError:
                log.warning("Skipping summary for %s, cannot parse string to Summary.", name)
                continue
            for i, part in enumerate(parts):
                part.tag = f"{name}/{i}"
            summary.value.extend(parts)
        elif isinstance(value, np.ndarray):
            summary.value.add(tag=name, node_name=name, tensor=make_tensor_proto(value))
            log.info("Summary for np.ndarray is not visible in Tensorboard by default. Consider using a Tensorboard "
                     "plugin for visualization (see https://github.com/tensorflow/tensorboard-plugin-example/blob/"
                     "master/README.md for more information).")  # fmt: skip
        else:
            log.warning("Skipping summary for %s, must be a float, np.float32, np.int64, np.int32 or int or "
                        "np.ndarray or a serialized string of Summary.", name)  # fmt: skip
    writer = FileWriterCache.get(output_dir)
    writer.add_summary(summary, step)
    writer.flush()


def write_checkpoint_path(output_dir: str, checkpoint_path: str, step: Any) -> None:
    """Write into the event file which checkpoint was evaluated."""
    from tensorboard.compat.proto.summary_pb2 import Summary

    log.info("Saving 'checkpoint_path' summary for global step %d: %s", step, checkpoint_path)
    summary = Summary()
    summary.value.add(tag="checkpoint_path", tensor=make_tensor_proto(checkpoint_path))
    writer = FileWriterCache.get(output_dir)
    writer.add_summary(summary, step)
    writer.flush()
