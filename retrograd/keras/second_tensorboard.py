"""The callback of ``tf.compat.v2`` for TensorBoard: training and validation are written into folders of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.eager.context import eager_mode
from retrograd.io import summary_writers
from retrograd.io import written_summaries as summaries
from retrograd.keras import backend as K
from retrograd.keras.callbacks import Callback
from retrograd.keras.tensorboard import as_picture, refuse_embeddings

_NO_NUMBERS = ("batch", "size", "num_steps")


class TensorBoard(Callback):
    """Writes events into ``log_dir/train`` and ``log_dir/validation``: numbers of epochs, the graph, the weights.

    Args:
      histogram_freq: after every so many epochs the weights are written, with ``write_images`` as pictures too.
      update_freq: "epoch", "batch", or a number n: the numbers of every n-th batch of an epoch are written.
      profile_batch: the batch, counted from 1, whose run is traced; 0 for none.

    Raises:
      NotImplementedError: embeddings are asked for.
      ValueError: there is another argument.
    """

    def __init__(
        self, log_dir: Any = "logs", histogram_freq: int = 0, write_graph: bool = True, write_images: bool = False,
        update_freq: Any = "epoch", profile_batch: int = 2, embeddings_freq: int = 0, embeddings_metadata: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        unknown = set(kwargs) - {"write_grads", "embeddings_layer_names", "embeddings_data", "batch_size"}
        if unknown:
            raise ValueError(f"Unrecognized arguments in `TensorBoard` Callback: {unknown}")
        refuse_embeddings(embeddings_freq)
        self.log_dir, self.histogram_freq = os.fspath(log_dir), histogram_freq
        self.write_graph, self.write_images = write_graph, write_images
        self.update_freq: Any = 1 if update_freq == "batch" else update_freq
        self.profile_batch = profile_batch
        self._writers: dict[str, Any] = {}
        self._total_batches_seen = 0
        self._traced: Any = None  # what the run of a batch is traced into

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        self._close()
        if not self.write_graph:
            return
        graph = K.get_session().graph
        with self._writing("train"):
            if not model.run_eagerly:
                summary_writers.graph_(graph, step=0)
            if model._is_graph_network or type(model).__name__ == "Sequential":
                summaries.keras_model("keras", model, step=0)

    @contextmanager
    def _writing(self, run: str) -> Iterator[None]:
        """Write what the block writes into the folder of ``run``, at once."""
        with eager_mode():
            if run not in self._writers:
                self._writers[run] = summary_writers.create_file_writer_v2(os.path.join(self.log_dir, run))
            with self._writers[run].as_default(), summary_writers.always_record_summaries():
                yield

    def _close(self) -> None:
        with eager_mode():
            for writer in self._writers.values():
                writer.close()
        self._writers = {}

    def on_train_begin(self, logs: Any = None) -> None:
        self._total_batches_seen = 0

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        if self.profile_batch and self._total_batches_seen == self.profile_batch - 1:
            from tensorboard.compat.proto.config_pb2 import RunMetadata, RunOptions

            step = self.model.train_function
            self._traced = RunMetadata()
            step.run_options, step.run_metadata = RunOptions(trace_level=RunOptions.FULL_TRACE), self._traced

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        if self.update_freq != "epoch" and batch % self.update_freq == 0:
            self._write_numbers(logs or {}, "batch_", self._total_batches_seen)
        self._total_batches_seen += 1
        if self._traced is not None:
            step = self.model.train_function
            step.run_options = step.run_metadata = None
            with self._writing("train"):
                name = f"batch_{self._total_batches_seen}"
                summaries.run_metadata(name, self._traced, step=self._total_batches_seen)
            self._traced = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._write_numbers(logs or {}, "epoch_", epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            self._write_weights(epoch)

    def on_train_end(self, logs: Any = None) -> None:
        self._close()

    def _write_numbers(self, logs: dict[str, Any], prefix: str, step: int) -> None:
        """The numbers of a batch or an epoch: those of validation, ``val_...``, in their own folder."""
        by_run: dict[str, list[tuple[str, Any]]] = {}
        for name, value in logs.items():
            if name.startswith("val_"):
                by_run.setdefault("validation", []).append((name.removeprefix("val_"), value))
            elif name not in _NO_NUMBERS:
                by_run.setdefault("train", []).append((name, value))
        for run, numbers in by_run.items():
            with self._writing(run):
                for name, value in numbers:
                    summaries.scalar(prefix + name, value, step=step)

    def _write_weights(self, epoch: int) -> None:
        values = [(w.name.replace(":", "_"), K.get_value(w)) for layer in self.model.layers for w in layer.weights]
        with self._writing("train"):
            for name, value in values:
                summaries.histogram(name, value, step=epoch)
                picture = as_picture(value) if self.write_images else None
                if picture is not None:
                    summaries.image(name, picture, step=epoch)
            summary_writers.flush()
