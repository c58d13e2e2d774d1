"""Training and evaluation as ``slim`` and ``tf.contrib.training`` run them, from files to checkpoints to numbers."""

import glob
import os

import numpy as np
import pytest

from retrograd import tf
from retrograd.tf.contrib import slim, training
from retrograd.tf.contrib.compiler import jit, xla
from retrograd.tf.contrib.slim import evaluation, learning
from retrograd.tf.python import pywrap_tensorflow


@pytest.fixture(autouse=True)
def own_graph():
    with tf.Graph().as_default():
        tf.set_random_seed(0)
        yield


def line():
    """The loss of a line through four points."""
    x = tf.constant([[0.0], [1.0], [2.0], [3.0]])
    y = slim.fully_connected(x, 1, activation_fn=None, weights_initializer=tf.zeros_initializer(), scope="line")
    return tf.reduce_mean((y - (2 * x + 1)) ** 2)


@pytest.mark.filterwarnings("ignore:Attempting to use a closed FileWriter")  # the supervisor stops twice, as in slim
def test_slim_trains_saves_and_evaluates(tmp_path):
    op = learning.create_train_op(line(), tf.train.GradientDescentOptimizer(0.1))
    loss = learning.train(op, str(tmp_path), number_of_steps=60, log_every_n_steps=0)
    assert loss < 0.2
    with tf.Graph().as_default():
        value, update = tf.metrics.mean(line())
        tf.train.get_or_create_global_step()
        path = tf.train.latest_checkpoint(str(tmp_path))
        found = evaluation.evaluate_once("", path, str(tmp_path / "eval"), num_evals=2, eval_op=update, final_op=value)
    assert 0 < found < loss  # saved after the last step
    assert os.path.basename(path) == "model.ckpt-60"


def test_contrib_training_stops_when_a_hook_says_so(tmp_path):
    op = training.create_train_op(line(), tf.train.GradientDescentOptimizer(0.1))
    training.train(op, str(tmp_path), hooks=[tf.train.StopAtStepHook(num_steps=5)], save_summaries_steps=None)
    reader = tf.train.NewCheckpointReader(tf.train.latest_checkpoint(str(tmp_path)))
    assert reader.get_tensor("global_step") == 5


def test_a_loop_of_evaluations_ends_when_no_checkpoint_comes(tmp_path):
    tf.train.get_or_create_global_step()
    assert list(training.checkpoints_iterator(str(tmp_path), timeout=0)) == []


def test_records_come_through_a_data_set(tmp_path):
    path = str(tmp_path / "records")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(4):
            feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 0.5]))}
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    decoder = slim.tfexample_decoder.TFExampleDecoder(
        {"x": tf.FixedLenFeature([2], tf.float32)}, {"pair": slim.tfexample_decoder.Tensor("x")}
    )
    data = slim.dataset.Dataset(path, tf.TFRecordReader, decoder, 4, {"pair": "a pair"})
    provider = slim.dataset_data_provider.DatasetDataProvider(data, shuffle=False, num_epochs=1)
    (pair,) = provider.get(["pair"])
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        with slim.queues.QueueRunners(session):
            assert [session.run(pair).tolist() for _ in range(4)] == [[i, i + 0.5] for i in range(4)]


def test_one_worker_makes_synchronous_steps():
    w = tf.get_variable("w", initializer=4.0)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.25), 1)
    op = optimizer.minimize(w**2, global_step=step)
    assert optimizer.make_session_run_hook(is_chief=True)._sync_optimizer is optimizer
    coordinator = tf.train.Coordinator()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(optimizer.chief_init_op)
        chief = optimizer.get_chief_queue_runner()
        threads = chief.create_threads(session, coord=coordinator, daemon=True, start=True)
        for _ in range(3):
            session.run(op)  # waits for the chief
        values = session.run([step, w])
        coordinator.request_stop()
    for thread in threads:
        thread.join(10)
    assert values == [3, 0.5]


def test_a_mean_waits_for_enough_gradients_and_forgets_stale_ones():
    held = tf.ConditionalAccumulator(tf.float32, shape=[2])
    add = [held.apply_grad([1.0, 2.0]), held.apply_grad([3.0, 6.0])]
    stale, mean = held.apply_grad([9.0, 9.0], local_step=0), held.take_grad(2)
    with tf.Session() as session:
        session.run(add)
        assert session.run(mean).tolist() == [2.0, 4.0]
        session.run(stale)  # of step 0, and the next one is 1
        assert session.run(held.num_accumulated()) == 0


def test_variables_are_counted(capsys):
    tf.get_variable("a", [2, 3])
    assert slim.model_analyzer.analyze_vars(tf.global_variables(), print_info=True) == (6, 24)
    assert "a:0 (float32_ref 2x3) [6, bytes: 24]" in capsys.readouterr().out


def test_events_go_to_a_file_of_ones_own(tmp_path):
    writer = pywrap_tensorflow.EventsWriter(str(tmp_path / "events"))
    writer.WriteEvent(tf.Event(step=7))
    writer.Close()
    (path,) = glob.glob(str(tmp_path / "events.out.tfevents.*"))
    assert [event.step for event in tf.train.summary_iterator(path)] == [0, 7]


def test_a_request_to_compile_is_a_mark_on_nodes():
    with jit.experimental_jit_scope():
        y = tf.constant(2.0) * 3.0
    assert y.op.get_attr("_XlaScope") == b"jit_scope_0"
    outputs = xla.compile(lambda a, b: (a * b, a + b), [tf.constant(2.0), tf.constant(3.0)])
    with tf.Session() as session:
        assert session.run([y, *outputs]) == [6.0, 6.0, 5.0]


def test_what_was_read_is_kept_when_a_variable_grows():
    held = tf.Variable(np.float32([1, 2]), validate_shape=False)
    old = held.value()
    with tf.control_dependencies([old]):
        grown = tf.assign(held, tf.zeros([4]), validate_shape=False)
    with tf.control_dependencies([grown]):
        copied = old + 0.0
    with tf.Session() as session:
        session.run(held.initializer)
        assert session.run(copied).tolist() == [1.0, 2.0]
