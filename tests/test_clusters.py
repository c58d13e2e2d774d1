"""Servers of one process, and sessions on them."""

import threading

import pytest

from retrograd import tf


def test_sessions_on_a_server_share_variables():
    server = tf.train.Server.create_local_server()
    with tf.Graph().as_default():
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        step = v.assign_add(2.0)
        with tf.Session(server.target) as session:
            session.run(v.initializer)
            session.run(step)
        with tf.Session(server.target) as session:
            assert session.run(step) == 4.0
    with tf.Graph().as_default():  # another replica: a graph of its own with the same names
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        with tf.Session(server.target) as session:
            assert session.run(v) == 4.0
        other = tf.train.Server.create_local_server()
        with tf.Session(other.target) as session, pytest.raises(tf.errors.FailedPreconditionError):
            session.run(v)


def test_a_cluster_of_threads():
    workers, servers = tf.test.create_local_cluster(2, 1)
    threading.Thread(target=servers[0].join, daemon=True).start()
    seen = []

    def work(i):
        with tf.Graph().as_default():
            device = tf.train.replica_device_setter(1, worker_device=f"/job:worker/task:{i}")
            with tf.device(device):
                v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
                step = v.assign_add(1.0)
            with tf.Session(workers[i].target) as session:
                if i == 0:
                    session.run(v.initializer)
                seen.append(session.run(step))

    for i in range(2):
        thread = threading.Thread(target=work, args=(i,))
        thread.start()
        thread.join()
    assert seen == [1.0, 2.0]


def test_a_cluster_of_several_processes_is_refused():
    cluster = tf.train.ClusterSpec({"ps": ["localhost:2222"], "worker": ["localhost:2223"]})
    server = tf.train.Server(cluster, job_name="worker", task_index=0)
    assert server.target == "grpc://localhost:2223"
    with pytest.raises(tf.errors.UnimplementedError, match="no server of this process is /job:ps/task:0") as caught:
        tf.Session(server.target)
    assert "tf.train.Server.create_local_server()" in caught.value.__notes__[-1]
    with pytest.raises(tf.errors.UnimplementedError, match="join: no server of this process"):
        server.join()
    with pytest.raises(tf.errors.NotFoundError, match="No session factory registered"):
        tf.Session("grpc://elsewhere:1")


def test_which_task_a_server_is():
    with pytest.raises(ValueError, match="Must specify an explicit `job_name`"):
        tf.train.Server({"a": ["x:1"], "b": ["y:1"]})
    with pytest.raises(ValueError, match="Must specify an explicit `task_index`"):
        tf.train.Server({"a": ["x:1", "y:1"]})
    server = tf.train.Server({"a": ["x:1"]}, start=False)
    assert (server.server_def.job_name, server.server_def.task_index) == ("a", 0)
    assert tf.train.Server(server.server_def, start=False).target == server.target
