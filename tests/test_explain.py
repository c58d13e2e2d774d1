"""``explain_gradients`` names what is wrong with gradients, and the line; ``retrograd explain`` of a program's."""

from __future__ import annotations

import linecache
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd
from retrograd import tf

Model = Callable[[], tuple[Any, dict[Any, Any]]]
N = 32


@pytest.fixture(autouse=True)
def graph() -> Iterator[Any]:
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(3)
        yield graph


def data(*shape: int) -> Any:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def inputs(*shape: int) -> Any:
    return tf.placeholder(tf.float32, shape)


def explained(loss: Any, feeds: Any, xs: Any = None) -> Any:
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return retrograd.explain_gradients(loss, xs, feeds)


def told(explanation: Any) -> list[tuple[str, str]]:
    """The title of each finding, and the line of this file that it points to."""
    return [(f.title, linecache.getline(*f.line).strip()) for f in explanation.findings]


def fit(x: Any, h: Any) -> tuple[Any, dict[Any, Any]]:
    return tf.reduce_mean(tf.square(tf.layers.dense(h, 1, name="out") - 1.0)), {x: data(*x.shape.as_list())}


def dead_relu() -> Any:
    x = inputs(N, 5)
    low = tf.constant_initializer(-20.0)
    h = tf.layers.dense(x, 8, tf.nn.relu, bias_initializer=low, name="low")  # here
    return fit(x, tf.layers.dense(h, 8, tf.nn.relu))


def units_off() -> Any:
    x = inputs(N, 5)
    low = tf.constant_initializer([-20.0] * 6 + [0.0] * 2)
    return fit(x, tf.layers.dense(x, 8, tf.nn.relu, bias_initializer=low))  # here


def fading_layers() -> Any:
    x = h = inputs(N, 5)
    for _ in range(8):
        h = tf.layers.dense(h, 16, tf.nn.sigmoid)  # here
    return fit(x, h)


def fading_time() -> Any:
    x = inputs(4, 40, 3)
    cell = tf.nn.rnn_cell.BasicRNNCell(8)
    h, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # here
    return fit(x, h[:, -1])


def growing_layers() -> Any:
    x = h = inputs(N, 20)
    large = tf.random_normal_initializer(0.0, 3.0)
    for i in range(6):
        h = tf.nn.relu(h @ tf.get_variable(f"w{i}", [20, 20], initializer=large))  # here
    return fit(x, h)


def closed_gates() -> Any:
    x = inputs(4, 10, 3)
    h, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(8), 1000.0 * x, dtype=tf.float32)  # here
    return fit(x, h[:, -1])


def stopped() -> Any:
    x = inputs(N, 5)
    h = tf.stop_gradient(tf.layers.dense(x, 8, name="encoder"))  # here
    return fit(x, h)


def cast_to_integers() -> Any:
    x = inputs(N, 5)
    levels = tf.cast(tf.layers.dense(x, 8, name="encoder"), tf.int32)  # here
    return fit(x, tf.cast(levels, tf.float32))


def chosen_too_late() -> Any:
    x = inputs(4)
    z = x * tf.get_variable("w", [], initializer=tf.ones_initializer())
    y = tf.where(z > 0, tf.log(z), tf.zeros_like(z))  # here
    return tf.reduce_sum(y), {x: [0.0, 1.0, 2.0, 0.0]}


def logarithm_of_zero() -> Any:
    x = inputs(4)
    z = x * tf.get_variable("w", [], initializer=tf.ones_initializer())
    return tf.reduce_sum(tf.log(z)), {x: [0.0, 1.0, 2.0, 0.0]}  # here


def target_that_is_trained() -> Any:
    x = inputs(N, 5)
    online, target = (tf.layers.dense(x, 1, name=name) for name in ("online", "target"))
    a, b = tf.trainable_variables("online"), tf.trainable_variables("target")
    tf.group(*[t.assign(o) for t, o in zip(b, a, strict=True)])
    return tf.reduce_mean(tf.square(online - (1.0 + target))), {x: data(N, 5)}  # here


def every_pair() -> Any:
    x, y = inputs(N, 5), inputs(N)
    p = tf.layers.dense(x, 1)
    return tf.reduce_mean(tf.square(p - y)), {x: data(N, 5), y: data(N)}  # here


def zeros_for_weights() -> Any:
    x = inputs(N, 5)
    return fit(x, tf.nn.relu(x @ tf.get_variable("w", [5, 8], initializer=tf.zeros_initializer())))  # here


def units_alike() -> Any:
    x = inputs(N, 5)
    w = tf.get_variable("w", [5, 8], initializer=tf.constant_initializer(0.1))  # here
    ones = tf.ones_initializer()
    return tf.reduce_mean(tf.tanh(x @ w) @ tf.get_variable("v", [8, 3], initializer=ones)), {x: data(N, 5)}


def softmax_twice() -> Any:
    x, y = inputs(N, 5), tf.zeros([N], tf.int32)
    p = tf.nn.softmax(tf.layers.dense(x, 3))  # here
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=p)), {x: data(N, 5)}


WRONG: list[tuple[Model, str, str, str]] = [
    (dead_relu, "the gradient of 'low/kernel', 'low/bias'", "all outputs of 'low/Relu' (op type: Relu) are 0", "leaky"),
    (units_off, "6 of the 8 units of 'dense/Relu' (op type: Relu) are off", "for all 32 rows", "leaky_relu"),
    (fading_layers, "the gradient fades on its way back", "Most of it in Sigmoid", "tf.nn.relu"),
    (fading_time, "the gradient fades through time", "in each of 40 steps", "LSTMCell"),
    (growing_layers, "the gradient grows on its way back", "Most of it in MatMul", "glorot"),
    (closed_gates, "are at their ends in", "what lies behind hardly learns", "normalized data"),
    (stopped, "no derivative reaches 'encoder/kernel', 'encoder/bias'", "stopping it is what it is for", "itself"),
    (cast_to_integers, "no derivative reaches 'encoder/kernel'", "no derivative passes a cast", "stay in floats"),
    (chosen_too_late, "the gradient is nan: that begins with 'Log'", "0 times infinity is nan", "safe = tf.where(ok"),
    (logarithm_of_zero, "'Sum' is infinite: that begins with 'Log'", "of its 4 inputs 2 are 0", "tf.log(tf.maximum("),
    (target_that_is_trained, "'target/kernel', 'target/bias' are trained and also set", "a target", "tf.stop_gradient"),
    (every_pair, "'sub' (op type: Sub) makes [32, 32] of [32, 1] and [32]", "against every label", "labels[:, None]"),
    (zeros_for_weights, "the gradient of 'w', 'out/kernel' is 0", "multiplies by 'w', which is all zeros", "glorot"),
    (
        units_alike,
        "all units of 'w', 'v' are alike",
        "every step changes them alike",
        "tf.glorot_uniform_initializer()",
    ),
    (softmax_twice, "takes logits and is given probabilities", "went through 'Softmax'", "logits=..."),
]


@pytest.mark.parametrize(("model", "title", "why", "fix"), WRONG, ids=[m.__name__ for m, *_ in WRONG])
def test_what_is_wrong_is_named_with_its_line(model: Model, title: str, why: str, fix: str) -> None:
    explanation = explained(*model())
    found = [f for f in explanation.findings if title in f.title]
    assert found, explanation.findings
    text = str(explanation)
    assert why in text
    assert fix in found[0].fix
    assert linecache.getline(*found[0].line).rstrip().endswith("# here")
    assert f"Where: {found[0].place}" in text
    assert explanation.ok == (model is stopped)


def sound() -> Any:
    x = inputs(N, 5)
    h = tf.layers.dense(x, 16, tf.nn.relu)
    return fit(x, tf.layers.dense(h, 16, tf.nn.tanh))


def straight_through() -> Any:
    x = inputs(N, 5)
    h = tf.layers.dense(x, 16, tf.nn.tanh)
    return fit(x, h + tf.stop_gradient(tf.sign(h) - h))


def recurrent() -> Any:
    x = inputs(4, 20, 3)
    h, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(8), x, dtype=tf.float32)
    return fit(x, tf.reduce_mean(h, 1))


def residual() -> Any:
    x, h = inputs(N, 16), None
    h = x
    for _ in range(8):
        h = h + tf.layers.dense(tf.layers.dense(h, 16, tf.nn.relu), 16)
    return fit(x, h / 8.0)


def looked_up() -> Any:
    ids = tf.placeholder(tf.int32, [N])
    rows = tf.nn.embedding_lookup(tf.get_variable("table", [50, 8], use_resource=True), ids)
    return tf.reduce_mean(tf.square(tf.layers.dense(rows, 1))), {ids: np.arange(N)}


def convolved() -> Any:
    x = inputs(4, 8, 8, 3)
    h = tf.layers.max_pooling2d(tf.layers.conv2d(x, 8, 3, activation=tf.nn.relu), 2, 2)
    return fit(x, tf.layers.flatten(tf.layers.batch_normalization(h, training=True)))


@pytest.mark.parametrize("model", [sound, straight_through, recurrent, residual, looked_up, convolved])
def test_of_what_is_right_nothing_is_said(model: Model) -> None:
    explanation = explained(*model())
    assert explanation.findings == ()
    assert "nothing wrong is seen" in str(explanation)
    assert all(w.gradient is not None and w.value is not None for w in explanation.way.weights)


def test_each_line_has_its_value_and_its_gradient() -> None:
    x = inputs(3)
    w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
    y = x * w
    loss = tf.reduce_sum(tf.square(y))
    explanation = explained(loss, {x: [0.0, 3.0, 4.0]})
    rows = {line.text: line.main for line in explanation.way.lines}
    product = rows["y = x * w"]
    assert product.value.rms == pytest.approx(5 / 3**0.5)
    assert product.gradient.norm == pytest.approx(10.0)
    assert rows["loss = tf.reduce_sum(tf.square(y))"].value.norm == pytest.approx(25.0)
    (weight,) = explanation.way.weights
    assert weight.gradient.norm == pytest.approx((18.0**2 + 32.0**2) ** 0.5)


def test_steps_of_a_loop_are_told_in_their_order() -> None:
    x = tf.get_variable("x", [], initializer=tf.ones_initializer())
    y = tf.while_loop(lambda i, v: i < 10, lambda i, v: (i + 1, v * 0.5), [0, x])[1]
    explanation = explained(y, {})
    (line,) = (line for line in explanation.way.lines if line.series)
    assert line.series == pytest.approx([0.5**k for k in range(9, -1, -1)])


def test_variables_that_are_left_out_are_noted() -> None:
    x = inputs(N, 5)
    loss, feeds = fit(x, tf.layers.dense(x, 8, tf.nn.tanh, name="encoder"))
    explanation = explained(loss, feeds, tf.trainable_variables("out"))
    assert [title for title, _ in told(explanation)] == ["'encoder/kernel', 'encoder/bias' are not trained"]
    assert explanation.ok


def test_what_it_needs_is_said() -> None:
    x = inputs(3)
    with pytest.raises(ValueError, match="needs a session"):
        retrograd.explain_gradients(tf.reduce_sum(x), x)
    with tf.Session(), pytest.raises(ValueError, match="No variables"):
        retrograd.explain_gradients(tf.reduce_sum(x))
    y = tf.reduce_sum(x)
    tf.get_default_graph().finalize()
    with tf.Session(), pytest.raises(RuntimeError, match="Graph is finalized") as caught:
        retrograd.explain_gradients(y, x, {x: [1.0, 2.0, 3.0]})
    assert "retrograd explain PROGRAM.py" in caught.value.__notes__[0]


class _Balanced(HTMLParser):
    """Finds elements that are not closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.names += [value for key, value in attrs if key == "id"]
        if tag not in ("meta", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == "rect" or self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("model", [dead_relu, fading_time, chosen_too_late, cast_to_integers])
def test_a_page_shows_program_and_findings(model: Model, tmp_path: Path) -> None:
    explanation = explained(*model())
    explanation.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    parser = _Balanced()
    parser.feed(page)
    assert not parser.open
    words = "".join(parser.words)
    assert all(f.title in words and f.why in words for f in explanation.findings)
    assert all(linecache.getline(*f.line).strip() in words for f in explanation.findings)
    assert "http" not in page
    assert explanation._repr_html_() in page


PROGRAM = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [8, 3])
w = tf.Variable(tf.ones([3, 2]), name="w")
unseen = tf.Variable(tf.ones([2]), name="unseen")
h = tf.matmul(x, w) * unseen
loss = tf.reduce_mean(tf.log(tf.maximum(1.0, h) - 1.0))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[w])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(100):
        sess.run([train, loss], {x: np.full([8, 3], 1.0 if i < 4 else 0.1)})
        print("step", i)
"""


def run(folder: Path, *args: str) -> Any:
    (folder / "train.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "retrograd", "explain", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_program_is_explained(tmp_path: Path) -> None:
    done = run(tmp_path, "--steps", "10", "--page", "page.html", "train.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert "step 8\n\ngradients of 'Mean' (train.py:7), run 5: 3 problems\n" in done.stdout
    assert "'Mean' is infinite: that begins with 'Log' (op type: Log)" in done.stdout
    assert "of its 16 inputs 16 are 0" in done.stdout
    assert "'unseen' is not trained" in done.stdout
    assert "train.py:7\n" in done.stdout
    assert "tf.log(tf.maximum(1.0, h) - 1.0)" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "explain needs a program:  retrograd explain SCRIPT.py [ARGS...]"),
        (["--steps", "few", "train.py"], "--steps takes a number, as in  --steps 100, but got 'few'"),
        (["--pages", "x", "train.py"], "explain has no option '--pages'"),
        (["--page", "/there/is/none.html", "train.py"], "--page: there is no folder '/there/is'"),
        (["--page"], "--page needs a value:  retrograd explain --page gradients.html SCRIPT.py"),
    ],
)
def test_a_wrong_command_is_answered(args: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    from retrograd import cli

    assert cli.main(["explain", *args]) == 2
    assert words in capsys.readouterr().err


def test_a_step_of_an_optimizer_by_hand_is_no_copy() -> None:
    x = inputs(N, 5)
    loss, feeds = fit(x, tf.layers.dense(x, 8, tf.nn.tanh))
    weights = tf.trainable_variables()
    tf.group(*[w.assign_sub(0.1 * dw) for w, dw in zip(weights, tf.gradients(loss, weights), strict=True)])
    assert explained(loss, feeds).findings == ()


def test_findings_of_one_page_have_names_of_their_own(tmp_path: Path) -> None:
    from retrograd.explain.explanation import save

    explanation = explained(*dead_relu())
    save([explanation, explanation], tmp_path / "page.html")
    parser = _Balanced()
    parser.feed((tmp_path / "page.html").read_text())
    assert parser.names == ["finding-1-1", "finding-2-1"]


def test_the_example_has_four_mistakes() -> None:
    example = Path(__file__).parents[1] / "examples" / "gradient_mistakes.py"
    command = [sys.executable, "-m", "retrograd", "explain", "--steps", "3", str(example)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^\d\. (.*?)(?:: .*)?$", printed, re.MULTILINE) == [
        "no derivative reaches 'mask'",
        "the gradient fades on its way back",
        "'sparse_softmax_cross_entropy_loss/xentropy/xentropy' takes logits and is given probabilities",
        "'scale' is not trained",
    ]
    assert re.findall(r"Where: .*gradient_mistakes.py:(\d+)", printed) == ["20", "22", "24", "23"]
