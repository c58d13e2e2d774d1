"""Datasets in ``fit``: where they begin and end, what is said of them; TensorFlow 1.15.5's numbers and words."""

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.graph import log

X = np.repeat(np.float32([0, 2, 1, 4]), 10)[:, None] * np.ones((1, 2), np.float32)
Y = np.zeros((40, 1), np.float32)

pytestmark = pytest.mark.usefixtures("mode")


class Total(tf.keras.layers.Layer):
    def build(self, _):
        self.w = self.add_weight("w", ())

    def call(self, inputs):
        return tf.keras.backend.sum(inputs) + self.w * 0


def model_of(layer):
    model = tf.keras.Sequential([layer])
    model.compile("sgd", "mae")
    return model


def batches():
    return tf.data.Dataset.from_tensor_slices((X, Y)).batch(10)


def test_training_goes_on_where_an_epoch_ended_and_validation_begins_again():
    model = model_of(Total(input_shape=(2,)))
    history = model.fit(
        batches(), epochs=2, steps_per_epoch=2, verbose=0, validation_data=batches(), validation_steps=2
    )
    assert history.history == {"loss": [20, 50], "val_loss": [20, 20]}
    history = model.fit(batches(), epochs=2, verbose=0, validation_data=batches())
    assert history.history == {"loss": [35, 35], "val_loss": [35, 35]}


@pytest.mark.parametrize(("call", "argument"), [
    (lambda m, d: m.fit(d), "steps_per_epoch"), (lambda m, d: m.evaluate(d), "steps"),
    (lambda m, d: m.predict(d), "steps"),
    (lambda m, d: m.fit(d, steps_per_epoch=1, verbose=0, validation_data=d), "validation_steps"),
])  # fmt: skip
def test_a_dataset_without_an_end_needs_a_number_of_steps(call, argument):
    model = model_of(tf.keras.layers.Dense(1, input_shape=(2,)))
    with pytest.raises(ValueError, match=f"infinitely repeating dataset, you must specify the `{argument}` argument"):
        call(model, batches().repeat())


def test_how_long_a_dataset_is_shows_in_the_first_epoch(capsys):
    model = model_of(tf.keras.layers.Dense(1, input_shape=(2,)))
    model.fit(batches().filter(lambda x, y: True), epochs=2)
    said = capsys.readouterr().out
    assert "1/Unknown" in said.split("Epoch 2/2")[0]
    assert "1/4 " in said.split("Epoch 2/2")[1]


def test_what_a_run_says_first(capsys, mode):
    model = model_of(tf.keras.layers.Dense(1, input_shape=(2,)))
    model.fit(batches(), steps_per_epoch=2, validation_data=batches(), validation_steps=1)
    model.fit(batches())
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Train")]
    if mode == "graph":
        assert said == ["Train on 2 steps, validate on 1 steps", "Train on 4 steps"]
    else:
        assert said == ["Train for 2 steps, validate for 1 steps"]


def test_a_dataset_that_ends_too_soon_says_how_many_batches_were_wanted(monkeypatch):
    said = []
    monkeypatch.setattr(log, "warning", said.append)
    model_of(tf.keras.layers.Dense(1, input_shape=(2,))).fit(batches(), steps_per_epoch=200, epochs=2, verbose=0)
    assert "`steps_per_epoch * epochs` batches (in this case, 400 batches)" in said[-1]
