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


def test_resetting_a_server_forgets_its_variables_and_ends_its_sessions():
    server = tf.train.Server.create_local_server()
    with tf.Graph().as_default():
        with tf.container("one"):
            a = tf.Variable(1.0, name="a")
        b = tf.Variable(2.0, name="b")
        session = tf.Session(server.target)
        session.run([a.initializer, b.initializer])
        tf.Session.reset(server.target, ["one"])
        with pytest.raises(tf.errors.AbortedError, match=r"^Session \w+ is not found\."):
            session.run(b)
        session = tf.Session(server.target)
        assert session.run(b) == 2.0
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(a)
        tf.Session.reset(server.target, ["local"])  # the container of what names none
        with pytest.raises(tf.errors.FailedPreconditionError):
            tf.Session(server.target).run(b)
    with pytest.raises(tf.errors.NotFoundError, match="No session factory registered"):
        tf.Session.reset("elsewhere")
    with pytest.raises(tf.errors.DeadlineExceededError):
        tf.Session.reset("elsewhere", config=tf.ConfigProto(operation_timeout_in_ms=5))


def test_an_isolated_session_has_variables_of_its_own():
    server = tf.train.Server.create_local_server()
    with tf.Graph().as_default():
        v = tf.Variable(1.0)
        tf.Session(server.target).run(v.initializer)
        config = tf.ConfigProto(isolate_session_state=True)
        with tf.Session(server.target, config=config) as session, pytest.raises(tf.errors.FailedPreconditionError):
            session.run(v)


def test_closing_one_session_of_a_server_ends_its_waits_alone():
    server = tf.train.Server.create_local_server()
    with tf.Graph().as_default():
        begun = threading.Event()
        queue = tf.FIFOQueue(1, tf.float32)
        enqueue = queue.enqueue(3.0)
        with tf.control_dependencies([tf.py_func(begun.set, [], [])]):
            element = queue.dequeue()
        first, second = tf.Session(server.target), tf.Session(server.target)
        caught = []

        def run():
            try:
                first.run(element)
            except tf.errors.CancelledError as error:
                caught.append(str(error))

        thread = threading.Thread(target=run)
        thread.start()
        assert begun.wait(30)
        first.close()
        thread.join(30)
        assert [text.partition("\n")[0] for text in caught] == [
            "Step was cancelled by an explicit call to `Session::Close()`."
        ]
        second.run(enqueue)
        assert second.run(element) == 3.0


def test_what_a_server_cannot_be():
    with pytest.raises(tf.errors.InvalidArgumentError, match='Could not parse port for local server from "here"'):
        tf.train.Server({"local": ["here"]})
    with pytest.raises(tf.errors.InternalError, match='Job "" was not defined in cluster'):
        tf.train.Server({"a": ["localhost:34567"]}, job_name="", task_index=0)
    with pytest.raises(tf.errors.InvalidArgumentError, match='Task 4 was not defined in job "a"'):
        tf.train.Server({"a": ["localhost:34567"]}, job_name="a", task_index=4)
    server = tf.train.Server({"a": ["localhost:34567"]})
    with pytest.raises(tf.errors.UnknownError, match="Could not start gRPC server"):
        tf.train.Server({"b": ["localhost:34567"]})
    assert [d.name for d in tf.Session(server.target).list_devices()] == ["/job:a/replica:0/task:0/device:CPU:0"]
    assert tf.train.ServerDef.FromString(server.server_def.SerializeToString()) == server.server_def


def test_each_task_keeps_the_variables_that_stand_on_its_device():
    workers, _ = tf.test.create_local_cluster(2, 1)
    found = []
    for i, worker in enumerate(workers):
        with tf.Graph().as_default(), tf.Session(worker.target) as session:
            with tf.device(f"/job:worker/task:{i}"):
                own = tf.Variable(0, name="step")
            with tf.device("/job:ps/task:0"):
                common = tf.get_variable("common", initializer=0)
            if i == 0:
                session.run(common.initializer)
            session.run(own.initializer)
            session.run([own.assign_add(i + 1), common.assign_add(1)])
            found.append((session.run([own, common]), own, session.graph))
    (first, own, graph), (second, _, _) = found
    assert (first, second) == ([1, 1], [2, 2])
    with tf.Session(workers[1].target, graph=graph) as session:
        assert session.run(own) == 1
