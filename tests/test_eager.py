"""Eager execution: what programs show, beside what TensorFlow 1.15.5 showed; what is kept, and what is not."""

from __future__ import annotations

import contextlib
import gc
import itertools
import json
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import eager_cases

from retrograd import tf
from retrograd.eager import monitoring, tapes
from retrograd.eager.context import eager_mode
from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import graph_of_models
from retrograd.run.program import is_compiling

RECORDED = json.loads((Path(__file__).parent / "golden" / "eager.json").read_text())
tfe = tf.contrib.eager


@pytest.fixture(autouse=True)
def eager() -> Iterator[None]:
    """Run a test eagerly, as at the start of a program."""
    graph = eager_graph()
    graph.notes.clear()
    graph.seed = None
    graph.forget()
    graph_of_models.cache_clear()
    with eager_mode():
        yield


@pytest.mark.parametrize("name", sorted(eager_cases.PROGRAMS))
def test_programs_show_what_they_showed_under_tensorflow(name: str) -> None:
    found = eager_cases.shown(tf, eager_cases.PROGRAMS[name])
    differing = [pair for pair in itertools.zip_longest(RECORDED[name], found) if pair[0] != pair[1]]
    known = "must be a string or a number"  # Python's own words, of another version
    assert [pair for pair in differing if known not in pair[0]] == []


# -- modes -------------------------------------------------------------------------------------


def run(program: str) -> str:
    code = "import retrograd.hook\nretrograd.hook.install()\nimport tensorflow as tf\n" + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_enabling() -> None:
    shown = run(
        """
        tf.enable_eager_execution()
        tf.enable_eager_execution()
        print(tf.executing_eagerly(), tf.constant(1) + 1)
        with tf.Graph().as_default():
            print(tf.executing_eagerly(), tf.constant(1))
        with tf.get_default_graph().as_default():
            x = tf.placeholder(tf.float32)
            print(tf.Session().run(x * 2.0, {x: 3.0}))
        import threading
        thread = threading.Thread(target=lambda: print(tf.executing_eagerly()))
        thread.start(); thread.join()
        """
    )
    assert shown.splitlines() == [
        "True tf.Tensor(2, shape=(), dtype=int32)",
        'False Tensor("Const:0", shape=(), dtype=int32)',
        "6.0",
        "True",
    ]


def test_enabling_too_late_says_so() -> None:
    shown = run(
        """
        tf.constant(1)
        try:
            tf.enable_eager_execution()
        except ValueError as error:
            print(error, error.__notes__)
        """
    )
    assert "tf.enable_eager_execution must be called at program startup." in shown
    assert "Fix:   call it right after  import tensorflow as tf" in shown


def test_graphs_inside() -> None:
    x = tf.constant(1.0)
    graph = tf.Graph()
    with graph.as_default():
        y = tf.constant(2.0)
        with pytest.raises(RuntimeError, match="Attempting to capture an EagerTensor without building a function"):
            tf.add(x, 1.0)
    with pytest.raises(TypeError, match='"Graph" tensor'):
        tf.identity(y)
    with tf.Session(graph=graph) as session:
        assert session.run(y) == 2.0
    with pytest.raises(RuntimeError, match="The Session graph is empty"):
        tf.Session().run(x)


def test_errors_have_the_line() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    assert f"Where: {__file__}" in str(caught.value)


# -- what is kept ------------------------------------------------------------------------------


def objects() -> int:
    while is_compiling():  # what another test began
        time.sleep(0.01)
    gc.collect()
    return len(gc.get_objects())


def test_nothing_is_kept_without_a_tape() -> None:
    v, x = tf.Variable(1.0), tf.ones([3])

    def step() -> None:
        y = tf.reduce_sum(tf.nn.relu(x * v) + 1.0)
        v.assign(y * 0.0 + 1.0)
        with tf.GradientTape() as tape:
            z = v * v
        tape.gradient(z, v)

    for _ in range(3):
        step()
    before = objects()
    for _ in range(200):
        step()
    assert objects() - before < 50
    assert not tapes.stack.active


def test_a_variable_goes_with_its_object() -> None:
    gc.collect()  # what other tests have left
    cells = eager_graph().store.cells
    before = len(cells)
    v = tf.Variable(tf.ones([4]))
    assert len(cells) == before + 1
    del v
    gc.collect()
    assert len(cells) == before


def test_tensors_are_values() -> None:
    array = np.ones(3)
    x = tf.constant(array)
    array[0] = 5
    x.numpy()[1] = 5
    assert x.numpy().tolist() == [1, 1, 1]


# -- training ----------------------------------------------------------------------------------


class Net(tf.keras.Model):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, activation="relu")
        self.out = tf.keras.layers.Dense(2)

    def call(self, x: Any) -> Any:
        return self.out(self.hidden(x))


def data() -> tuple[Any, Any]:
    x = np.random.RandomState(0).rand(64, 4).astype(np.float32)
    return x, (x.sum(1) > 2).astype(np.int32)


def test_a_loop_of_ones_own_and_fit_change_the_same_variables() -> None:
    """The numbers are those of TensorFlow 1.15.5, which were printed by the same program."""
    tf.set_random_seed(1)
    x, y = data()
    model, optimizer = Net(), tf.train.AdamOptimizer(0.01)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.losses.sparse_softmax_cross_entropy(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    assert abs(float(loss) - 0.67334944) < 1e-6
    assert [v.name for v in model.variables] == [
        "net/dense/kernel:0", "net/dense/bias:0", "net/dense_1/kernel:0", "net/dense_1/bias:0",
    ]  # fmt: skip
    model.compile(
        tf.train.AdamOptimizer(0.01), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"]
    )
    history = model.fit(x, y, epochs=2, batch_size=16, verbose=0, shuffle=False).history
    np.testing.assert_allclose(history["loss"], [0.6681624501943588, 0.6498459875583649], rtol=1e-5)
    np.testing.assert_allclose(history["acc"], [0.6875, 0.734375])
    np.testing.assert_allclose(model(x[:2]).numpy(), model.predict(x[:2]), rtol=1e-5)
    assert abs(model.evaluate(x, y, verbose=0)[0] - 0.6394498646259308) < 1e-5


def test_models_of_inputs_and_datasets() -> None:
    x, y = data()
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(8, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(2, activation="softmax")]
    )
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
    losses = model.fit(batches, epochs=3, verbose=0).history["loss"]
    assert losses[2] < losses[0]
    given = tf.keras.Input([4])
    functional = tf.keras.Model(given, tf.nn.relu(tf.keras.layers.Dense(3)(given)) * 2.0)
    np.testing.assert_allclose(functional(x[:3]).numpy(), functional.predict(x[:3]), rtol=1e-5)


def test_optimizers_of_keras() -> None:
    v = tf.Variable([1.0, 2.0])
    optimizer = tf.keras.optimizers.Adam(0.01)
    optimizer.minimize(lambda: tf.reduce_sum(v * v), [v])
    np.testing.assert_allclose(v.numpy(), [0.99, 1.99], rtol=1e-6)
    assert optimizer.iterations.numpy() == 1


def test_networks() -> None:
    class Two(tfe.Network):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.one = self.track_layer(tf.layers.Dense(3, activation=tf.nn.relu))
            self.two = self.track_layer(tf.layers.Dense(1))

        def call(self, x: Any) -> Any:
            return self.two(self.one(x))

    x = np.random.RandomState(0).rand(16, 2).astype(np.float32)
    net, optimizer = Two(), tf.train.GradientDescentOptimizer(0.1)
    loss = tfe.implicit_value_and_gradients(lambda: tf.reduce_mean((net(x) - 1.0) ** 2))
    first, pairs = loss()
    assert [v.name for _, v in pairs] == [
        "two/dense/kernel:0", "two/dense/bias:0", "two/dense_1/kernel:0", "two/dense_1/bias:0",
    ]  # fmt: skip
    for _ in range(20):
        optimizer.apply_gradients(loss()[1])
    assert float(loss()[0]) < float(first)
    with pytest.raises(RuntimeError, match="add_variable is not supported in Network"):
        net.add_variable("v", [])
    with pytest.raises(TypeError, match=r"not a tf\.layers\.Layer"):
        net.track_layer(3)


# -- files -------------------------------------------------------------------------------------


def test_savers(tmp_path: Any) -> None:
    v = tf.Variable([1.0, 2.0], name="v")
    saver = tfe.Saver([v])
    path = saver.save(str(tmp_path / "model"), global_step=3)
    assert path.endswith("model-3")
    v.assign([0.0, 0.0])
    saver.restore(path)
    assert v.numpy().tolist() == [1, 2]
    assert tf.train.load_variable(path, "v").tolist() == [1, 2]
    with tfe.restore_variables_on_create(path):
        assert tf.get_variable("v", [2]).numpy().tolist() == [1, 2]


def test_a_saver_makes_one_folder(tmp_path: Any) -> None:
    saver = tf.train.Saver([tf.Variable(1.0)])
    assert tf.train.checkpoint_exists(saver.save(None, str(tmp_path / "one" / "model")))
    with pytest.raises(ValueError, match=r"Parent directory of .* doesn't exist, can't save"):
        saver.save(None, str(tmp_path / "two" / "x" / "model"))


def test_checkpoints_restore_what_is_made_later(tmp_path: Any) -> None:
    x, y = data()

    def trained(steps: int, net: Any, optimizer: Any) -> float:
        for _ in range(steps):
            optimizer.minimize(lambda: tf.losses.sparse_softmax_cross_entropy(y, net(x)))
        return float(tf.losses.sparse_softmax_cross_entropy(y, net(x)))

    net, optimizer = Net(), tf.train.AdamOptimizer(0.01)
    trained(3, net, optimizer)
    path = tf.train.Checkpoint(net=net, optimizer=optimizer).save(str(tmp_path / "ckpt"))
    wanted = trained(3, net, optimizer)
    again, other = Net(), tf.train.AdamOptimizer(0.01)
    status = tf.train.Checkpoint(net=again, optimizer=other).restore(path)
    assert abs(trained(3, again, other) - wanted) < 1e-6
    status.assert_consumed()


# -- functions ---------------------------------------------------------------------------------


def test_functions_give_what_their_python_gives() -> None:
    v = tf.Variable(2.0)

    @tf.function
    def f(x: Any, flag: bool = True) -> Any:
        v.assign_add(1.0)
        return {"y": x * v if flag else x}

    assert f(tf.constant(3.0))["y"].numpy() == 9.0
    assert f(tf.constant(3.0))["y"].numpy() == 12.0
    assert f(3.0, flag=False)["y"] is not None
    assert v.numpy() == 5.0


def test_a_function_that_looks_at_values_runs_as_it_is() -> None:
    calls = []

    @tf.function
    def f(x: Any) -> Any:
        calls.append(x)
        return x * 2.0 if float(x.numpy()) > 0 else -x

    assert f(tf.constant(-3.0)).numpy() == 3.0
    assert f(tf.constant(3.0)).numpy() == 6.0
    assert len(calls) == 3  # the first time it was tried to trace it

    @tf.function
    def g(x: Any) -> Any:
        calls.append(x)
        return x * x

    calls.clear()
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = g(x)
    assert tape.gradient(y, x).numpy() == 6.0
    assert [g(x).numpy() for _ in range(3)] == [9.0] * 3
    assert len(calls) == 2  # under the tape, and to trace it


def test_a_traced_step_trains_the_same_variables() -> None:
    x, y = data()

    def losses(wrapped: Any) -> list[float]:
        tf.set_random_seed(1)
        net, optimizer = Net(), tf.train.AdamOptimizer(0.01)

        def step(x: Any, y: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=net(x)))
            gradients = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(gradients, net.trainable_variables, strict=True))
            return loss

        step(x, y)  # makes the variables
        step = wrapped(step)
        found = [float(step(x, y)) for _ in range(5)]
        return [*found, float(tf.reduce_sum(net(x)))]

    np.testing.assert_allclose(losses(tf.function), losses(lambda step: step), rtol=1e-5)


def test_traced_functions_draw_from_the_seed() -> None:
    f = tf.function(lambda: tf.random_uniform([2]))
    drawn = []
    for _ in range(2):
        tf.set_random_seed(1)
        f = tf.function(lambda: tf.random_uniform([2]))
        drawn.append([f().numpy().tolist(), f().numpy().tolist()])
    assert drawn[0] == drawn[1]
    assert drawn[0][0] != drawn[0][1]


def test_dtypes_that_no_op_takes_are_told_as_in_graphs() -> None:
    with pytest.raises(
        TypeError, match="Value passed to parameter 'x' has DataType int32 not in list of allowed values"
    ):
        tf.sqrt(tf.constant(1))
    with pytest.raises(
        TypeError, match=r"Tensors in list passed to 'inputs' of 'AddN' Op have types \[int32, float32\]"
    ):
        tf.add_n([tf.constant(1), tf.constant(1.0)])


def test_devices_change_nothing() -> None:
    with tf.device("/gpu:0"):
        x = tf.ones([2])
    assert x.device == "/job:localhost/replica:0/task:0/device:CPU:0"
    assert x.cpu() is x
    with pytest.raises(RuntimeError, match="GPU:0 unknown device"):
        x.gpu()


def test_summaries_are_written_at_steps(tmp_path: Any) -> None:
    step = tf.train.get_or_create_global_step()
    assert tf.train.get_or_create_global_step() is step
    writer = tf.contrib.summary.create_file_writer(str(tmp_path))
    tf.contrib.summary.scalar("lost", 0.0)
    with writer.as_default(), tf.contrib.summary.record_summaries_every_n_global_steps(2):
        for i in range(3):
            step.assign(i)
            tf.contrib.summary.scalar("loss", float(i))
        with tf.contrib.summary.never_record_summaries():
            tf.contrib.summary.scalar("lost", 0.0)
        with tf.contrib.summary.always_record_summaries():
            tf.contrib.summary.histogram("weights", tf.ones([3]), step=7)
    (path,) = tmp_path.iterdir()
    events = [(e.step, v.tag) for e in tf.train.summary_iterator(str(path)) for v in e.summary.value]
    assert events == [(0, "loss"), (2, "loss"), (7, "weights")]
    with pytest.raises(RuntimeError, match=r"tf\.summary\.FileWriter is not compatible with eager execution"):
        tf.summary.FileWriter(str(tmp_path))


def test_metrics_write_summaries_of_their_results(tmp_path: Any) -> None:
    """As TensorFlow 1.15.5 does: at the global step, under the name of the metric."""
    mean, share = tfe.metrics.Mean("mean"), tfe.metrics.BinaryAccuracy(0.5)
    mean([1.0, 5.0])
    share([1.0], [1.0])
    tf.train.get_or_create_global_step().assign(7)
    writer = tf.contrib.summary.create_file_writer(str(tmp_path))
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        assert mean.result().numpy() == 3.0
        share.result()
        mean.result(write_summary=tf.constant(False))
    (path,) = tmp_path.iterdir()
    found = [(e.step, v.tag, v.simple_value) for e in tf.train.summary_iterator(str(path)) for v in e.summary.value]
    assert found == [(7, "mean", 3.0), (7, "BinaryAccuracy", 1.0)]


@pytest.mark.parametrize("at_once", [True, False])
def test_metrics_are_saved_with_what_holds_them(at_once: bool, tmp_path: Any) -> None:
    """As TensorFlow 1.15.5 does; the variables that are built later take what waits for them."""
    with contextlib.nullcontext() if at_once else tf.Graph().as_default():
        evaluate = tf.test.TestCase().evaluate
        mean = tfe.metrics.Mean()
        mean.build()
        numerator = mean.numer
        with contextlib.nullcontext() if at_once else tf.Session().as_default():
            evaluate(mean.init_variables())
            evaluate(mean([100.0, 200.0]))
            assert mean.numer is numerator
            path = tf.train.Checkpoint(mean=mean).save(str(tmp_path / "ckpt"))
            assert [k for k, _ in tf.train.list_variables(path) if k.startswith("mean")] == [
                "mean/denom/.ATTRIBUTES/VARIABLE_VALUE", "mean/numer/.ATTRIBUTES/VARIABLE_VALUE",
            ]  # fmt: skip
            other = tfe.metrics.Mean()
            status = tf.train.Checkpoint(mean=other).restore(path)
            more = other(300.0)
            status.assert_consumed().run_restore_ops()
            evaluate(more)
            assert evaluate(other.value()) == 200.0


def test_names_of_networks_are_those_that_no_scope_has() -> None:
    """As TensorFlow 1.15.5 says and names."""

    class Net(tfe.Network):  # type: ignore[misc, name-defined]
        def __init__(self, name: str | None = None, layer: Any = None) -> None:
            super().__init__(name=name)
            self.layer = self.track_layer(layer or tf.layers.Dense(1, use_bias=False))

        def call(self, inputs: Any) -> Any:
            return self.layer(inputs)

    one = tf.ones([1, 1])
    Net()(one)
    around = tf.get_variable_scope()
    with tf.variable_scope("o") as scope:
        with pytest.raises(ValueError, match="VariableScopes are not valid Network names"):
            Net(name=scope)
        named, first = Net(name="named"), Net()
    with tf.variable_scope("x"), tf.variable_scope(around), tf.variable_scope("o"):
        for name in ("net_1", "named"):
            with tf.variable_scope(name):
                pass
        second = Net()
    with pytest.raises(ValueError, match=r"'named' already exists \(or a variable_scope was created with this name\)"):
        named(one)
    for net, name in ((first, "o/net"), (second, "o/net_2")):
        net(one)
        assert net.name == name
    with pytest.raises(AttributeError, match="cannot mark Network as not trainable"):
        net.trainable = False
    owner = Net()
    other = Net(layer=owner.layer)
    del owner
    gc.collect()
    with pytest.raises(
        ValueError, match="Layer added to Network net_1 was garbage collected before the Layer was built"
    ):
        other(one)


def test_infinities_are_found_where_they_come_up() -> None:
    seen: list[str] = []
    tfe.add_execution_callback(lambda op_type, name, attrs, inputs, outputs: seen.append(op_type))
    tf.ones([2]) + 1.0
    tfe.clear_execution_callbacks()
    tf.ones([2]) + 1.0
    assert seen.count("AddV2") == 1
    found = pytest.raises(Exception, match=r"Output 1 of 1 of TFE operation Log \(name: None\) contains 1 inf\(s\)")
    with tfe.errstate(inf_or_nan="raise"), found:
        tf.log(0.0)
    assert np.isinf(tf.log(0.0).numpy())


def test_collections_of_the_program() -> None:
    tf.add_to_collection("mine", 3)
    assert tf.get_collection("mine") == [3]
    tf.Variable(1.0)
    assert tf.trainable_variables() == []


def test_python_functions_have_derivatives_in_graphs_too() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(3.0)
        y = tf.py_function(lambda a: a * a + 1.0 if float(a) > 0 else -a, [x], tf.float32)
        (dx,) = tf.gradients(y, [x])
        assert session.run([y, dx]) == [10.0, 6.0]


def test_arrays_that_memory_cannot_hold() -> None:
    what = r"OOM when allocating tensor with shape\[16777216,16777216\] and type float .* \[Op:Mul\]"
    with pytest.raises(tf.errors.ResourceExhaustedError, match=what):
        tf.ones([2**24, 1]) * tf.ones([1, 2**24])


def test_shapes_of_random_tensors_may_be_large() -> None:
    assert tf.random.uniform([2**32 + 1, 0]).shape == (2**32 + 1, 0)


def test_a_program_keeps_counts_of_itself():
    counter = monitoring.Counter("test/runs", "How often.", "kind")
    counter.get_cell("a").increase_by(2)
    counter.get_cell("a").increase_by(3)
    assert (counter.get_cell("a").value(), counter.get_cell("b").value()) == (5, 0)
    with pytest.raises(ValueError, match=r"^The Counter expects taking 1 labels$"):
        counter.get_cell()
    with pytest.raises(tf.errors.AlreadyExistsError, match="Another metric with the same name already exists"):
        monitoring.Counter("test/runs", "Again.")
    with pytest.raises(ValueError, match=r"^Cannot create BoolGauge metric with label >= 3$"):
        monitoring.BoolGauge("test/much", "Too much.", "a", "b", "c")
    gauge = monitoring.StringGauge("test/phase", "What it does.")
    assert gauge.get_cell().value() == ""
    gauge.get_cell().set("training")
    assert gauge.get_cell().value() == "training"
    sampler = monitoring.Sampler("test/times", monitoring.ExponentialBuckets(1.0, 2.0, 2), "How long.")
    for value in (1.0, 0.5, 2.0, 5e9):
        sampler.get_cell().add(value)
    found = sampler.get_cell().value()
    assert ([*found.bucket], found.min, found.max, found.num) == ([1, 1, 2], 0.5, 5e9, 4)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: tf.constant(1) + 1.5, tf.errors.InvalidArgumentError,
         "cannot compute AddV2 as input #1(zero-based) was expected to be a int32 tensor but is a float tensor "
         "[Op:AddV2] name: add/"),
        (lambda: tf.matmul(tf.ones([1, 1]), tf.ones([1, 1], tf.float64)), tf.errors.InvalidArgumentError,
         "cannot compute MatMul as input #1(zero-based) was expected to be a float tensor but is a double tensor"),
        (lambda: tf.constant(1) < 1.5, TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32"),
        (lambda: tf.constant([1.5, 2], tf.int64), TypeError, "Cannot convert [1.5, 2] to EagerTensor of dtype int64"),
        (lambda: tf.constant([1, [2]]), ValueError, "Can't convert Python sequence with mixed types to Tensor."),
        (lambda: tf.constant([1, "a"]), ValueError, "Can't convert Python sequence with mixed types to Tensor."),
        (lambda: tf.constant([[1, 2], [3]]), ValueError, "Can't convert non-rectangular Python sequence to Tensor."),
        (lambda: tf.constant(2**70), ValueError, "Can't convert Python sequence with out-of-range integer to Tensor."),
        (lambda: tf.constant(10**400, tf.float64), ValueError, "Can't convert Python sequence with out-of-range"),
        (lambda: tf.constant([None]), ValueError,
         "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor."),
        (lambda: tf.constant([1, 2, 3], shape=[2]), TypeError,
         "Eager execution of tf.constant with unsupported shape (value has 3 elements, shape is (2,) with 2 elem"),
    ],
)  # fmt: skip
def test_what_has_another_type_is_refused(make: Any, error: type[Exception], message: str) -> None:
    with eager_mode(), pytest.raises(error, match=re.escape(message)):
        make()


def test_dimensions_are_numbers() -> None:
    with eager_mode():
        assert tf.constant([tf.Dimension(1), tf.Dimension(2)]).numpy().tolist() == [1, 2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (tf.add_check_numerics_ops, r"add_check_numerics_ops\(\) is not compatible with eager execution"),
        (tf.summary.merge_all, r"Merging tf.summary.\* ops is not compatible with eager execution"),
        (lambda: tf.summary.merge([]), r"Merging tf.summary.\* ops is not compatible with eager execution"),
    ],
)
def test_what_needs_a_graph_says_so(call: Any, message: str) -> None:
    with eager_mode(), pytest.raises(RuntimeError, match=message):
        call()


def test_unnamed_resources_of_equal_attributes_are_one(eager: None) -> None:
    """As TensorFlow's kernels are kept; what its classes make is nobody else's."""
    from retrograd.tf.python.ops import gen_data_flow_ops, gen_lookup_ops

    kinds = {"key_dtype": tf.string, "value_dtype": tf.float32}
    one, same = (gen_lookup_ops.mutable_hash_table_v2(**kinds, name=name) for name in ("a", "b"))
    other = gen_lookup_ops.mutable_hash_table_v2(**kinds, container="c")
    gen_lookup_ops.lookup_table_insert_v2(one, tf.constant("k"), tf.constant(1.0))
    assert [gen_lookup_ops.lookup_table_size_v2(t).numpy() for t in (one, same, other)] == [1, 1, 0]
    queues = [gen_data_flow_ops.fifo_queue_v2([tf.float32]) for _ in range(2)]
    gen_data_flow_ops.queue_enqueue_v2(queues[0], [tf.constant(1.0)])
    assert gen_data_flow_ops.queue_size_v2(queues[1]).numpy() == 1
    for shared_name in (None, "q"):
        queues = [tf.queue.FIFOQueue(3, [tf.float32], shared_name=shared_name) for _ in range(2)]
        queues[0].enqueue(1.0)
        assert [q.size().numpy() for q in queues] == [1, 0]
    tables = [tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [value]), -1) for value in (1, 5)]
    assert [t.lookup(tf.constant("a")).numpy() for t in tables] == [1, 5]


def test_tensors_of_a_graph_are_refused_where_ops_run_at_once() -> None:
    kept = []

    @tf.function
    def leaking():
        kept.append(tf.constant(1.0) + 1.0)
        return kept[0]

    concrete = leaking.get_concrete_function()
    assert float(concrete()) == 2
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="other")
    variable = tf.Variable(1.0)
    uses = [
        lambda x: x + 1.0,
        lambda x: tf.concat([[1.0], [x]], 0),
        variable.assign,
        lambda x: variable + x,
        tf.function(lambda: other + 1.0).get_concrete_function,
    ]
    for x in (kept[0], other):
        for use in uses[:4]:
            with pytest.raises(TypeError, match="An op outside of the function building code is being passed"):
                use(x)
    with pytest.raises(TypeError, match="The graph tensor has name: other:0"):
        tf.function(lambda: other + 1.0)()
    with pytest.raises(TypeError, match="The graph tensor has name: other:0"):
        uses[4]()()


def test_parts_of_wrapped_functions_take_arguments_by_their_places() -> None:
    wrap = tf.compat.v1.wrap_function
    wrapped = wrap(lambda a, b: (a + b, a / b), [tf.TensorSpec([], tf.float32)] * 2)
    a, b = wrapped.inputs
    assert float(wrapped.prune([b, a], wrapped.outputs[1])(tf.constant(4.0), tf.constant(1.0))) == 0.25
    both = wrapped.prune([a, b], {"sum": wrapped.outputs[0], "none": a.op})(tf.constant(4.0), tf.constant(1.0))
    assert both["none"] is None
    assert float(both["sum"]) == 5

    def stateful(x, adds):
        state = tf.Variable(5.0, name="state")
        with tf.control_dependencies([state.assign_add(x) if adds else state.assign_sub(x)]):
            return state.read_value()

    add, sub = (wrap(stateful, [tf.TensorSpec([], tf.float32), adds]) for adds in (True, False))
    assert [float(f(1.0)) for f in (add, add, sub)] == [6, 7, 4]
    assert [v.name for v in add.graph.variables] == ["state:0"]


def test_what_a_wrapped_function_captured_is_no_argument_of_its_parts() -> None:
    x, v = tf.constant(1.0), tf.Variable(2.0)
    wrapped = tf.compat.v1.wrap_function(lambda z: v * tf.Variable(3.0) * z, [tf.TensorSpec([], tf.float32)])
    part = wrapped.prune(wrapped.inputs, wrapped.outputs[0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = part(x)
    assert [float(dx) for dx in tape.gradient(y, [x, v, wrapped.variables[0]])] == [6, 3, 2]
    v.assign(5.0)
    assert float(part(tf.constant(2.0))) == 30


def test_a_missing_argument_of_a_concrete_function_is_named_beside_those_that_are_there() -> None:
    spec = tf.TensorSpec([], tf.float32)
    concrete = tf.function(lambda x, y: x + y).get_concrete_function(spec, spec)
    with pytest.raises(TypeError, match=r"got values for \['x'\]. Missing: \['y'\]"):
        concrete(tf.constant(1.0))


def test_creators_around_and_inside_of_functions_make_their_variables() -> None:
    made = []

    def creator(next_creator, **kwargs):
        made.append(kwargs["name"])
        return next_creator(**kwargs)

    def piece():
        with tf.variable_creator_scope(creator):
            return tf.layers.dense(tf.ones([1, 2]), 2, name="inside")

    tf.compat.v1.wrap_function(piece, [])
    assert made == ["inside/kernel", "inside/bias"]
    kept = []
    with tf.variable_creator_scope(creator):
        tf.function(lambda: kept.append(tf.Variable(1.0, name="outside")) if not kept else None)()
    assert made[2:] == ["outside"]
    tf.Variable(1.0, name="later")
    assert made[2:] == ["outside"]


def test_the_collections_of_a_wrapped_function_list_its_variables() -> None:
    seen = []

    def piece(x):
        w = tf.get_variable("w", [2])
        b = tf.get_variable("b", [2], trainable=False)
        seen.extend(v.name for v in tf.trainable_variables())
        return w * x + b

    graph = tf.compat.v1.wrap_function(piece, [tf.TensorSpec([2], tf.float32)]).graph
    assert seen == ["w:0"]
    assert [v.name for v in graph.get_collection("variables")] == ["w:0", "b:0"]
    assert [v.name for v in graph.variables] == ["w:0", "b:0"]


# -- what an op costs --------------------------------------------------------------------------


def calls_made(function: Callable[[], Any]) -> int:
    """How many functions of Python a call calls, when it is called again."""
    count = -1

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    function()
    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def test_an_op_at_once_takes_few_calls() -> None:
    x = tf.constant(np.ones((3, 3), np.float32))
    assert calls_made(lambda: tf.constant(1.0)) < 20
    assert calls_made(lambda: tf.multiply(x, x)) < 35
    assert calls_made(lambda: x * 2.0) < 60
    assert calls_made(lambda: tf.losses.mean_squared_error(x, x)) < 500


@pytest.mark.parametrize("weight", [0.0, 2.0, 1])
def test_losses_at_once_are_those_of_graphs(weight: float) -> None:
    labels, predictions = np.float32([[1, 2], [3, 4]]), np.float32([[1, 3], [0, 4]])
    for given in (weight, tf.constant(weight, tf.float32)):
        at_once = tf.losses.mean_squared_error(labels, predictions, given).numpy()
        with tf.Graph().as_default(), tf.Session() as sess:
            assert at_once == sess.run(tf.losses.mean_squared_error(labels, predictions, weight))
    with pytest.raises(ValueError, match="None"):
        tf.losses.mean_squared_error(labels, predictions, None)


def test_kernels_that_fail_leave_the_warnings_of_numpy_as_they_were() -> None:
    before = np.geterr()
    assert np.isinf(tf.exp(tf.constant(1e9)).numpy())
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    assert np.isinf(tf.exp(tf.constant(1e9)).numpy())
    assert np.geterr() == before


@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (3,)), ((), (2, 3)), ((1,), ())])
@pytest.mark.parametrize("op", ["maximum", "minimum", "multiply", "divide", "squared_difference", "pow", "floormod"])
def test_gradients_at_once_of_what_is_broadcast_are_those_of_graphs(op: str, shapes: Any) -> None:
    x, y = (np.random.RandomState(i).randint(1, 4, shape).astype(np.float32) for i, shape in enumerate(shapes))
    compute = getattr(tf, op, None) or getattr(tf.math, op)
    a, b = tf.constant(x), tf.constant(y)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        z = compute(a, b)
        loss = tf.reduce_sum(z * z)
    at_once = [d.numpy() for d in tape.gradient(loss, [a, b])]
    with tf.Graph().as_default(), tf.Session() as sess:
        a, b = tf.constant(x), tf.constant(y)
        z = compute(a, b)
        for found, wanted in zip(at_once, sess.run(tf.gradients(z * z, [a, b])), strict=True):
            assert found.shape == wanted.shape
            np.testing.assert_array_equal(found, wanted)


def test_gradients_at_once_sum_only_what_was_broadcast() -> None:
    x, y = tf.constant(np.ones((3, 3), np.float32)), tf.constant(np.zeros((3, 3), np.float32))
    ran: list[str] = []
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = tf.maximum(x, y) / tf.pow(x, y)
    tape.gradient(z, [x, y])  # looks at the shapes, once for all
    eager_graph().watchers.append(lambda name, *rest: ran.append(name))
    try:
        tape.gradient(z, [x, y])
    finally:
        eager_graph().watchers.clear()
    assert "Select" in ran
    assert not {"Sum", "Reshape", "BroadcastGradientArgs"} & set(ran)
