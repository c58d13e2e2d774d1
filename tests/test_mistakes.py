"""Mistakes that people make: TensorFlow's class and first line, then why and the line that mends it.

The first lines are what TensorFlow 1.15.5 says of the same programs.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd
from retrograd import doctor, mistakes, tf
from retrograd.run import store


def told(act: Callable[[], Any]) -> tuple[str, str, str]:
    """Class and first line of the error that ``act`` ends in, and what else a person is shown."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 (which one is the question)
        act()
    mistakes.explained(caught.value)
    first, *rest = str(caught.value).splitlines()
    return type(caught.value).__name__, first, "\n".join([*rest, *getattr(caught.value, "__notes__", ())])


@pytest.fixture(autouse=True)
def graph() -> Any:
    with tf.Graph().as_default() as graph:
        yield graph


def run(*fetches: Any, feeds: Any = None, first: Any = ()) -> Any:
    with tf.Session() as session:
        session.run(first)
        return session.run(fetches, feeds)


def fed(dims: Any, value: Any) -> Callable[[], Any]:
    def act() -> Any:
        x = tf.placeholder(tf.float32, dims, name="x")
        return run(tf.identity(x), feeds={x: value})

    return act


@pytest.mark.parametrize(
    ("dims", "value", "fix"),
    [
        ([None, 784], np.ones([2, 28, 28]), "np.reshape(value, [-1, 784])"),
        ([None, 784], np.ones(784), "np.reshape(value, [-1, 784])"),
        ([None, 4, 4, 3], np.ones([2, 3, 4, 4]), "np.transpose(value, [0, 2, 3, 1])"),
        ([None, 10], [1, 2, 9], "np.eye(10)[value], if these are numbers of classes"),
        ([None, 10], np.ones(20) * 0.5, "feed a value of shape (?, 10), or declare the placeholder with shape [20]"),
        ([None, 5], np.ones([5, 4]), "feed a value of shape (?, 5), or declare the placeholder with shape [5, 4]"),
        ([None], None, "look at what gives the value"),
    ],
)
def test_feeds_are_mended_so_that_examples_stay_examples(dims: Any, value: Any, fix: str) -> None:
    kind, first, rest = told(fed(dims, value))
    assert kind == "ValueError"
    assert first.startswith("Cannot feed value of shape ")
    assert f"Fix:   {fix}" in rest


def test_rows_of_several_lengths_are_padded() -> None:
    _, first, rest = told(fed([None, None], [[1.0, 2.0], [3.0]]))
    assert first.startswith("setting an array element with a sequence.")
    fix = re.search(r"(tf\.keras.*\))", rest)
    assert fix is not None
    value = eval(fix[1], {"tf": tf, "value": [[1.0, 2.0], [3.0]]})
    assert fed([None, None], value)()[0].tolist() == [[1, 2], [3, 0]]


# What a person writes, TensorFlow's class and first line, and a part of what is to be typed.
MISTAKES: list[tuple[Callable[[], Any], str, str, str]] = [
    (lambda: run(tf.ones(2), feeds={3: 1}), "TypeError",
     "Cannot interpret feed_dict key as Tensor: Can not convert a int into a Tensor.", "feed_dict={x: ...}"),
    (lambda: tf.concat(1, [tf.ones([2, 3])] * 2), "ValueError", "Shape (2, 2, 3) must have rank 0",
     "tf.concat(values, 1)"),
    (lambda: tf.constant([1, 2]) + tf.constant([0.5, 1.5]), "TypeError",
     "Input 'y' of 'AddV2' Op has type float32 that does not match type int32 of argument 'x'.",
     "tf.cast(..., tf.float32) for the other input"),
    (lambda: tf.constant("a") + 1.0, "TypeError",
     "Input 'y' of 'Add' Op has type float32 that does not match type string of argument 'x'.", "tf.as_string(...)"),
    (lambda: tf.concat([tf.ones([2, 3]), tf.ones([2, 4])], 0), "ValueError",
     "Dimension 0 in both shapes must be equal, but are 3 and 4. Shapes are [3] and [4]. for 'concat' (op: 'ConcatV2') "
     "with input shapes: [2,3], [2,4], [] and with computed input tensors: input[2] = <0>.", "tf.reshape(...)"),
    (lambda: tf.concat([tf.ones([2, 3]), tf.ones([2])], 0), "ValueError",
     "Shape must be rank 2 but is rank 1 for 'concat' (op: 'ConcatV2') with input shapes: [2,3], [2], [].", ""),
    (lambda: tf.transpose(tf.ones([2, 3]), [0, 1, 2]), "ValueError",
     "Dimension must be 2 but is 3 for 'transpose' (op: 'Transpose') with input shapes: [2,3], [3].",
     "as many as there are dimensions"),
    (lambda: tf.nn.conv2d(tf.ones([1, 8, 8, 3]), tf.ones([3, 3, 1, 2]), [1, 1, 1, 1], "SAME"), "ValueError",
     "Depth of output (2) is not a multiple of the number of groups (3) for 'Conv2D' (op: 'Conv2D') with input shapes: "
     "[1,8,8,3], [3,3,1,2].", "(height, width, channels, number of filters)"),
    (lambda: tf.reduce_sum(tf.ones([2, 3]), 2), "ValueError",
     "Invalid reduction dimension 2 for input with 2 dimensions. for 'Sum' (op: 'Sum') with input shapes: [2,3], [] "
     "and with computed input tensors: input[1] = <2>.", "an axis from -n to n - 1"),
    (lambda: run(tf.global_variables_initializer, tf.ones(1)), "TypeError", "", "global_variables_initializer()"),
    (lambda: tf.constant(1.0).backward(), "AttributeError", "'Tensor' object has no attribute 'backward'",
     "tf.gradients(loss, variables)"),
    (lambda: tf.one_hot([1.0], 3), "TypeError",
     "Value passed to parameter 'indices' has DataType float32 not in list of allowed values: uint8, int32, int64",
     "tf.cast(..., tf.int32)"),
    (lambda: tf.reshape(tf.ones([2, 3]), [4, 2]), "ValueError",
     "Cannot reshape a tensor with 6 elements to shape [4,2] (8 elements) for 'Reshape' (op: 'Reshape') with input "
     "shapes: [2,3], [2] and with input tensors computed as partial shapes: input[1] = [4,2].",
     "one of its sizes may be -1"),
    (lambda: tf.ones([2])[5], "ValueError",
     "slice index 5 of dimension 0 out of bounds. for 'strided_slice' (op: 'StridedSlice') with input shapes: [2], "
     "[1], [1], [1] and with computed input tensors: input[1] = <5>, input[2] = <6>, input[3] = <1>.",
     "an index from 0 to the size less 1"),
    (lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.ones([4, 3]), logits=tf.ones([4, 3])),
     "ValueError",
     "Rank mismatch: Rank of labels (received 2) should equal rank of logits minus 1 (received 2).",
     "tf.argmax(labels, -1)"),
    (lambda: tf.nn.softmax_cross_entropy_with_logits(labels=tf.placeholder(tf.int32, [4]), logits=tf.ones([4, 10])),
     "ValueError",
     "Dimensions must be equal, but are 10 and 4 for 'softmax_cross_entropy_with_logits_sg' (op: "
     "'SoftmaxCrossEntropyWithLogits') with input shapes: [4,10], [1,4].",
     "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=..., logits=...)"),
    (lambda: tf.cond(tf.placeholder(tf.bool), lambda: 1, lambda: 1.0), "ValueError",
     "Outputs of true_fn and false_fn must have the same type: int32, float32", "tf.cast(..., tf.int32)"),
    (lambda: tf.cond(True, tf.constant(1), tf.constant(2)), "TypeError", "true_fn must be callable.",
     "tf.cond(pred, lambda: x, lambda: y)"),
    (lambda: [tf.clip_by_value(None, -1.0, 1.0)], "ValueError", "None values not supported.", "if g is not None"),
    (lambda: tf.add(None, 1.0), "ValueError",
     "Tried to convert 'x' to a tensor and failed. Error: None values not supported.", "if g is not None"),
    (lambda: np.sin(tf.constant(1.0)), "NotImplementedError",
     "Cannot convert a symbolic Tensor (Const:0) to a numpy array.", "tf.sin(x) for np.sin(x)"),
    (lambda: tf.constant(1.0, name="my tensor"), "ValueError", "'my tensor' is not a valid node name", ""),
    (lambda: tf.constant(1.0, name=""), "ValueError", "'' is not a valid node name", ""),
    (lambda: run(tf.summary.merge_all(), tf.ones(1)), "TypeError",
     "Fetch argument None has invalid type <class 'NoneType'>", "if f is not None"),
    (lambda: list(tf.data.Dataset.range(3)), "RuntimeError",
     "__iter__() is only supported inside of tf.function or when eager execution is enabled.",
     "dataset.make_one_shot_iterator().get_next()"),
    (lambda: tf.data.Dataset.from_tensor_slices(([1], [2])).map(lambda x: x), "TypeError",
     "<lambda>.<locals>.<lambda>() takes 1 positional argument but 2 were given", "lambda x, y: ..."),
    (lambda: float(tf.constant(1.0)), "TypeError",
     "float() argument must be a string or a real number, not 'Tensor'", "sess.run(x)"),
    (lambda: f"{tf.constant(1.0):.2f}", "TypeError", "unsupported format string passed to Tensor.__format__",
     "sess.run(x)"),
    (lambda: tf.constant(1.0).numpy(), "AttributeError", "'Tensor' object has no attribute 'numpy'", "sess.run(x)"),
    (lambda: tf.assign(tf.constant(1.0), 2.0), "AttributeError", "'Tensor' object has no attribute 'assign'",
     "tf.Variable(...)"),
    (lambda: tf.train.AdamOptimizer(lr=0.1), "TypeError",
     "AdamOptimizer.__init__() got an unexpected keyword argument 'lr'", "learning_rate=..."),
    (lambda: tf.train.AdamOptimizer(epsilom=0.1), "TypeError",
     "AdamOptimizer.__init__() got an unexpected keyword argument 'epsilom'", "epsilon=..."),
    (lambda: tf.layers.dense(tf.ones([2, 3]), 4, activations=tf.nn.relu), "TypeError",
     "dense() got an unexpected keyword argument 'activations'", "activation=..."),
    (lambda: tf.train.AdamOptimizer().minimize([tf.Variable(1.0) * 2.0]), "AttributeError",
     "'list' object has no attribute 'dtype'", "tf.add_n(losses)"),
    (lambda: tf.gradients([tf.ones(2)] * 2, tf.ones(2), grad_ys=[tf.ones(2)]), "ValueError",
     "Passed 1 grad_ys for 2 ys", "one for each y"),
    (lambda: tf.nn.softmax_cross_entropy_with_logits(tf.ones([2, 3]), tf.ones([2, 3])), "ValueError",
     "Only call `softmax_cross_entropy_with_logits` with named arguments (labels=..., logits=..., ...)",
     "labels=labels, logits=logits"),
    (lambda: tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), tf.ones([2, 3]), dtype=tf.float32), "ValueError",
     "Shape (3, 2) must have rank at least 3", "x[:, :, None]"),
    (lambda: run(tf.check_numerics(tf.log(tf.zeros(2)), "loss")), "InvalidArgumentError",
     "loss : Tensor had Inf values", "retrograd explain PROGRAM.py"),
    (lambda: [1, 2, 3][tf.constant(1)], "TypeError", "list indices must be integers or slices, not Tensor",
     "tf.gather(values, i)"),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(MISTAKES)))
def test_mistakes_while_building(row: int) -> None:
    act, kind, first, fix = MISTAKES[row]
    found = told(act)
    assert found[:2] == (kind, first or found[1])
    assert fix in found[2]


def test_a_configuration_is_no_target() -> None:
    _, first, _ = told(lambda: tf.Session(tf.ConfigProto()))
    assert first.endswith('Did you do "Session(config)" instead of "Session(config=config)"?')


def variable_late() -> Any:
    tf.Variable(1.0)
    init = tf.global_variables_initializer()
    return run(tf.Variable(2.0, name="late"), first=init)


IN_A_RUN: list[tuple[Callable[[], Any], str, str, str]] = [
    (variable_late, "FailedPreconditionError", "Attempting to use uninitialized value late",
     "behind the last variable"),
    (lambda: run(*tf.metrics.accuracy([1], [1])), "FailedPreconditionError",
     "Attempting to use uninitialized value accuracy/total", "sess.run(tf.local_variables_initializer())"),
    (lambda: run(tf.contrib.lookup.index_table_from_tensor(tf.constant(["a"])).lookup(tf.constant(["a"]))),
     "FailedPreconditionError", "Table not initialized.", "sess.run(tf.tables_initializer())"),
    (lambda: run(tf.data.Dataset.range(0).make_one_shot_iterator().get_next()), "OutOfRangeError", "End of sequence",
     "except tf.errors.OutOfRangeError"),
    (lambda: run(tf.data.Dataset.range(1).make_initializable_iterator().get_next()), "FailedPreconditionError",
     "GetNext() failed because the iterator has not been initialized. Ensure that you have run the initializer "
     "operation for this iterator before getting the next element.", "sess.run(iterator.initializer)"),
    (lambda: run(tf.data.Dataset.from_generator(lambda: iter([[1], [1, 2]]), tf.int32).batch(2)
                 .make_one_shot_iterator().get_next()), "InvalidArgumentError",
     "Cannot batch tensors with different shapes in component 0. First element had shape [1] and element 1 had "
     "shape [2].", "dataset.padded_batch(batch_size, shapes)"),
    (lambda: run(tf.py_func(lambda x: x.astype("float64"), [tf.ones(2)], tf.float32)), "InvalidArgumentError",
     "0-th value returned by pyfunc_0 is double, but expects float", "return x.astype(np.float32)"),
    (lambda: run(tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.placeholder_with_default([1, 3], [2]), logits=tf.ones([2, 3]))), "InvalidArgumentError",
     "Received a label value of 3 which is outside the valid range of [0, 3).  Label values: 1 3", "labels - 1"),
    (lambda: run(tf.gather([1.0, 2.0], tf.placeholder_with_default([5], [1]))), "InvalidArgumentError",
     "indices[0] = 5 is not in [0, 2)", "from 0 to 1"),
    (lambda: run(tf.read_file("none.png")), "NotFoundError", "none.png; No such file or directory",
     "names of files are looked for in the current folder"),
    (lambda: run(tf.image.decode_png(tf.constant(b"\x00not an image"))), "InvalidArgumentError",
     r"Expected image (JPEG, PNG, or GIF), got unknown format starting with '\000not an image'", "string[]"),
    (lambda: run(tf.image.decode_jpeg(tf.constant(b"\xff\xd8\xff rest"))), "InvalidArgumentError",
     "Invalid JPEG data or crop window, data size 8", ""),
    (lambda: run(tf.image.decode_png(tf.constant(b""))), "InvalidArgumentError",
     "Expected image (JPEG, PNG, or GIF), got empty file", ""),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(IN_A_RUN)))
def test_mistakes_in_a_run(row: int) -> None:
    act, kind, first, fix = IN_A_RUN[row]
    found = told(act)
    assert (found[0], re.sub(r"pyfunc_\d+", "pyfunc_0", found[1])) == (kind, first)
    assert fix in found[2]


def test_a_png_without_its_end_is_refused() -> None:
    image = tf.placeholder(tf.string, [])
    (code,) = run(tf.image.encode_png(np.zeros([4, 4, 3], np.uint8)))
    _, first, _ = told(lambda: run(tf.image.decode_png(image), feeds={image: code[:-1]}))
    assert first == f"Invalid PNG data, size {len(code) - 1}"


def saved(folder: Path, name: str, size: int) -> str:
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(tf.Variable(tf.zeros(size), name=name).initializer)
        return tf.train.Saver().save(session, str(folder / "model"))


def test_a_checkpoint_of_other_variables_says_what_it_holds(tmp_path: Path) -> None:
    path = saved(tmp_path, "kernel", 3)
    tf.Variable(tf.zeros(3), name="weights/kernel")
    with tf.Session() as session:
        _, _, rest = told(lambda: tf.train.Saver().restore(session, path))
        assert "Key weights/kernel not found in checkpoint" in rest
        assert "Why:   the checkpoint holds kernel\n  Fix:   tf.train.Saver({'kernel': variable, ...})" in rest
        tf.train.Saver({"kernel": tf.global_variables()[0]}).restore(session, path)


def test_a_checkpoint_of_other_shapes_names_the_variable(tmp_path: Path) -> None:
    path = saved(tmp_path, "w", 3)
    tf.Variable(tf.zeros(4), name="w")
    with tf.Session() as session:
        _, first, rest = told(lambda: tf.train.Saver().restore(session, path))
    assert first.startswith("Restoring from checkpoint failed. This is most likely due to a mismatch")
    assert re.search(
        rf"Why:   w has shape \[4\], and in the checkpoint \[3\]\n  Where: w was built at {__file__}:", rest
    )


def test_a_checkpoint_that_is_not_there_says_which_is(tmp_path: Path) -> None:
    path = saved(tmp_path, "w", 3)
    tf.Variable(tf.zeros(3), name="w")
    with tf.Session() as session:
        _, first, rest = told(lambda: tf.train.Saver().restore(session, path + "-100"))
    assert first == f"The passed save_path is not a valid checkpoint: {path}-100"
    assert f"Why:   there is no {path}-100.index\n  Fix:   saver.restore(sess, {path!r})" in rest


def test_a_queue_says_why_nothing_comes(tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("a\nb\n")
    names = tf.train.string_input_producer([str(tmp_path / "lines")], num_epochs=1)
    batch = tf.train.batch([tf.TextLineReader().read(names)[1]], 2)
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        kind, first, rest = told(lambda: session.run(batch))
        coordinator.request_stop()
        with pytest.raises(tf.errors.FailedPreconditionError):
            coordinator.join(threads)
    assert (kind, first.partition(" (")[0].split("'")[2]) == (
        "OutOfRangeError", " is closed and has insufficient elements",
    )  # fmt: skip
    assert "has failed with FailedPreconditionError: Attempting to use uninitialized value input_producer" in rest
    assert "Fix:   sess.run(tf.local_variables_initializer())" in rest


def test_a_run_that_would_wait_for_ever_says_so(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setattr(store, "LONG", 0.1)
    tf.get_logger().propagate = True
    batch = tf.train.batch([tf.train.string_input_producer(["a"]).dequeue()], 2)
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=500)) as session:
        kind, _, _ = told(lambda: session.run(batch))
        assert kind == "DeadlineExceededError"
        assert "Fix:   tf.train.start_queue_runners(sess)" in caplog.text
        assert f"Where: {__file__}:" in caplog.text
        caplog.clear()
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        assert session.run(batch).tolist() == [b"a", b"a"]
        coordinator.request_stop()
        coordinator.join(threads)
    assert not caplog.text


def test_who_waits_for_room_or_for_a_feeding_thread_hears_nothing(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setattr(store, "LONG", 0.05)
    tf.get_logger().propagate = True

    def slow() -> Iterator[dict[str, Any]]:
        for _ in range(8):
            time.sleep(0.1)
            yield {"x": np.ones(3)}

    features = tf.contrib.learn.io.generator_input_fn(slow, batch_size=2, shuffle=False, queue_capacity=2)()
    with tf.train.MonitoredSession() as session:
        assert session.run(features)["x"].shape == (2, 3)
        time.sleep(0.8)
    assert "waited" not in caplog.text


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("relu", "tf.nn.relu"), ("AdamOptimizer", "tf.train.AdamOptimizer"), ("train.Adam", "AdamOptimizer"),
        ("nn.placeholder", "tf.placeholder"), ("layers.dens", "dense"), ("reduce_sums", "reduce_sum"),
        ("conv2d", "tf.layers.conv2d"),
    ],
)  # fmt: skip
def test_a_name_of_another_module_is_found(name: str, meant: str) -> None:
    path, _, last = name.rpartition(".")
    module = tf
    for part in filter(None, path.split(".")):
        module = getattr(module, part)
    _, first, _ = told(lambda: getattr(module, last))
    assert first.endswith(f"has no attribute {last!r}. Did you mean {meant!r}?")


def test_the_doctor_knows_what_was_meant(tmp_path: Path, capsys: Any) -> None:
    program = "import tensorflow as tf\ntf.placehoder(tf.int32)\ntf.relu(1)\ntf.layers.dens(1)\n"
    (tmp_path / "program.py").write_text(program + "tf.train.AdamOptimizer(lr=0.1)\n")
    doctor.main([str(tmp_path / "program.py")])
    fixes = [line.split("Fix:")[1].strip() for line in capsys.readouterr().out.splitlines() if "Fix:" in line]
    assert fixes == ["tf.placeholder", "tf.nn.relu", "tf.layers.dense", "learning_rate=..."]


def test_where_no_derivative_flows_there_is_nothing_to_check(capsys: Any) -> None:
    x = tf.Variable(1.0)
    with tf.Session():
        assert "retrograd.why_none(y, x)" in str(retrograd.check_gradients(tf.constant(2.0), x))


def test_a_loss_that_keras_does_not_know() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    kind, first, rest = told(lambda: model.compile("sgd", "crossentropy"))
    assert (kind, first) == ("ValueError", "Unknown loss function:crossentropy")
    assert "one of 'categorical_crossentropy', 'sparse_categorical_crossentropy', 'binary_crossentropy'" in rest
