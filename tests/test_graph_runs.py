"""``tf.contrib.learn.run_n``, ``run_feeds`` and ``infer``: values and messages of TensorFlow 1.15.5."""

import pytest

from retrograd import tf

learn = tf.contrib.learn


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_variables_are_initialized_and_kept_between_the_runs():
    count = tf.Variable(2.0).assign_add(1.0)
    assert learn.run_n({"count": count}, n=3) == [{"count": 3}, {"count": 4}, {"count": 5}]
    assert learn.run_n({"count": count}, n=0) == []
    assert learn.run_feeds({"count": count}, [None, None]) == [{"count": 3}, {"count": 4}]


def test_every_feed_is_run_with_the_variables_of_a_checkpoint(tmp_path):
    x, v = tf.placeholder(tf.float32, []), tf.Variable(2.0)
    y = {"y": x * v + tf.Variable(1.0, collections=["local_variables"])}
    with tf.Session() as session:
        session.run(v.assign(10.0))
        path = tf.train.Saver([v]).save(session, str(tmp_path / "model"))
    assert learn.run_feeds(y, [{x: 1.0}, {x: 2.0}]) == [{"y": 3}, {"y": 5}]
    assert learn.run_feeds(y, [{x: 1.0}], restore_checkpoint_path=path) == [{"y": 11}]
    assert learn.infer(path, y, {x: 2.0}) == {"y": 21}


def test_queues_are_filled():
    value = tf.train.input_producer([5, 6, 7], shuffle=False).dequeue()
    assert [run["value"] for run in learn.run_n({"value": value}, n=4)] == [5, 6, 7, 5]


def test_nothing_to_run_or_to_feed():
    with pytest.raises(ValueError, match=r"output_dict is invalid: {}\."):
        learn.run_n({})
    with pytest.raises(ValueError, match=r"feed_dicts is invalid: \[\]\."):
        learn.run_feeds({"x": tf.constant(1)}, [])
