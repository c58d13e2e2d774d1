"""Each row of docs/DIFFERENCES.md, shown."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import numpy as np
import pytest

from retrograd import tf

TABLE = (Path(__file__).parents[1] / "docs" / "DIFFERENCES.md").read_text()


def test_every_row_has_a_test() -> None:
    rows = [line for line in TABLE.splitlines() if line.startswith("| ") and not line.startswith("| in |")]
    named = [re.fullmatch(r"\|(?:[^|]+\|){4} `(test_\w+)` \|", row) for row in rows]
    assert all(named), [row for row, found in zip(rows, named, strict=True) if not found]
    tests = {name for name in globals() if name.startswith("test_") and name != "test_every_row_has_a_test"}
    assert {found[1] for found in named if found} == tests


def test_reads_come_before_writes() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(1.0)
        write = v.assign(2.0)
        late = v.read_value()
        with tf.control_dependencies([write]):
            after = v.read_value()
        sess.run(v.initializer)
        assert sess.run([write, late, after, v]) == [2.0, 1.0, 2.0, 1.0]
        assert sess.run(v) == 2.0


def test_failed_run_changes_nothing() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable([1.0, 2.0])
        sess.run(v.initializer)
        with tf.control_dependencies([v.assign([5.0, 6.0])]):
            bad = tf.check_numerics(tf.log(-v.read_value()), "log")
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(bad)
        assert sess.run(v).tolist() == [1.0, 2.0]


def test_fed_arrays_are_not_kept() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [2])
        v = tf.Variable([0.0, 0.0])
        fed = np.array([1.0, 2.0], np.float32)
        got, _ = sess.run([tf.identity(x), v.assign(x)], {x: fed})
        fed[:] = -1.0
        assert got.tolist() == [1.0, 2.0]
        assert sess.run(v).tolist() == [1.0, 2.0]


def test_errors_have_notes() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        with pytest.raises(TypeError) as caught:
            sess.run([tf.constant(1.0), None])
        assert str(caught.value) == "Fetch argument None has invalid type <class 'NoneType'>"
        assert any("Fix:" in note for note in caught.value.__notes__)
        with pytest.raises(tf.errors.InvalidArgumentError) as failed:
            sess.run(tf.placeholder(tf.float32, name="p"))
        assert "Fix:" in failed.value.message


def test_initialized_value_is_one_op() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(3.0)
        value = v.initialized_value()
        assert (value.name, value.op.type) == ("cond/Merge:0", "InitializedValue")
        assert sess.run(value) == 3.0
        sess.run(v.initializer)
        sess.run(v.assign(4.0))
        assert sess.run(value) == 4.0


def test_name_scopes_are_per_thread() -> None:
    graph, names = tf.Graph(), []

    def build() -> None:
        with graph.as_default():
            names.append(tf.constant(1.0, name="c").name)

    with graph.as_default(), tf.name_scope("outer"):
        thread = threading.Thread(target=build)
        thread.start()
        thread.join()
    assert names == ["c:0"]


def test_internal_modules_import() -> None:
    import retrograd

    retrograd.install()
    try:
        from tensorflow.python.grappler import tf_optimizer

        with pytest.raises(AttributeError, match=r"does not build tensorflow\.python\.grappler\.tf_optimizer yet"):
            tf_optimizer.OptimizeGraph  # noqa: B018
        with pytest.raises(ModuleNotFoundError):
            import tensorflow.python.no_such_module  # noqa: F401
    finally:
        retrograd.uninstall()


def test_mnist_batches_are_copies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from retrograd.io import mnist

    digits = mnist.read_data_sets(str(tmp_path), validation_size=0)
    capsys.readouterr()
    batch, _ = digits.test.next_batch(10, shuffle=False)
    first = digits.test.images[0].copy()
    batch[:] = -1.0
    assert np.array_equal(digits.test.images[0], first)
    assert not list(tmp_path.iterdir())
