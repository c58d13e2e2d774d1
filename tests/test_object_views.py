"""What objects tell checkpoints: names of their own, parts, templates; graphs that saving leaves alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.io.object_views import ObjectGraphView, split_dependency
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.io.tracking import AutoTrackable, NotTrackable, Trackable


@pytest.fixture(autouse=True)
def sess() -> Iterator[Any]:
    with tf.Graph().as_default(), tf.Session() as sess:
        yield sess


def keys(path: str) -> list[str]:
    """The names in a checkpoint without what all have at their ends."""
    end = "/.ATTRIBUTES/VARIABLE_VALUE"
    return [name.removesuffix(end) for name, _ in tf.train.list_variables(path) if name.endswith(end)]


def twice(value: float) -> Any:
    def made() -> Any:
        inner = tf.make_template("in", lambda: tf.get_variable("w", [], initializer=tf.ones_initializer()))
        return inner() + inner() * tf.get_variable("v", [], initializer=tf.constant_initializer(value))

    return tf.make_template("scale", made)


def test_templates_are_saved_with_those_that_they_make(sess: Any, tmp_path: Path) -> None:
    first, second = twice(3.0), twice(5.0)
    outputs = first(), second()
    sess.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(t=first).save(str(tmp_path / "m"))
    assert keys(path) == ["save_counter", "t/in/w", "t/v"]
    tf.train.Checkpoint(t=second).restore(path).assert_consumed().run_restore_ops()
    assert sess.run(outputs) == (4.0, 4.0)


def test_saving_and_restoring_again_adds_nothing_to_the_graph(sess: Any, tmp_path: Path) -> None:
    class Note(tf.train.experimental.PythonState):
        text = b"one"

        def serialize(self) -> bytes:
            return self.text

        def deserialize(self, string_value: bytes) -> None:
            self.text = string_value

    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0), note=Note())
    sess.run(tf.global_variables_initializer())
    path = checkpoint.save(str(tmp_path / "m"))
    checkpoint.restore(path).run_restore_ops()
    sess.graph.finalize()
    checkpoint.note.text = b"two"
    path = checkpoint.save(str(tmp_path / "m"))
    assert path.endswith("-2")
    checkpoint.note.text = b"three"
    checkpoint.restore(path).run_restore_ops()
    assert checkpoint.note.text == b"two"


def test_names_that_an_object_gives_itself(tmp_path: Path) -> None:
    class Own(Trackable):
        pass

    own = Own()
    own.seen = tf.Variable(1.0)  # type: ignore[attr-defined]
    held = own._track_trackable(tf.Variable(2.0), name="a")
    assert [pair.name for pair in own._checkpoint_dependencies] == ["a"]
    assert own._lookup_dependency("a") is held
    assert own._lookup_dependency("seen") is None
    with pytest.raises(ValueError, match="with name='a', but a Trackable with this name is already declared"):
        own._track_trackable(tf.Variable(3.0), name="a")
    with pytest.raises(TypeError, match="passed type <class 'int'>, not a Trackable"):
        own._track_trackable(3, name="b")  # type: ignore[arg-type]
    root = AutoTrackable()
    root.own = own  # type: ignore[attr-defined]
    view = ObjectGraphView(root)
    assert [type(x).__name__ for x in view.list_objects()] == ["AutoTrackable", "Own", "RefVariable"]
    saveables, proto, _ = view.serialize_object_graph()
    assert [x.name for x in saveables] == ["own/a/.ATTRIBUTES/VARIABLE_VALUE"]
    assert len(proto.nodes) == 3


def test_what_cannot_be_saved_says_so(tmp_path: Path) -> None:
    class Neither(AutoTrackable, NotTrackable):
        pass

    with pytest.raises(NotImplementedError, match="does not support object-based saving"):
        tf.train.Checkpoint(x=Neither()).save(str(tmp_path / "m"))


def test_a_value_in_parts(sess: Any, tmp_path: Path) -> None:
    class Halves(Trackable):
        def __init__(self) -> None:
            self.whole = tf.Variable([0.0, 0.0, 0.0])

            def fill(buffer: dict[str, Any]) -> None:
                buffer["head"], buffer["tail"] = self.whole[:1], self.whole[1:]

            def consume(buffer: dict[str, Any]) -> Any:
                return self.whole.assign(tf.concat([buffer["head"], buffer["tail"]], 0))

            parts = split_dependency(("head", "tail"), (tf.float32,) * 2, fill, consume, self.whole.device)
            for name, part in parts.items():
                self._track_trackable(part, name=name)

    checkpoint = tf.train.Checkpoint(x=Halves())
    sess.run(checkpoint.x.whole.assign([1.0, 2.0, 3.0]))
    path = checkpoint.save(str(tmp_path / "m"))
    assert keys(path) == ["save_counter", "x/head", "x/tail"]
    sess.run(checkpoint.x.whole.assign([0.0, 0.0, 0.0]))
    checkpoint.restore(path).assert_consumed().run_restore_ops()
    np.testing.assert_array_equal(sess.run(checkpoint.x.whole), [1, 2, 3])


def test_a_mapping_does_not_keep_what_it_refuses() -> None:
    mapping = tf.contrib.checkpoint.Mapping()
    with pytest.raises(ValueError, match="Only trackable objects"):
        mapping["a"] = 1
    assert not mapping


def test_arrays_of_a_checkpoint_are_made(sess: Any, tmp_path: Path) -> None:
    state = tf.contrib.checkpoint.NumpyState()
    state.x = np.arange(3)
    path = tf.train.Checkpoint(state=state).save(str(tmp_path / "m"))
    other = tf.train.Checkpoint(state=tf.contrib.checkpoint.NumpyState())
    other.restore(path)
    np.testing.assert_array_equal(other.state.x, [0, 1, 2])


def test_iterators_go_on_where_they_stood(sess: Any, tmp_path: Path) -> None:
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(10))
    get_next = iterator.get_next()
    sess.run(iterator.initializer)
    checkpoint = tf.train.Checkpoint(iterator=iterator)
    assert [sess.run(get_next) for _ in range(2)] == [0, 1]
    path = checkpoint.save(str(tmp_path / "m"))
    assert sess.run(get_next) == 2
    checkpoint.restore(path).assert_consumed().run_restore_ops()
    assert [sess.run(get_next) for _ in range(2)] == [2, 3]


def test_iterators_go_on_where_they_stood_at_once(tmp_path: Path) -> None:
    with eager_mode():
        numbers = tf.data.Dataset.range(100).shuffle(100)
        iterator = iter(numbers)
        first = [int(next(iterator)) for _ in range(40)]
        path = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "m"))
        rest = [int(x) for x in iterator]
        assert sorted(first + rest) == list(range(100))
        other = iter(numbers)
        tf.train.Checkpoint(iterator=other).restore(path).assert_consumed()
        assert [int(x) for x in other] == rest


def test_what_is_restored_at_once_is_not_computed(tmp_path: Path) -> None:
    class Counted(SaveableObject):
        count = 0

        def __init__(self) -> None:
            super().__init__("x", [SaveSpec(self.made, "", "x", dtype=tf.float32, device="")], "x")

        def made(self) -> Any:
            self.count += 1
            return tf.constant([1.0])

        def restore(self, restored_tensors: Any, restored_shapes: Any) -> None:
            assert restored_tensors[0].numpy() == [1.0]

    with eager_mode():
        counted = Counted()
        saver = tf.train.Saver([counted])
        path = saver.save(None, str(tmp_path / "m"))
        saver.restore(None, path)
        assert counted.count == 1
