"""What ``fit`` tells callbacks and generators, what it keeps of epochs, and what files hold of a trained model.

The numbers are TensorFlow 1.15.5's.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

K, k = tf.keras, tf.keras.layers


@pytest.fixture(autouse=True)
def _new_graph() -> Any:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


def model(optimizer: Any = "sgd") -> Any:
    made = K.Sequential([k.Dense(1, use_bias=False, kernel_initializer="ones", input_shape=[1], trainable=True)])
    made.compile(optimizer, "mse")
    return made


class Pieces(K.utils.Sequence):
    def __init__(self, said: list[str]) -> None:
        self.said = said

    def __len__(self) -> int:
        return 2

    def __getitem__(self, i: int) -> Any:
        return np.ones([3, 1]), np.ones([3, 1])

    def on_epoch_end(self) -> None:
        self.said.append("round")


def test_a_sequence_hears_of_the_end_of_a_round_before_callbacks_do() -> None:
    said: list[str] = []
    told = K.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: said.append(f"epoch {epoch}"))
    history = model().fit(Pieces(said), epochs=2, verbose=0, callbacks=[told], shuffle=False)
    assert said == ["round", "epoch 0", "round", "epoch 1"]
    assert history.params["verbose"] == 0
    assert history.params["steps"] == 2


def test_callbacks_hear_how_much_is_printed(capsys: Any) -> None:
    assert model().fit(np.ones([4, 1]), np.ones([4, 1]), verbose=2).params["verbose"] == 2


def test_an_epoch_over_a_dataset_counts_examples_where_ops_run_at_once() -> None:
    x = np.float32([[1.0], [1.0], [1.0]])
    y = np.float32([[2.0], [2.0], [4.0]])
    with eager_mode():
        batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
        made = model(K.optimizers.SGD(0.0))
        assert made.fit(batches, verbose=0).history["loss"] == pytest.approx([(1 + 1 + 9) / 3])
        assert made.evaluate(batches, verbose=0) == pytest.approx((1 + 9) / 2)  # as in TensorFlow, of batches


def test_what_was_to_be_trained_when_the_model_was_compiled_is_kept() -> None:
    made = model()
    made.layers[0].trainable = False
    assert len(made._collected_trainable_weights) == 1
    assert not made.trainable_weights
    lines: list[str] = []
    made.summary(print_fn=lines.append)
    assert lines[-4:-1] == ["Total params: 2", "Trainable params: 1", "Non-trainable params: 1"]


def test_a_file_of_a_trained_model_holds_text_and_what_the_optimizer_has(tmp_path: Path) -> None:
    made = model(K.optimizers.SGD(0.01))
    made.fit(np.ones([4, 1]), np.ones([4, 1]), verbose=0)
    assert made.optimizer.get_config()["learning_rate"] == np.float32(0.01)
    made.save(str(tmp_path / "m.h5"))
    with h5py.File(tmp_path / "m.h5") as file:
        assert (file.attrs["backend"], file.attrs["keras_version"]) == ("tensorflow", "2.2.4-tf")
        training = json.loads(file.attrs["training_config"])
    assert training["optimizer_config"]["config"]["learning_rate"] == 0.009999999776482582


def test_names_of_losses_and_metrics() -> None:
    assert K.metrics.get("categorical_hinge").__name__ == "categorical_hinge"
    for name in ("cosine", "kld"):
        with pytest.raises(ValueError, match=f"Unknown metric function:{name}"):
            K.metrics.get(name)


def test_modes_of_weights_are_given_for_each_output() -> None:
    x = k.Input([2, 1])
    made = K.Model(x, [k.Dense(1, name="a")(x), k.Dense(1, name="b")(x)])
    with pytest.raises(ValueError, match="Output bmissing from `_sample_weight_modes` dictionary"):
        made.compile("sgd", "mse", sample_weight_mode={"a": "temporal"})


def test_two_arrays_for_one_output_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Expected to see 1 array\(s\), but instead"):
        model().fit(np.ones([4, 1]), [np.ones([4, 1]), np.ones([4, 1])])


@pytest.mark.parametrize("name", ["none.h5", "none"])
def test_a_model_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match="SavedModel file does not exist at: "):
        K.models.load_model(str(tmp_path / name))


def test_layers_inside_a_nested_model_know_their_calls() -> None:
    x = k.Input([3])
    y = k.Input([2])
    inner = K.Model(y, k.Dense(3, name="second", activation="relu")(k.Dense(4, name="first")(y)), name="inner")
    made = K.Model(x, inner(k.Dense(2, name="outer")(x)))
    assert len(inner.get_layer("first").inbound_nodes) == 2
    made.add_loss(tf.reduce_mean(made.output.op.inputs[0]))
    assert [layer.name for layer in made.layers][2:4] == ["inner", "first"]


@pytest.mark.parametrize(("is_eager", "is_second", "want"), [(False, True, 0.9), (True, True, 0.0), (True, False, 0.9)])
def test_the_second_loop_clips_no_derivatives(is_eager: bool, is_second: bool, want: float) -> None:
    with eager_mode() if is_eager else nullcontext():
        made = model()
        made.compile(K.optimizers.SGD(0.5, clipnorm=0.2), "mse", experimental_run_tf_function=is_second)
        made.fit(np.ones([1, 1]), np.zeros([1, 1]), verbose=0)
        assert made.get_weights()[0].item() == pytest.approx(want)


HALF = {0: 1.0, 1: 3.0}
ROWS = np.float32([[0.0], [1.0]])


@pytest.mark.parametrize("is_eager", [False, True])
def test_classes_weigh_in_arrays_and_generators_and_not_in_datasets(is_eager: bool) -> None:
    def mean(*args: Any, **kwargs: Any) -> list[float]:
        made = K.Sequential([k.Dense(1, use_bias=False, kernel_initializer="zeros", input_shape=[1])])
        made.compile(K.optimizers.SGD(0.0), "mse")
        history = made.fit(*args, verbose=0, class_weight=HALF, **kwargs).history
        return [float(history[n][0]) for n in sorted(history)]

    def forever() -> Any:
        while True:
            yield ROWS, ROWS

    with eager_mode() if is_eager else nullcontext():
        pairs = tf.data.Dataset.from_tensor_slices((ROWS, ROWS)).batch(2)
        assert mean(pairs, validation_data=pairs) == [0.5, 0.5]
        assert mean(ROWS, ROWS, validation_data=pairs) == [1.5, 0.5]
        assert mean(forever(), steps_per_epoch=1, validation_data=(ROWS, ROWS)) == [1.5, 0.5]


def test_boundaries_of_a_schedule_may_be_whole_numbers() -> None:
    made = model(K.optimizers.SGD(K.optimizers.schedules.PiecewiseConstantDecay([0], [0.5, 0.25])))
    for want in (0.0, 0.0):
        made.train_on_batch(np.ones([1, 1]), np.zeros([1, 1]))
        assert made.get_weights()[0].item() == want


def test_moving_average_update_counts_from_zero() -> None:
    x = K.backend.variable([1.0])
    update = K.backend.moving_average_update(x, [3.0], 0.9)
    session = K.backend.get_session()
    session.run(tf.global_variables_initializer())
    session.run(update)
    assert session.run(x).item() == pytest.approx(3.0)


def test_models_where_ops_run_at_once_leave_sessions_of_blocks_alone() -> None:
    with tf.Session() as session, eager_mode():
        made = model()
        assert made.fit(np.ones([2, 1]), np.zeros([2, 1]), verbose=0).history == {"loss": [1.0]}
        session.close()
        assert made.evaluate(np.ones([2, 1]), np.zeros([2, 1]), verbose=0) == pytest.approx(0.9604)
