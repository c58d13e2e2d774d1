"""The callback that writes what TensorBoard shows: numbers, weights, gradients and outputs of layers."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from retrograd.eager.context import eager_mode
from retrograd.graph import log
from retrograd.graph.errors import taught
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.sparse import IndexedSlices
from retrograd.io import summary_writers, written_summaries
from retrograd.io.event_files import FileWriter
from retrograd.keras import backend as K
from retrograd.keras.callbacks import Callback
from retrograd.nn import summaries
from retrograd.ops import arrays, permuting


class TensorBoard(Callback):
    """Writes events into ``log_dir``: the graph, the numbers of epochs or batches, and histograms.

    Histograms come every ``histogram_freq`` epochs, from the batches of validation: weights, with ``write_grads``
    their gradients, with ``write_images`` the weights as pictures, and what layers give; none where ops run at once.
    ``update_freq`` is "epoch", "batch", or a number of examples after which the numbers of a batch are written.

    Raises:
      NotImplementedError: embeddings are asked for.
    """

    def __init__(
        self, log_dir: str = "./logs", histogram_freq: int = 0, batch_size: int = 32, write_graph: bool = True,
        write_grads: bool = False, write_images: bool = False, embeddings_freq: int = 0,
        embeddings_layer_names: Any = None, embeddings_metadata: Any = None, embeddings_data: Any = None,
        update_freq: Any = "epoch", profile_batch: int = 2,
    ) -> None:  # fmt: skip
        super().__init__()
        refuse_embeddings(embeddings_freq)
        self.writer: Any = None
        self._at_once = executing_eagerly()
        if histogram_freq and self._at_once:
            log.warning(
                UserWarning(
                    "Weight and gradient histograms not supported for eagerexecution, setting `histogram_freq` to `0`."
                )
            )
            histogram_freq = 0
        self.log_dir, self.histogram_freq, self.batch_size = log_dir, histogram_freq, batch_size
        self.write_graph, self.write_grads, self.write_images = write_graph, write_grads, write_images
        self.update_freq: Any = 1 if update_freq == "batch" else update_freq
        self.merged: Any = None
        self._samples_seen = self._samples_at_last_write = 0
        self._total_batches_seen = self._total_val_batches_seen = 0

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        if self._at_once:
            with eager_mode():
                self.writer = summary_writers.create_file_writer(self.log_dir)
                if self.write_graph and not model.run_eagerly:
                    with self.writer.as_default():
                        summary_writers.graph_(K.get_session().graph, step=0)
            return
        graph = K.get_session().graph if self.write_graph else None
        self.writer = FileWriter(self.log_dir, graph)
        if self.histogram_freq and self.merged is None:
            for layer in model.layers:
                self._summarize(layer)
            self.merged = summaries.merge_all()

    def _summarize(self, layer: Any) -> None:
        """Summaries of the weights of a layer, their gradients, and its outputs."""
        for weight in layer.weights:
            name = weight.name.replace(":", "_")
            summaries.histogram(name, weight)
            picture = as_picture(weight) if self.write_images else None
            if picture is not None:
                summaries.image(name, picture)
        if self.write_grads:
            for weight in layer.trainable_weights:
                found = self.model.optimizer.get_gradients(self.model.total_loss, weight)
                found = [dw.values if isinstance(dw, IndexedSlices) else dw for dw in found]
                summaries.histogram(f"{weight.name.replace(':', '_')}_grad", found)
        if hasattr(layer, "output"):
            if isinstance(layer.output, list):
                for i, output in enumerate(layer.output):
                    summaries.histogram(f"{layer.name}_out_{i}", output)
            else:
                summaries.histogram(f"{layer.name}_out", layer.output)

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        logs = logs or {}
        self._samples_seen += logs.get("size", 1)
        if self.update_freq != "epoch" and self._samples_seen - self._samples_at_last_write >= self.update_freq:
            self._write(self._total_batches_seen, "batch_", logs)
            self._samples_at_last_write = self._samples_seen
        self._total_batches_seen += 1

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        if self.histogram_freq and epoch % self.histogram_freq == 0 and self.merged is not None:
            step = self.model.test_function
            if self.merged not in step.fetches:
                step.fetches.append(self.merged)
                step.fetch_callbacks[self.merged] = self._add_histograms

    def _add_histograms(self, summary: Any) -> None:
        self.writer.add_summary(summary, self._total_val_batches_seen)
        self._total_val_batches_seen += 1

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._write(epoch if self.update_freq == "epoch" else self._samples_seen, "epoch_", logs or {})
        if self.histogram_freq:
            step = self.model.test_function
            if self.merged in step.fetches:
                step.fetches.remove(self.merged)
            step.fetch_callbacks.pop(self.merged, None)

    def on_train_end(self, logs: Any = None) -> None:
        with eager_mode() if self._at_once else nullcontext():
            self.writer.close()

    def _write(self, step: int, prefix: str, logs: dict[str, Any]) -> None:
        from tensorboard.compat.proto.summary_pb2 import Summary

        logs = {name: value for name, value in logs.items() if name not in ("batch", "size", "num_steps")}
        if self._at_once:
            with eager_mode(), self.writer.as_default(), summary_writers.always_record_summaries():
                for name, value in logs.items():
                    written_summaries.scalar(prefix + name, value, step=step)
                self.writer.flush()
            return
        for name, value in logs.items():
            one = Summary.Value(tag=prefix + name, simple_value=float(value))
            self.writer.add_summary(Summary(value=[one]), step)
        self.writer.flush()


def refuse_embeddings(frequency: int) -> None:
    """Raises ``NotImplementedError`` where embeddings are asked for."""
    if frequency:
        error = NotImplementedError("embeddings_freq: the callback writes no embeddings.")
        raise taught(error, fix="tf.contrib.tensorboard.plugins.projector and a tf.train.Saver")


def as_picture(weight: Any) -> Any:
    """A variable as a batch of pictures of one channel: the longer side of a matrix lies; None if it has no form."""
    x = arrays.squeeze(weight)
    dims = K.int_shape(x)
    if len(dims) == 2:
        if dims[0] > dims[1]:
            x, dims = permuting.transpose(x), dims[::-1]
        return arrays.reshape(x, [1, *dims, 1])
    if len(dims) == 3:
        if K.image_data_format() == "channels_last":
            x = permuting.transpose(x, [2, 0, 1])
        return arrays.reshape(x, [*K.int_shape(x), 1])
    return arrays.reshape(x, [1, dims[0], 1, 1]) if len(dims) == 1 else None
