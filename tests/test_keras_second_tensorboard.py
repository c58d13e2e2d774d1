"""What the callback of ``tf.compat.v2`` writes for TensorBoard, as recorded of TensorFlow 1.15.5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.keras.second_tensorboard import TensorBoard

X, Y = np.ones((10, 4, 4, 1), "f"), np.ones((10, 1), "f")


def _trained(callback: Any, prefix: str = "", **kwargs: Any) -> None:
    with eager_mode():
        model = tf.keras.Sequential([
            tf.keras.layers.Conv2D(2, 3, input_shape=(4, 4, 1), kernel_initializer="ones", name=prefix + "c"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(1, kernel_initializer="ones", name=prefix + "d"),
        ])  # fmt: skip
        model.compile(tf.keras.optimizers.SGD(0.001), "mse")
        model.fit(X, Y, batch_size=2, verbose=0, callbacks=[callback], **kwargs)


def _written(folder: Path) -> list[tuple[int, str, Any]]:
    (path,) = folder.glob("events*.v2")
    return [
        (event.step, v.tag, v.simple_value if v.WhichOneof("value") == "simple_value" else v.WhichOneof("value"))
        for event in tf.train.summary_iterator(str(path)) for v in event.summary.value
    ]  # fmt: skip


def test_epochs_go_into_two_folders(tmp_path: Path) -> None:
    _trained(TensorBoard(tmp_path, profile_batch=0), epochs=2, validation_data=(X[:4], Y[:4]))
    first, *numbers = _written(tmp_path / "train")
    assert first == (0, "keras", "tensor")
    assert [n[:2] for n in numbers] == [(0, "epoch_loss"), (1, "epoch_loss")]
    assert [n[2] for n in numbers] == pytest.approx([1041.68958, 8.976725])
    (_, _, a), (_, _, b) = _written(tmp_path / "validation")
    assert (a, b) == pytest.approx((14.907299, 3.5550890))


@pytest.mark.parametrize(("frequency", "steps"), [("batch", list(range(10))), (1, list(range(10))), (3, [0, 3, 5, 8])])
def test_numbers_of_every_nth_batch_of_an_epoch(tmp_path: Path, frequency: Any, steps: list[int]) -> None:
    _trained(TensorBoard(tmp_path, write_graph=False, profile_batch=0, update_freq=frequency), epochs=2)
    assert [step for step, tag, _ in _written(tmp_path / "train") if tag == "batch_loss"] == steps
    assert [p.name for p in tmp_path.iterdir()] == ["train"]


def test_weights_as_histograms_and_pictures_and_the_trace_of_a_batch(tmp_path: Path) -> None:
    _trained(TensorBoard(tmp_path, histogram_freq=1, write_images=True, write_graph=False), "one_")
    assert [(step, tag, kind) for step, tag, kind in _written(tmp_path / "train") if isinstance(kind, str)] == [
        (2, "batch_2", "tensor"), (0, "one_c/kernel_0", "histo"), (0, "one_c/kernel_0/image/0", "image"),
        (0, "one_c/kernel_0/image/1", "image"), (0, "one_c/bias_0", "histo"), (0, "one_c/bias_0/image/0", "image"),
        (0, "one_d/kernel_0", "histo"), (0, "one_d/kernel_0/image/0", "image"), (0, "one_d/bias_0", "histo"),
    ]  # fmt: skip


def test_arguments() -> None:
    with pytest.raises(ValueError, match=r"Unrecognized arguments in `TensorBoard` Callback: {'wwrite'}"):
        TensorBoard(wwrite=True)
    with pytest.raises(NotImplementedError, match="embeddings_freq"):
        TensorBoard(embeddings_freq=1)


def test_names_begin_anew_where_ops_run_at_once() -> None:
    with eager_mode():
        names = []
        for _ in range(2):
            tf.keras.backend.reset_uids()
            inputs = tf.keras.Input((2,))
            names.append(tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs)).name)
        assert names == ["model", "model"]
