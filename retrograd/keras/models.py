"""``Model``: a network that is compiled with a loss and an optimizer, and trained, evaluated, asked and saved."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np

from retrograd.eager.context import eager_mode
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.keras import backend as K
from retrograd.keras.batches import (
    Ahead,
    ArrayBatches,
    DatasetBatches,
    GeneratedBatches,
    Source,
    TensorBatches,
    gives_batches,
    is_generator,
    is_symbolic,
    no_split,
)
from retrograd.keras.checking import check_call
from retrograd.keras.composites import with_values
from retrograd.keras.fed_models import FedModel
from retrograd.keras.lifting import lifted_methods
from retrograd.keras.places import single
from retrograd.keras.training import run_epochs
from retrograd.ops import constants


@lifted_methods(
    "__init__", "compile", "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch",
    "fit_generator", "evaluate_generator", "predict_generator", "make_train_function", "_make_train_function",
    "_make_test_function", "_make_predict_function", "save", "summary", "_set_inputs",
)  # fmt: skip
class Model(FedModel):
    """A network with ``compile``, ``fit``, ``evaluate`` and ``predict``.

    ``Model(inputs, outputs)`` holds the layers between the two; a subclass says in ``call`` what it does.
    """

    # -- one batch -----------------------------------------------------------------------------

    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None, reset_metrics: bool = True
    ) -> Any:
        """One step of training: the loss and the metrics."""
        self._check_compiled()
        check_call(self, "train_on_batch")
        return self._one_batch("train", x, y, sample_weight, class_weight, reset_metrics)

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, reset_metrics: bool = True) -> Any:
        """The loss and the metrics of a batch."""
        self._check_compiled()
        check_call(self, "test_on_batch")
        return self._one_batch("test", x, y, sample_weight, None, reset_metrics)

    def _one_batch(self, kind: str, x: Any, y: Any, weights: Any, class_weight: Any, reset_metrics: bool) -> Any:
        x = with_values(x)
        if x is not None and is_symbolic(x):
            source = self._source_of_batches(x, y, weights, class_weight, None, 1, False)
            values = next(iter(source.epoch()))[2]
        else:
            values = self._standardized_batch(x, y, weights, class_weight)
        K.learning_phase()
        result = self._run_batch(kind, values)
        if reset_metrics:
            self.reset_metrics()
        return single(result)

    def predict_on_batch(self, x: Any) -> Any:
        """The outputs for a batch; where ops run at once, as tensors."""
        check_call(self, "predict_on_batch")
        x = with_values(x)
        if x is not None and is_symbolic(x):
            source = self._source_of_batches(x, None, None, None, None, 1, False, predicts=True)
            values = next(iter(source.epoch()))[2]
        else:
            values = self._inputs_of(x)
        outputs = self._run_batch("predict", values)
        if executing_eagerly_outside_functions():
            with eager_mode():
                outputs = [constants.constant(y) if isinstance(y, np.ndarray) else y for y in outputs]
        return single(outputs)

    # -- many batches --------------------------------------------------------------------------

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: int = 1,
        callbacks: Any = None,
        validation_split: float = 0.0,
        validation_data: Any = None,
        shuffle: Any = True,
        class_weight: Any = None,
        sample_weight: Any = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
        validation_freq: Any = 1,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Train for so many epochs; what each gave is in the ``history`` of the result.

        Raises:
          RuntimeError: the model is not compiled.
          ValueError: the data do not fit the model.
        """
        if "nb_epoch" in kwargs:
            epochs = kwargs.pop("nb_epoch")
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self._check_compiled()
        check_call(self, "fit")
        ahead = Ahead(workers, use_multiprocessing, max_queue_size)
        source = self._source_of_batches(
            x, y, sample_weight, class_weight, batch_size, steps_per_epoch, shuffle, "steps_per_epoch", epochs,
            ahead=ahead,
        )  # fmt: skip
        held: Any = None
        if validation_data is not None:
            is_generated = isinstance(source, GeneratedBatches)
            by_class = None if is_generated else class_weight
            held = self._held_out(validation_data, batch_size, validation_steps, by_class, ahead, not is_generated)
            held.anew = True
        elif validation_split and 0.0 < validation_split < 1.0:
            if not isinstance(source, ArrayBatches) or source.count is None:
                raise no_split(x, validation_split)
            source, held = source.parts(validation_split)
        elif validation_steps:
            raise ValueError("`validation_steps` should not be specified if `validation_data` is None.")
        self._function_of("train", source.arrays if isinstance(source, ArrayBatches) else [])
        is_told = not isinstance(source, GeneratedBatches) and not (isinstance(source, DatasetBatches) and source.anew)
        if verbose and is_told:
            print(_announced(source, held))
        validation = None
        if held is not None:

            def validation(listed: Any) -> Any:
                if batch_size is None and isinstance(source, GeneratedBatches) and isinstance(held, ArrayBatches):
                    held.batch_size = source.size
                tells = isinstance(source, GeneratedBatches) and not executing_eagerly_outside_functions()
                return run_epochs(self, "test", held, listed, verbose=verbose if tells else 0)

        with closing(source), closing(held or Source()):
            return run_epochs(
                self, "train", source, callbacks, epochs, initial_epoch, verbose, validation, validation_freq,
                getattr(source, "batch_size", None if isinstance(source, GeneratedBatches | TensorBatches) else 32),
            )  # fmt: skip

    def _held_out(
        self, data: Any, batch_size: int | None, steps: int | None, class_weight: Any, ahead: Ahead, mixed: bool
    ) -> Source:  # fmt: skip
        """Where the batches of validation come from; ``mixed``: arrays are mixed where TensorFlow's first loop is."""
        if is_generator(data) or not isinstance(data, list | tuple):
            own_size = None if gives_batches(data) else batch_size
            return self._source_of_batches(
                data, None, None, None, own_size, steps, False, "validation_steps", ahead=ahead
            )
        if len(data) not in (2, 3):
            raise ValueError(
                "When passing a `validation_data` argument, it must contain either 2 items (x_val, y_val), or 3 items "
                "(x_val, y_val, val_sample_weights), or alternatively it could be a dataset or a dataset or a dataset "
                f"iterator. However we received `validation_data={data}`"
            )
        x, y, weights = (*data, None)[:3]
        by_class = class_weight if executing_eagerly_outside_functions() else None  # as TensorFlow's second loop does
        mixed = mixed and not self._goes_on_between_epochs
        return self._source_of_batches(x, y, weights, by_class, batch_size, steps, mixed, "validation_steps")

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: int = 1, sample_weight: Any = None,
        steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """The loss and the metrics of data."""
        self._check_compiled()
        check_call(self, "evaluate")
        ahead = Ahead(workers, use_multiprocessing, max_queue_size)
        source = self._source_of_batches(x, y, sample_weight, None, batch_size, steps, False, ahead=ahead)
        with closing(source):
            return run_epochs(self, "test", source, callbacks, verbose=verbose)

    def predict(
        self, x: Any, batch_size: int | None = None, verbose: int = 0, steps: int | None = None, callbacks: Any = None,
        max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """The outputs for data."""
        check_call(self, "predict")
        ahead = Ahead(workers, use_multiprocessing, max_queue_size)
        source = self._source_of_batches(x, None, None, None, batch_size, steps, False, predicts=True, ahead=ahead)
        with closing(source):
            return run_epochs(self, "predict", source, callbacks, verbose=verbose)

    def fit_generator(
        self, generator: Any, steps_per_epoch: int | None = None, epochs: int = 1, verbose: int = 1,
        callbacks: Any = None, validation_data: Any = None, validation_steps: int | None = None,
        validation_freq: Any = 1, class_weight: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False, shuffle: bool = True, initial_epoch: int = 0,
    ) -> Any:  # fmt: skip
        """Train on the batches of a generator."""
        return self.fit(
            generator, steps_per_epoch=steps_per_epoch, epochs=epochs, verbose=verbose, callbacks=callbacks,
            validation_data=validation_data, validation_steps=validation_steps, validation_freq=validation_freq,
            class_weight=class_weight, shuffle=shuffle, initial_epoch=initial_epoch, max_queue_size=max_queue_size,
            workers=workers, use_multiprocessing=use_multiprocessing,
        )  # fmt: skip

    def evaluate_generator(
        self, generator: Any, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """The loss and the metrics of the batches of a generator."""
        return self.evaluate(
            generator, steps=steps, callbacks=callbacks, verbose=verbose, max_queue_size=max_queue_size,
            workers=workers, use_multiprocessing=use_multiprocessing,
        )  # fmt: skip

    def predict_generator(
        self, generator: Any, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """The outputs for the batches of a generator."""
        return self.predict(
            generator, steps=steps, callbacks=callbacks, verbose=verbose, max_queue_size=max_queue_size,
            workers=workers, use_multiprocessing=use_multiprocessing,
        )  # fmt: skip


def _announced(source: Source, held: Source | None) -> str:
    """What ``fit`` says of its data before the first epoch."""
    word = "steps" if getattr(source, "is_dataset", False) else "samples"
    verb = "for" if isinstance(source, DatasetBatches) else "on"
    also = f", validate {verb} {held.count} {word}" if held is not None and held.count else ""
    return f"Train {verb} {source.count} {word}{also}"
