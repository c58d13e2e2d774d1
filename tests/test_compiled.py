"""The compiled tier: what XLA computes is what the interpreter computes, and nothing is lost on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.run import compiled, xla
from retrograd.run.compiled import Compiled
from retrograd.run.program import Parts


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", "off")


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        yield


def both(monkeypatch: pytest.MonkeyPatch, program: Callable[[tf.Session], Any]) -> tuple[Any, Any]:
    """What ``program`` gives in the interpreter, and with every plan compiled, and that something was."""
    results = []
    for mode in ("never", "always"):
        monkeypatch.setenv("RETROGRAD_JIT", mode)
        with tf.Session() as sess:
            results.append(program(sess))
            assert bool(compiled_kinds(sess)) == (mode == "always")
    return results[0], results[1]


def compiled_kinds(sess: tf.Session) -> list[type]:
    return [type(k.compiled) for _, p in sess._prepared.values() for k in p.kinds.values() if k.compiled]


def the_same(mine: Any, theirs: Any, rtol: float = 2e-5) -> None:
    for a, b in zip(mine, theirs, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if a.dtype.kind == "f":
            np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-6)
        else:
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("make", [tf.train.GradientDescentOptimizer, tf.train.AdamOptimizer, tf.train.RMSPropOptimizer])
def test_training_goes_the_same_way(monkeypatch: pytest.MonkeyPatch, make: Any, use_resource: bool) -> None:
    x = tf.placeholder(tf.float32, [None, 4])
    with tf.variable_scope("net", use_resource=use_resource):
        hidden = tf.layers.dense(x, 8, tf.tanh)
        loss = tf.reduce_mean(tf.square(tf.layers.dense(hidden, 1) - tf.reduce_sum(x, 1, keepdims=True)))
    step = tf.train.get_or_create_global_step()
    train = make(0.05).minimize(loss, global_step=step)
    data = np.random.RandomState(3).rand(6, 4).astype(np.float32)

    def program(sess: tf.Session) -> list[Any]:
        sess.run(tf.global_variables_initializer())
        losses = [sess.run([train, loss], {x: data})[1] for _ in range(6)]
        return [*losses, *sess.run(tf.trainable_variables()), sess.run(step)]

    the_same(*both(monkeypatch, program))


def test_random_streams_are_the_same_and_go_on_in_either_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [tf.random_uniform([3]), tf.random_normal([2, 2]), tf.random_uniform([4], 0, 9, tf.int32)]
    plus = [d + tf.cast(1, d.dtype) for d in drawn]

    def program(sess: tf.Session) -> list[Any]:
        return [value for fetch in (drawn, plus, drawn, plus, plus) for value in sess.run(fetch)]

    mine, theirs = both(monkeypatch, program)
    the_same(mine, theirs, 3e-7)
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    with tf.Session() as sess:
        options = tf.RunOptions(timeout_in_ms=60000)  # the interpreter runs it
        mixed = [sess.run(plus), sess.run(plus, options=options), sess.run(plus)]
    monkeypatch.setenv("RETROGRAD_JIT", "never")
    with tf.Session() as sess:
        for values in mixed:
            the_same(values, sess.run(plus), 3e-7)


def test_variables_live_in_buffers_and_are_arrays_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    small, large = tf.Variable([1.0, 2.0]), tf.Variable(tf.ones([100, 100]))
    grow = tf.group(small.assign_add([1.0, 1.0]), large.assign(large * 2.0))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(grow)
        kept = sess.run(small)
        small.load([10.0, 20.0], sess)
        sess.run(grow)
        np.testing.assert_array_equal(sess.run(small), [11, 21])
        np.testing.assert_array_equal(kept, [2, 3])
        np.testing.assert_array_equal(sess.run(large[0, :2]), [4, 4])
        sess.run(small.initializer)
        np.testing.assert_array_equal(sess.run(small), [1, 2])
        sess.run(grow)
        np.testing.assert_array_equal(sess.run(small), [2, 3])


def test_a_variable_may_change_its_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    v = tf.Variable([1.0, 2.0], validate_shape=False)
    total = tf.reduce_sum(v * 2.0)
    fed = tf.placeholder(tf.float32)
    change = tf.assign(v, fed, validate_shape=False)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(total) == 6
        sess.run(change, {fed: [1.0, 2.0, 3.0]})
        assert sess.run(total) == 12
        assert sess.run(total) == 12


def test_what_is_wrong_with_values_is_said_and_nothing_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    table, count = tf.Variable(tf.ones([5, 2])), tf.Variable(0)
    ids, divisor = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [])
    rows = tf.gather(table, ids)
    with tf.control_dependencies([tf.assert_less(divisor, 9)]):
        count_up = count.assign_add(6 // divisor)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(rows * rows))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run([train, count_up], {ids: [1, 3], divisor: 2})
        before = sess.run([table, count])
        for feed, words in (
            ({ids: [1, 5], divisor: 2}, r"indices\[1\] = 5 is not in \[0, 5\)"),
            ({ids: [1, 2], divisor: 0}, "Integer division by zero"),
            ({ids: [1, 2], divisor: 10}, "assertion failed"),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                sess.run([train, count_up], feed)
            the_same(sess.run([table, count]), before)
        sess.run([train, count_up], {ids: [1, 3], divisor: 3})
        assert sess.run(count) == 5


def test_host_ops_run_between_computed_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    x = tf.placeholder(tf.float32, [None, 3])
    v = tf.Variable(tf.ones([3]))
    before = tf.reduce_sum(tf.tanh(x) * v * 2.0 + 1.0, 1)
    told = tf.py_func(lambda a: a * 2, [before], tf.float32)
    told.set_shape([None])
    after = tf.reduce_mean(tf.exp(-told) * 3.0)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(before) + 0.0 * after)
    text = tf.as_string(after)

    def program(sess: tf.Session) -> list[Any]:
        sess.run(tf.global_variables_initializer())
        data = np.arange(6, dtype=np.float32).reshape(2, 3) / 6
        rows = [sess.run([after, train], {x: data})[0] for _ in range(3)]
        return [*rows, sess.run(text, {x: data})[:4], sess.run(v)]

    the_same(*both(monkeypatch, program))


def test_a_loop_and_its_gradient_stand_in_one_part_behind_a_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[3, 1, 4], [1, 5, 9], [2, 6, 5], [3, 5, 8]]
    data = tf.data.Dataset.from_tensor_slices(np.array(rows, np.int32)).repeat().batch(2, drop_remainder=True)
    iterator = data.make_initializable_iterator()
    ids = iterator.get_next()
    inputs = tf.nn.embedding_lookup(tf.get_variable("e", [10, 4]), ids)
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), inputs, dtype=tf.float32)
    logits = tf.layers.dense(outputs, 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=logits))
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)

    def program(sess: tf.Session) -> list[Any]:
        sess.run(tf.global_variables_initializer())
        sess.run(iterator.initializer)
        found = [sess.run([loss, train])[0] for _ in range(5)]
        if os.environ["RETROGRAD_JIT"] == "always":
            assert Parts in compiled_kinds(sess)
        return found

    the_same(*both(monkeypatch, program))


def test_messages_of_assertions_keep_no_loop_from_xla(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.arange(12, dtype=np.float32).reshape(4, 3) / 12
    iterator = (
        tf.data.Dataset.from_tensor_slices(rows).repeat().batch(2, drop_remainder=True).make_initializable_iterator()
    )
    x = iterator.get_next()
    w = tf.Variable([0.5, -0.5, 1.0])

    def body(i: Any, h: Any) -> Any:
        with tf.control_dependencies([tf.assert_less(i, 9, message="too far")]):
            return i + 1, tf.tanh(h * w + x)

    _, last = tf.while_loop(lambda i, _: i < 4, body, [0, x])
    loss = tf.reduce_mean(tf.square(last))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)

    def program(sess: tf.Session) -> list[Any]:
        sess.run(tf.global_variables_initializer())
        sess.run(iterator.initializer)
        found = [sess.run([loss, train])[0] for _ in range(5)]
        if os.environ["RETROGRAD_JIT"] == "always":
            assert Parts in compiled_kinds(sess)
        return found

    the_same(*both(monkeypatch, program))


def test_a_host_op_that_fails_takes_back_what_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    v = tf.Variable([1.0, 2.0])
    fails = tf.placeholder(tf.bool, [])

    def check(value: Any, now: Any) -> Any:
        if now:
            raise ValueError("told to")
        return value

    update = tf.assign(v, tf.exp(tf.sin(v * 2.0) * 3.0) + 1.0)
    told = tf.py_func(check, [update, fails], tf.float32)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(told, {fails: False})
        assert Parts in compiled_kinds(sess)
        before = sess.run(v)
        with pytest.raises(tf.errors.InvalidArgumentError, match="told to"):
            sess.run(told, {fails: True})
        np.testing.assert_array_equal(sess.run(v), before)
        sess.run(told, {fails: False})


def test_rows_that_a_host_op_changes_reach_the_next_computation(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tf.Variable(tf.reshape(tf.range(6000.0) / 6000.0, [1000, 6]))
    ids = tf.placeholder(tf.int32, [None])
    changes = tf.py_func(lambda x: x * 0.5, [tf.tanh(tf.gather(table, ids) * 2.0 + 1.0)], tf.float32)
    update = tf.scatter_sub(table, tf.py_func(lambda i: i, [ids], tf.int32), changes)

    def program(sess: tf.Session) -> list[Any]:
        sess.run(table.initializer)
        for turn in range(5):
            sess.run(update.op, {ids: [turn, 3, 3, 7]})
        return [sess.run(table)]

    the_same(*both(monkeypatch, program))


def averaged_words() -> tuple[Any, Any, Any]:
    """A plan that is computed in parts: the ids of words, the list of those that are named, a step of Adagrad."""
    words = tf.sparse_placeholder(tf.int64, [None, 5])
    table = tf.get_variable("table", [40, 3])
    averages = tf.nn.embedding_lookup_sparse(table, words, None, combiner="mean")
    loss = tf.reduce_sum(tf.square(averages - 0.3))
    train = tf.train.AdagradOptimizer(0.5).minimize(loss)
    (change,) = [op for op in tf.get_default_graph().get_operations() if op.type == "SparseApplyAdagrad"]
    (listed,) = [t for t in change.inputs if t.dtype == tf.int64]
    return words, listed, [train, loss]


def test_words_are_averaged_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    words, _, step = averaged_words()
    data = np.random.RandomState(5)

    def program(sess: tf.Session) -> list[Any]:
        sess.run(tf.global_variables_initializer())
        data.seed(5)
        for _ in range(5):
            indices = [[row, column] for row in range(4) for column in range(3)]
            sess.run(step, {words: (indices, data.randint(0, 9, 12), [4, 5])})
        return sess.run(tf.global_variables())

    the_same(*both(monkeypatch, program))


def test_a_list_that_is_fed_may_name_a_row_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words, listed, step = averaged_words()
    feeds = {words: ([[0, 0], [0, 1], [1, 0]], [1, 2, 3], [2, 5])}

    def program(sess: tf.Session) -> list[Any]:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            sess.run(step, feeds | {listed: [4, 4, 5]})
        return sess.run(tf.global_variables())

    the_same(*both(monkeypatch, program))


def test_a_feed_that_nobody_reads_may_be_text(monkeypatch: pytest.MonkeyPatch) -> None:
    mode = tf.placeholder_with_default("train", [])
    x = tf.placeholder(tf.float32, [2])
    y = tf.exp(tf.sin(x * 2.0) * 3.0) + 1.0

    def program(sess: tf.Session) -> list[Any]:
        return [sess.run(y, {x: [i, 0.5], mode: "infer"}) for i in range(4)]

    the_same(*both(monkeypatch, program))


def test_the_takeover_follows_from_the_plan_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "auto")
    x = tf.placeholder(tf.float32, [200, 200])
    v = tf.Variable(tf.ones([200, 200]))
    update = v.assign(tf.tanh(tf.matmul(v, x)) + 0.1 * x)

    def runs() -> tuple[list[bytes], list[int]]:
        with tf.Session() as sess:
            sess.run(v.initializer)
            data = np.random.RandomState(0).rand(200, 200)
            values, compiled = [], []
            for i in range(1200):
                values.append(sess.run(update, {x: data}).tobytes())
                if not compiled and compiled_kinds(sess):
                    compiled.append(i)
            assert compiled
            return values, compiled

    assert runs() == runs()


def test_each_of_three_sizes_takes_over_as_if_it_were_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "auto")
    x = tf.placeholder(tf.float32, [None, 1200])
    y = tf.nn.relu(tf.matmul(tf.matmul(tf.tanh(x), tf.ones([1200, 1200])), tf.ones([1200, 1200])))
    with tf.Session() as sess:
        for size in (1200, 1201, 1202):
            for _ in range(6):
                sess.run(y, {x: np.zeros((size, 1200))})
        assert len(compiled_kinds(sess)) == 3


def test_what_costs_less_than_to_import_jax_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "auto")
    x = tf.placeholder(tf.float32, [4, 3])
    v = tf.Variable(tf.ones([3, 2]))
    step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.tanh(tf.matmul(x, v))))
    with tf.Session() as sess:
        sess.run(v.initializer)
        for _ in range(400):
            sess.run(step, {x: np.ones([4, 3])})
        assert not compiled_kinds(sess)


def test_a_loop_of_few_iterations_is_compiled_later_than_one_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "auto")
    limit, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [64, 64])
    _, y = tf.while_loop(lambda i, _: i < limit, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, x))), (0, x))
    y = tf.sin(tf.exp(y) * 3.0) + 1.0

    def takeover(iterations: int) -> int:
        with tf.Session() as sess:
            for _ in range(2):
                sess.run(y, {limit: iterations, x: np.ones((64, 64))})
            ((_, program),) = sess._prepared.values()
            (kind,) = program.kinds.values()
            return kind.takeover

    assert takeover(2) > 4 * takeover(30)


def test_an_interrupt_leaves_the_session_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    v = tf.Variable(tf.ones([64, 64]))
    step = v.assign(tf.tanh(tf.matmul(v, v)) + 1.0)
    n = tf.Variable(0)
    with tf.control_dependencies([step]):
        count = n.assign_add(1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(count)
        interrupted = 0
        for i in range(20):
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0005 * (i + 1))
                while True:
                    sess.run(count)
            except KeyboardInterrupt:
                interrupted += 1
            finally:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
            assert np.isfinite(sess.run(v)).all()
        assert interrupted == 20
        before = sess.run(n)
        assert sess.run(count) == before + 1


def test_threads_train_and_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    v = tf.Variable(tf.zeros([300, 100]))
    count = v.assign_add(tf.ones([300, 100]) + 0.0 * tf.tanh(v))
    total = tf.reduce_max(v * 1.0 + 0.0) - tf.reduce_min(v)
    failures: list[Exception] = []
    with tf.Session() as sess:
        sess.run(v.initializer)

        def work(fetch: Any) -> None:
            try:
                for _ in range(50):
                    assert sess.run(fetch) == 0 if fetch is total else sess.run(fetch.op) is None
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(f,)) for f in (count, total, count, total)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        np.testing.assert_array_equal(sess.run(v), np.full([300, 100], 100))


def test_what_conditions_follow_from_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows change where all conditions hold; those of a loop are known behind it, and the loop runs once."""
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    loops: list[Any] = []

    def noted(closed: Any) -> Any:
        loops.append([eqn for eqn in closed.jaxpr.eqns if eqn.primitive.name == "while"])
        return closed

    monkeypatch.setattr(compiled, "with_recurrences", noted)
    ids, lengths = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None])
    words = tf.nn.embedding_lookup(tf.get_variable("table", [9, 3]), ids)
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), words, lengths, dtype=tf.float32)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(outputs))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        loops.clear()
        sess.run(train, {ids: [[1, 2, 3], [4, 5, 0]], lengths: [3, 2]})
    assert [len(found) for found in loops] == [2]


@pytest.mark.parametrize("n", [100, 400])
def test_feeds_may_be_changed_as_soon_as_a_run_is_over(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    x = tf.placeholder(tf.float32, [n, n])
    v = tf.Variable(tf.zeros([n, n]))
    y = x
    for _ in range(5):
        y = tf.matmul(y, x) / float(n)
    keep = v.assign(y).op
    with tf.Session() as sess:
        sess.run(v.initializer)
        data = np.ones([n, n], np.float32)
        for _ in range(3):
            data[:] = 1
            sess.run(keep, {x: data})
            data[:] = 7
            np.testing.assert_allclose(sess.run(v), np.ones([n, n]), rtol=1e-4)


def test_what_a_run_gives_does_not_lie_where_the_next_feed_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    n = 1 << 14
    x = tf.placeholder(tf.float32, [n])
    v = tf.Variable(tf.zeros([2, n // 2]))
    wanted = [x, tf.identity(x), x + 0.0, v.assign(tf.reshape(x, [2, -1]))]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for begin in range(3):  # XLA reads some of them where they lie
            fed = np.zeros(n + 4, np.float32)[begin : begin + n]
            given = []
            for k in range(6):
                fed[:] = k
                given.append([*sess.run(wanted, {x: fed}), sess.run(v)])
            fed[:] = -1
            for k, values in enumerate(given):
                assert [np.all(value == k) for value in values] == [True] * 5


def test_a_computation_that_cannot_be_made_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    x = tf.placeholder(tf.float32, [2])
    y = tf.tanh(x) * 2.0 + 1.0

    def exhausted(*args: Any) -> None:
        raise MemoryError("RESOURCE_EXHAUSTED: out of memory")

    monkeypatch.setattr(Compiled, "__init__", exhausted)
    with tf.Session() as sess:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            first = sess.run(y, {x: [1.0, 2.0]})
            second = sess.run(y, {x: [1.0, 2.0]})
        np.testing.assert_array_equal(first, second)
        assert [str(w.message) for w in told] == [
            "a plan stays interpreted: MemoryError: RESOURCE_EXHAUSTED: out of memory"
        ]


def test_levels_of_logs_may_have_other_names() -> None:
    program = (
        "import logging\nlogging.addLevelName(logging.WARNING, 'coloured')\n"
        "import retrograd.ops.jax_start\nprint(logging.getLevelName(logging.WARNING))\n"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out == "coloured\n"


def test_the_programs_own_random_numbers_are_left_alone() -> None:
    program = (
        "import numpy as np\nnp.random.seed(3)\nfirst = np.random.rand()\n"
        "import retrograd.ops.jax_start\nprint(np.random.rand())\n"
        "np.random.seed(3)\nnp.random.rand()\nprint(np.random.rand())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    one, other = done.stdout.split()
    assert one == other


def test_jax_tells_a_program_that_logs_everything_nothing() -> None:
    program = (
        "import logging\nlogging.basicConfig(level=logging.DEBUG)\n"
        "from retrograd.ops.jax_start import jax\njax.devices()\nlogging.debug('done')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "DEBUG:root:done\n"


@pytest.mark.parametrize("command", [["-m", "retrograd", "run"], []])
def test_a_program_may_end_while_a_plan_is_compiled(tmp_path: Path, command: list[str]) -> None:
    script = tmp_path / "short.py"
    script.write_text(
        "import retrograd; retrograd.install()\n"
        "import tensorflow as tf\n"
        "from retrograd.run.program import is_compiling\n"
        "x = tf.placeholder(tf.float32, [8, 8])\n"
        "y = x\n"
        "for i in range(30): y = tf.tanh(tf.matmul(y, x)) + i\n"
        "with tf.Session() as sess:\n"
        "    while not is_compiling(): sess.run(y, {x: [[1.0] * 8] * 8})\n"
        "print('done')\n"
        "raise SystemExit(3)\n"
    )
    env = {**os.environ, "RETROGRAD_CACHE": "off", "RETROGRAD_JIT": "auto"}
    arguments = [sys.executable, *command, str(script)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120, env=env)
    assert (done.returncode, done.stdout, done.stderr) == (3, "done\n", "")


def test_a_full_cache_drops_what_was_not_used_for_longest(tmp_path: Path) -> None:
    for age, name in enumerate("abcd"):
        (tmp_path / name).write_bytes(bytes(10))
        os.utime(tmp_path / name, (1e9 - age, 1e9 - age))
    xla.drop_unused(tmp_path, 25)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


def test_a_damaged_cache_is_no_obstacle(tmp_path: Path) -> None:
    script = tmp_path / "short.py"
    script.write_text(
        "import tensorflow as tf\n"
        "x = tf.placeholder(tf.float32, [3])\n"
        "y = tf.tanh(x * 2.0) + 1.0\n"
        "with tf.Session() as sess:\n"
        "    print(sess.run(y, {x: [1.0, 2.0, 3.0]}))\n"
    )
    env = {**os.environ, "RETROGRAD_CACHE": str(tmp_path / "cache"), "RETROGRAD_JIT": "always"}

    def run() -> str:
        command = [sys.executable, "-m", "retrograd", "run", str(script)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = run()
    kept = [p for p in (tmp_path / "cache").rglob("*") if p.is_file() and "atime" not in p.name]
    assert kept
    for path in kept:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert run() == first
    assert run() == first


def test_modes_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "sometimes")
    with pytest.raises(ValueError, match="RETROGRAD_JIT is 'sometimes', not one of never"):
        tf.Session()


def test_a_config_decides_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    x = tf.placeholder(tf.float32, [])
    y = tf.tanh(x) * 2.0 + 1.0
    for level, mode, expected in (
        (tf.OptimizerOptions.ON_1, "never", True),
        (tf.OptimizerOptions.OFF, "always", False),
    ):
        monkeypatch.setenv("RETROGRAD_JIT", mode)
        config = tf.ConfigProto()
        config.graph_options.optimizer_options.global_jit_level = level
        with tf.Session(config=config) as sess:
            sess.run(y, {x: 1.0})
            assert bool(compiled_kinds(sess)) is expected


def test_a_loop_of_many_steps_keeps_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setenv("RETROGRAD_JIT", "always")
    v = tf.Variable(tf.zeros([50, 50]))
    step = v.assign(v * 0.5 + 1.0).op
    total = tf.reduce_sum(v + 0.0)
    with tf.Session() as sess:
        sess.run(v.initializer)
        for _ in range(200):
            sess.run([step, total])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(30_000):
            sess.run([step, total])
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 4096  # KiB


def test_an_interrupted_program_ends_while_a_plan_is_compiled() -> None:
    program = """
import atexit, time
from retrograd.run.program import _Compiling
atexit.register(print, "ended", flush=True)
_Compiling(lambda: time.sleep(600))
raise KeyboardInterrupt
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == -signal.SIGINT
    assert done.stdout == "ended\n"
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
