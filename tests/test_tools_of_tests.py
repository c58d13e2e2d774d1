"""TensorFlow's tools for tests of layers and operators run tests here too, and what they found stays found."""

import json
import unittest

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.eager.context import eager_mode
from retrograd.testing import keras_models, keras_modes, linear_operators


def results(case):
    """The result of all tests of a class."""
    result = unittest.TestResult()
    unittest.TestLoader().loadTestsFromTestCase(case).run(result)
    return result


def test_a_decorated_test_of_keras_runs_in_every_mode_with_every_kind_of_model():
    seen = []

    class Case(keras_modes.TestCase):
        @keras_modes.run_all_keras_modes
        @keras_modes.run_with_all_model_types
        def test_training(self):
            model = keras_models.get_small_mlp(2, 3, 4)
            model.compile("sgd", "mse", run_eagerly=keras_models.should_run_eagerly())
            model.train_on_batch(np.ones((2, 4), np.float32), np.ones((2, 3), np.float32))
            seen.append((keras_models.get_model_type(), keras_models.should_run_tf_function()))

    result = results(Case)
    assert len(seen) == 12
    assert result.wasSuccessful(), result.errors + result.failures
    assert {kind for kind, _ in seen} == {"functional", "subclass", "sequential"}
    assert {said for _, said in seen} == {True, False}


@pytest.mark.parametrize(
    ("layer", "arguments", "shape"),
    [
        (tf.keras.layers.Dense, {"units": 3}, (2, 4)),
        (tf.keras.layers.Flatten, {}, (3,)),
        (tf.keras.layers.Lambda, {"function": lambda x, a: x + a, "arguments": {"a": 1.0}}, (3, 2)),
        (tf.keras.layers.SimpleRNN, {"units": 2, "implementation": 1}, (2, 3, 4)),
    ],
)
def test_layers_do_what_every_layer_must(layer, arguments, shape):
    assert keras_models.layer_test(layer, dict(arguments), input_shape=shape).shape[0] == shape[0]


def test_layer_test_says_which_dtype_is_wrong():
    with pytest.raises(AssertionError, match="output dtype"):
        keras_models.layer_test(tf.keras.layers.Dense, {"units": 3}, input_shape=(2, 4), expected_output_dtype="int32")


def test_operators_are_held_to_their_matrices():
    class Case(linear_operators.SquareLinearOperatorDerivedClassTest):
        wrong = False
        use_placeholder_options = staticmethod(lambda: [True])

        @staticmethod
        def dtypes_to_test():
            return [tf.float64]

        @staticmethod
        def operator_shapes_infos():
            return [linear_operators.OperatorShapesInfo((2, 3, 3))]

        def operator_and_matrix(self, info, dtype, use_placeholder, ensure_self_adjoint_and_pd=False):
            make = linear_operators.random_positive_definite_matrix
            matrix = make(list(info.shape), dtype, force_well_conditioned=True)
            given = tf.placeholder_with_default(matrix, shape=None) if use_placeholder else matrix
            hints = {"is_self_adjoint": True, "is_positive_definite": True}
            operator = tf.linalg.LinearOperatorFullMatrix(given + 1 if self.wrong else given, **hints)
            return operator, matrix

        _atol = _rtol = dict.fromkeys([tf.float64], 1e-9)

    linear_operators.add_tests(Case)
    result = results(Case)
    assert result.testsRun - len(result.skipped) == 8 + 4 * 4
    assert result.wasSuccessful(), (result.errors + result.failures)[:1]
    Case.wrong = True
    assert not results(Case).wasSuccessful()


def test_an_operator_of_a_variable_reads_it_at_each_use():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([1.0, 2.0], use_resource=True)
        operator = tf.linalg.LinearOperatorDiag(v)
        assert operator.variables == operator.trainable_variables == (v,)
        assert tf.gradients(operator.trace(), v) != [None]
        session.run(v.initializer)
        session.run(v.assign([3.0, 4.0]))
        assert session.run(operator.trace()) == 7


def test_layers_of_tf_layers_train_where_ops_run_at_once_and_names_start_over():
    for _ in range(2):
        tf.reset_default_graph()
        with eager_mode():
            layer = tf.layers.Dense(2)
            layer(tf.ones((1, 3)))
            assert [v.name for v in layer.trainable_variables] == ["dense/kernel:0", "dense/bias:0"]


def test_a_function_as_a_layer_keeps_its_variables_and_survives_json():
    def scaled(x, offset=1.0):
        return x * tf.Variable(2.0, name="scale") + offset

    with tf.Graph().as_default(), tf.Session() as session:
        layer = tf.keras.layers.Lambda(scaled)
        for _ in range(3):
            y = layer(tf.ones((1, 2)))
        assert len(layer.trainable_weights) == 1
        again = tf.keras.layers.deserialize(
            json.loads(json.dumps(tf.keras.layers.serialize(layer), default=dict)), custom_objects={"tf": tf}
        )
        z = again(tf.ones((1, 2)))
        session.run(tf.global_variables_initializer())
        assert session.run(y).tolist() == session.run(z).tolist() == [[3, 3]]


def test_the_shape_of_a_layer_is_found_by_a_call_where_ops_run_at_once():
    class Doubled(tf.keras.layers.Layer):
        def call(self, x):
            return tf.concat([x, x], axis=1)

    layer = Doubled()
    with pytest.raises(NotImplementedError):
        layer.compute_output_shape((4, 3))
    with eager_mode():
        assert layer.compute_output_shape((4, 3)).as_list() == [4, 6]
        signature = layer.compute_output_signature(tf.TensorSpec((4, 3), tf.float32))
    assert (signature.shape.as_list(), signature.dtype) == ([4, 6], tf.float32)
    with pytest.raises(TypeError, match="Only TensorSpec signature types"):
        layer.compute_output_signature((4, 3))


def test_an_optimizer_steps_variables_of_two_dtypes():
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = (tf.Variable(1.0, dtype=d, use_resource=True) for d in (tf.float32, tf.float64))
        loss = tf.cast(x, tf.float64) + y
        step = tf.keras.optimizers.SGD(0.5).minimize(loss, [x, y])
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run([x, y]) == [0.5, 0.5]


def test_arguments_of_functions_as_older_pythons_gave_them():
    from retrograd.tf.python.util import tf_inspect

    assert tf_inspect.getargspec(lambda a, b=1, *c, **d: a) == (["a", "b"], "c", "d", (1,))


def test_keras_cells_run_under_the_recurrent_functions_of_tf_nn():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(np.random.RandomState(0).rand(2, 3, 4), tf.float32)
        cell = tf.keras.layers.SimpleRNNCell(5)
        dynamic, last = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, sequence_length=[3, 3])
        static, final = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
        session.run(tf.global_variables_initializer())
        a, b, c, d = session.run([dynamic, tf.stack(static, axis=1), last, final])
    np.testing.assert_allclose(a, b, rtol=1e-6)
    np.testing.assert_allclose(c, d, rtol=1e-6)


def test_functions_of_the_backend():
    K = tf.keras.backend
    with eager_mode():
        x = K.placeholder((2,))
        assert K.function([x], [2 * x])([np.array([1.0, 2.0])])[0].tolist() == [2, 4]
        assert tf.pad(tf.ones((1, 2)), [[0, 0], [1, 1]]).numpy().tolist() == [[0, 1, 1, 0]]
    with tf.Graph().as_default(), tf.Session() as session:
        phase = tf.placeholder_with_default(1.0, ())
        run = K.function([phase], [phase + 1], options=tf.RunOptions(), fetches=[phase])
        run.fetch_callbacks[phase] = seen = Seen()
        assert run([None]) == [2]
        assert run([tf.constant(3.0)]) == [4]
        assert seen.values == [1, 3]
        chosen = K.switch(tf.constant([[True], [False]]), tf.ones((2, 3)), tf.zeros((2, 3)))
        assert session.run(chosen).tolist() == [[1, 1, 1], [0, 0, 0]]
        with pytest.raises(ValueError, match="Rank of `condition` should be less than"):
            K.switch(tf.constant([[True]]), tf.ones(3), tf.zeros(3))
        images = tf.constant(np.random.RandomState(0).rand(4, 3, 5, 5), tf.float32)
        normal, mean, _ = K.normalize_batch_in_training(images, tf.ones(3), tf.zeros(3), [0, 2, 3])
        values, center = session.run([normal, mean])
        assert center.shape == (3,)
        np.testing.assert_allclose(values.mean(axis=(0, 2, 3)), 0, atol=1e-5)
        assert normal.op.type == "AddV2"
        last = tf.transpose(images, [0, 2, 3, 1])
        assert K.normalize_batch_in_training(last, None, None, [0, 1, 2])[0].op.type == "FusedBatchNormV3"


class Seen:
    """A callback that keeps what it gets."""

    def __init__(self):
        self.values = []

    def __call__(self, value):
        self.values.append(value)


def test_models_are_cloned_on_other_inputs_with_other_layers():
    layers = tf.keras.layers

    def wider(layer):
        config = layer.get_config()
        return type(layer).from_config({**config, "units": 2 * config["units"]})

    with tf.Graph().as_default(), tf.Session():
        x = tf.keras.Input((3,))
        shared = layers.Dense(3, name="shared")
        model = tf.keras.Model(x, layers.Dense(4, name="last")(shared(shared(x))), name="model")
        copy = tf.keras.models.clone_model(model)
        assert copy.name == "model"
        assert [layer.name for layer in copy.layers][1:] == ["shared", "last"]
        assert not {id(w) for w in copy.weights} & {id(w) for w in model.weights}
        row = tf.keras.Sequential([layers.Dense(4, input_shape=(3,)), layers.Dense(5)])
        assert tf.keras.models.clone_model(row, clone_function=wider).output_shape == (None, 10)
        given = tf.ones((2, 3))
        for original in (model, row):
            on_tensor = tf.keras.models.clone_model(original, input_tensors=given)
            assert on_tensor.output.shape.as_list() == [2, original.output_shape[-1]]
        with pytest.raises(ValueError, match="at most one tensor"):
            tf.keras.models.clone_model(row, input_tensors=[given, given])
        with pytest.raises(ValueError, match="got a subclass model instead"):
            tf.keras.models.clone_model(keras_models.get_small_subclass_mlp(2, 3))


@pytest.mark.parametrize("kind", [tf.keras.layers.Conv1D, tf.keras.layers.SeparableConv1D])
def test_a_causal_convolution_is_causal_in_a_copy_too(kind):
    arguments = {"filters": 2, "kernel_size": 3, "padding": "causal", "dilation_rate": 2}
    assert keras_models.layer_test(kind, arguments, input_shape=(2, 7, 4)).shape == (2, 7, 2)
    assert kind(**arguments).get_config()["padding"] == "causal"


def test_croppings_say_what_they_take():
    with pytest.raises(ValueError, match="`cropping` should have two elements"):
        tf.keras.layers.Cropping2D(cropping=None)


def test_which_tensors_are_symbolic():
    from retrograd.tf.python.keras.utils import tf_utils

    with tf.Graph().as_default():
        assert tf_utils.is_symbolic_tensor(tf.constant(1))
        assert tf_utils.is_symbolic_tensor(tf.Variable(1))
        assert tf_utils.is_symbolic_tensor(tf.sparse_placeholder(tf.float32))
    with eager_mode():
        assert not tf_utils.is_symbolic_tensor(tf.constant(1))
        assert not tf_utils.is_symbolic_tensor(tf.Variable(1, use_resource=True))
    assert not tf_utils.is_symbolic_tensor(1)


def test_counts_show_the_variable_that_counts():
    with tf.Graph().as_default():
        metric = tf.keras.metrics.TruePositives(thresholds=[0.3, 0.7])
        assert metric.accumulator.shape.as_list() == [2]


def test_class_names_of_optimizers_are_found_in_any_case():
    config = {"class_name": "SGD", "config": {"learning_rate": 0.5}}
    assert tf.keras.optimizers.deserialize(config).get_config()["learning_rate"] == 0.5
    assert config["class_name"] == "sgd"
