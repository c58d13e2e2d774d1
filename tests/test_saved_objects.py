"""``tf.saved_model.save`` and ``load_v2``: objects with variables, functions, files and tables.

What TensorFlow 1.15.5 reads of such a folder was looked at by hand; what it writes is recorded.
"""

from __future__ import annotations

import inspect
import json
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded_files import unpacked

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.io.saved_model.revived_types import registered_identifiers
from retrograd.io.saved_model.structures import NotEncodableError, StructureCoder

RECORDED = json.loads((Path(__file__).parent / "golden" / "saved_objects.json").read_text())


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.v = tf.Variable(3.0, name="v", use_resource=True)
        self.parts = [tf.Variable(1.0, use_resource=True), tf.Variable([2.0, 4.0], use_resource=True)]
        self.by_name = {"a": tf.Variable(5, trainable=False, use_resource=True)}
        self.kept = tf.constant([1.0, 2.0])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def scaled(self, x: Any) -> Any:
        return {"y": x * self.v, "z": x + self.parts[0]}

    @tf.function
    def chosen(self, x: Any, adds: bool = False) -> Any:
        return x + self.v if adds else x + self.kept

    @tf.function
    def count(self) -> None:
        self.v.assign_add(1.0)


@pytest.fixture
def theirs(tmp_path: Path) -> str:
    """What TensorFlow wrote."""
    return unpacked(RECORDED, tmp_path / "theirs")


def saved(model: Any, folder: Path, signatures: Any = None) -> str:
    tf.saved_model.save(model, str(folder), signatures)
    return str(folder)


def called_model() -> Model:
    model = Model()
    model.chosen(tf.constant(1.0)), model.chosen(tf.constant(1.0), True), model.count()
    return model


def check_at_once(model: Any) -> None:
    assert model.v.numpy() == 4
    assert model.v.trainable
    assert model.v.name == "v:0"
    assert [part.numpy().tolist() for part in model.parts] == [1.0, [2.0, 4.0]]
    assert model.by_name["a"].numpy() == 5
    assert not model.by_name["a"].trainable
    found = model.scaled(tf.constant([1.0, 2.0]))
    assert {k: y.numpy().tolist() for k, y in found.items()} == {"y": [4.0, 8.0], "z": [2.0, 3.0]}
    assert model.chosen(tf.constant(1.0)).numpy().tolist() == [2.0, 3.0]
    assert model.chosen(tf.constant(1.0), adds=True).numpy() == 5
    with tf.GradientTape() as outer, tf.GradientTape() as tape:
        x = tf.constant([1.0, 2.0])
        outer.watch(x)
        y = model.scaled(x)["y"]
        by_v = tape.gradient(y, model.v)
    assert by_v.numpy() == 3
    assert outer.gradient(by_v, x).numpy().tolist() == [1.0, 1.0]
    model.count()
    assert model.signatures["serving_default"](x=tf.constant([2.0]))["y"].numpy() == [10.0]
    with pytest.raises(ValueError, match="Could not find matching function to call"):
        model.chosen(tf.constant([1.0, 2.0]), 3)
    with pytest.raises(TypeError, match=r"Expected argument names \['x'\]"):
        model.signatures["serving_default"](y=tf.constant([2.0]))


def check_in_graph(folder: str) -> None:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        model = tf.saved_model.load_v2(folder)
        y = model.scaled(tf.constant([1.0, 2.0]))["y"]
        session.run(tf.global_variables_initializer())
        assert session.run(y).tolist() == [4.0, 8.0]
        assert session.run(tf.gradients(y, model.v.handle)) == [3.0]
        assert len(graph.get_collection("variables")) == 4
        assert not graph.get_collection("trainable_variables")
    with tf.Graph().as_default(), tf.Session() as session:
        meta = tf.saved_model.loader.load(session, ["serve"], folder)
        signature = meta.signature_def["serving_default"]
        feeds = {signature.inputs["x"].name: [1.0, 2.0]}
        assert session.run(signature.outputs["y"].name, feeds).tolist() == [4.0, 8.0]


def test_results_of_several_tensors_come_back(tmp_path: Path, eager: None) -> None:
    """A ragged or sparse tensor has no one name, so the function is no signature by default."""
    root, folder = tf.Module(), str(tmp_path / "m")
    root.f = tf.function(_next_rows, input_signature=[tf.RaggedTensorSpec(shape=[None, None], dtype=tf.int32)])
    tf.saved_model.save(root, folder)
    loaded: Any = tf.saved_model.load_v2(folder)
    assert loaded.f(tf.ragged.constant([[1, 2], [3]])).to_list() == [[2, 3], [4]]
    assert list(loaded.signatures) == []


def _next_rows(x: Any) -> Any:
    return x + 1


def test_the_signature_by_default_is_the_one_function_of_single_tensors(tmp_path: Path, eager: None) -> None:
    """As TensorFlow chooses: what gives nothing, or tensors inside of others, does not count."""
    results: list[Any] = [lambda x: [x, [x]], lambda x: None, lambda x: {"y": x + 1.0}, lambda x: [x, x]]
    names: list[list[str]] = []
    for count in (2, 3, 4):
        root, folder = tf.Module(), str(tmp_path / str(count))
        for i, result in enumerate(results[:count]):
            setattr(root, f"f{i}", tf.function(result, input_signature=[tf.TensorSpec([None], tf.float32)]))
        tf.saved_model.save(root, folder)
        names.append(list(tf.saved_model.load_v2(folder).signatures))
    assert names == [[], ["serving_default"], []]


def test_objects_of_tensorflow(theirs: str, eager: None) -> None:
    check_at_once(tf.saved_model.load_v2(theirs, tags="serve"))
    check_in_graph(theirs)


def test_objects_come_back_and_go_out_again(tmp_path: Path, eager: None) -> None:
    first = saved(called_model(), tmp_path / "first")
    second = saved(tf.saved_model.load_v2(first), tmp_path / "second")
    check_in_graph(first)
    check_in_graph(second)
    check_at_once(tf.saved_model.load_v2(second))


def test_loops_in_functions_go_through_files(tmp_path: Path, eager: None) -> None:
    model = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0]))

    @tf.function(input_signature=[tf.TensorSpec([2])])
    def stepped(x: Any) -> Any:
        def body(i: Any, a: Any) -> Any:
            return i + 1, tf.while_loop(lambda j, _: j < i, lambda j, b: (j + 1, b * 2.0), [0, a - model.v])[1]

        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda i, _: i < 3, body, [0, x])[1]
        return tf.cond(tf.reduce_sum(y) > 0, lambda: y, lambda: -y), tape.gradient(y, x)

    model.stepped = stepped
    wanted = [v.numpy().tolist() for v in stepped(tf.constant([5.0, 1.0]))]
    loaded = tf.saved_model.load_v2(saved(model, tmp_path / "first"))
    again = tf.saved_model.load_v2(saved(loaded, tmp_path / "second"))
    for one in (loaded, again):
        assert [v.numpy().tolist() for v in one.stepped(tf.constant([5.0, 1.0]))] == wanted


def test_objects_of_a_graph_are_saved_as_they_are_in_the_session(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        model = called_model()
        session.run(tf.global_variables_initializer())
        session.run(model.v.assign(4.0))
        saved(model, tmp_path / "m")
    check_in_graph(str(tmp_path / "m"))


def test_files_and_tables_move_with_the_folder(tmp_path: Path, eager: None) -> None:
    words = tmp_path / "words.txt"
    words.write_text("alpha\nbeta\n")
    root = tf.train.Checkpoint()
    table = tf.lookup.TextFileInitializer(str(words), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
                                          tf.lookup.TextFileIndex.LINE_NUMBER)  # fmt: skip
    root.table = tf.lookup.StaticHashTable(table, -1)
    root.find = tf.function(root.table.lookup, input_signature=[tf.TensorSpec(None, tf.string)])
    saved(root, tmp_path / "here")
    words.unlink()
    folder = str((tmp_path / "here").rename(tmp_path / "there"))
    keys = ["beta", "x", "alpha"]
    assert tf.saved_model.load_v2(folder).find(tf.constant(keys)).numpy().tolist() == [1, -1, 0]
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.loader.load(session, ["serve"], folder).signature_def["serving_default"]
        assert session.run(signature.outputs["output_0"].name, {signature.inputs["keys"].name: keys}).tolist() == [
            1, -1, 0,
        ]  # fmt: skip
    with tf.Graph().as_default(), tf.Session() as session:
        found = tf.saved_model.load_v2(folder).find(tf.constant(keys))
        session.run(tf.tables_initializer())
        assert session.run(found).tolist() == [1, -1, 0]


def test_what_cannot_be_saved_says_why(tmp_path: Path, eager: None) -> None:
    hidden = tf.Variable(1.0)
    root = tf.Module()
    root.f = tf.function(lambda x: x * hidden)
    root.f(tf.constant(1.0))
    with pytest.raises(KeyError, match="not reachable from root"):
        saved(root, tmp_path / "a")
    with pytest.raises(ValueError, match="Expected a TensorFlow function to generate a signature for"):
        saved(root, tmp_path / "b", root.f)
    with pytest.raises(AssertionError, match="references untracked object"):
        saved(tf.Module(), tmp_path / "c", root.f.get_concrete_function(tf.constant(1.0)))
    nested = tf.function(lambda x: (x, (x, x))).get_concrete_function(tf.constant(1.0))
    with pytest.raises(ValueError, match="Got non-flat outputs"):
        saved(tf.Module(), tmp_path / "d", nested)
    with pytest.raises(ValueError, match=r"Expected a Trackable object for export, got 1\."):
        saved(1, tmp_path / "e")
    root.signatures = hidden
    with pytest.raises(ValueError, match=r"del obj\.signatures"):
        saved(root, tmp_path / "f")
    saved(tf.Module(), tmp_path / "g")
    with pytest.raises(ValueError, match="incompatible argument tags"):
        tf.saved_model.load_v2(str(tmp_path / "g"), tags=["train"])
    with pytest.raises(OSError, match="SavedModel file does not exist"):
        tf.saved_model.load_v2(str(tmp_path / "nothing"))


def test_a_damaged_object_graph_is_an_error(theirs: str, eager: None) -> None:
    path = Path(theirs) / "saved_model.pb"
    content = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(40):
        damaged = bytearray(content)
        for at in rng.integers(0, len(content), 3):
            damaged[at] = rng.integers(256)
        path.write_bytes(bytes(damaged))
        try:
            model = tf.saved_model.load_v2(theirs)
            model.scaled(tf.constant([1.0, 2.0]))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, LookupError, tf.errors.OpError):
            continue


def test_structures_become_messages_and_come_back() -> None:
    coder, pair = StructureCoder(), namedtuple("pair", "b a")
    structure = [None, True, 3, 2.5, "x", (1, [2]), {"k": pair(1, "y")}, tf.float32, tf.TensorShape([None, 2]),
                 tf.TensorSpec([2], tf.int64, "n"), tf.SparseTensorSpec([2], tf.int32)]  # fmt: skip
    found = coder.decode_proto(coder.encode_structure(structure))
    assert repr(found) == repr(structure)
    assert found[6]["k"]._fields == ("b", "a")
    assert not coder.can_encode([object()])
    with pytest.raises(NotEncodableError, match="No encoder for object"):
        coder.encode_structure({1: 2})
    assert {"trackable_list_wrapper", "trackable_dict_wrapper", "signature_map"} <= set(registered_identifiers())


def test_concrete_functions_take_tensors_by_place_and_name() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        function = tf.function(lambda x, y=2.0: {"sum": x + y, "none": None})
        concrete = function.get_concrete_function(tf.TensorSpec([None], tf.float32))
        assert concrete.structured_input_signature == ((tf.TensorSpec([None], tf.float32, "x"), 2.0), {})
        assert session.run(concrete(tf.constant([1.0]))["sum"]) == session.run(concrete(x=tf.ones(1))["sum"]) == [3.0]
        assert concrete(tf.constant([1.0]))["none"] is None
        with pytest.raises(TypeError, match="Expected at most 1 positional arguments"):
            concrete(1.0, 2.0)
        with pytest.raises(TypeError, match="Got two values for keyword 'x'"):
            concrete(tf.constant([1.0]), x=1.0)
        with pytest.raises(TypeError, match="unknown"):
            concrete(tf.constant([1.0]), z=1.0)
        assert inspect.signature(function.python_function).parameters.keys() == {"x", "y"}


def counted_and_dropped() -> tuple[Any, Any, Any]:
    """A function that draws random numbers and counts its calls, with the variable that it reads and the count."""
    v, count = tf.Variable(np.ones(64, "f"), use_resource=True), tf.Variable(0.0, use_resource=True)

    def dropped(x: Any) -> Any:
        count.assign_add(1.0)
        return tf.nn.dropout(x * v, rate=0.5) * count

    inner = tf.function(dropped).get_concrete_function(tf.TensorSpec([64], tf.float32))
    outer = tf.function(lambda x: inner(x) * 2.0)
    return outer.get_concrete_function(tf.TensorSpec([64], tf.float32)), v, count


def test_what_a_function_draws_and_counts_happens_once_where_it_is_differentiated(eager: None) -> None:
    function, v, count = counted_and_dropped()
    for i in range(1, 4):
        with tf.GradientTape() as tape:
            y = function(tf.ones([64]))
        np.testing.assert_array_equal(tape.gradient(y, v).numpy(), y.numpy())
        assert count.numpy() == i
        assert set(y.numpy()) == {0.0, 4.0 * i}


def test_what_a_function_draws_and_counts_happens_once_in_a_graph() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        function, v, count = counted_and_dropped()
        y = function(tf.ones([64]))
        (dv,) = tf.gradients(y, v)
        session.run(tf.global_variables_initializer())
        for i in range(1, 4):
            found, gradient = session.run([y, dv])
            np.testing.assert_array_equal(gradient, found)
            assert session.run(count) == i
            assert set(found) == {0.0, 4.0 * i}


def test_a_function_with_a_loop_is_read_back(tmp_path: Path) -> None:
    with eager_mode():
        made = tf.Module()
        made.double = tf.function(
            lambda x, n: tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * 2.0), [tf.constant(0), x])[1],
            input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.int32)],
        )
        tf.saved_model.save(made, str(tmp_path / "m"))
        read = tf.compat.v2.saved_model.load(str(tmp_path / "m"))
        x = tf.constant([1.0, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = read.double(x, 3)
        assert y.numpy().tolist() == [8.0, 24.0]
        assert tape.gradient(y, x).numpy().tolist() == [8.0, 8.0]


def test_a_step_of_training_goes_on_after_each_loading(tmp_path: Path, eager: None) -> None:
    model = tf.Module()
    model.w, model.optimizer = tf.Variable([1.0, 2.0]), tf.keras.optimizers.Adam(0.1)

    @tf.function(input_signature=[tf.TensorSpec([])])
    def step(rate: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model.w * model.w) * rate
        model.optimizer.apply_gradients([(tape.gradient(loss, model.w), model.w)])
        return loss

    model.step, loaded = step, model
    step(tf.constant(1.0))
    for name in ("first", "second", "third"):
        loaded = tf.saved_model.load_v2(saved(loaded, tmp_path / name))
        assert loaded.optimizer.get_slot_names() == ["m", "v"]
        for one in (model, loaded):
            one.step(tf.constant(1.0))
        assert loaded.w.numpy().tolist() == model.w.numpy().tolist()
    assert loaded.optimizer.iter.numpy() == 4
    with pytest.raises(NotImplementedError, match="Restoring functional Optimzers"):
        loaded.optimizer.apply_gradients([])
