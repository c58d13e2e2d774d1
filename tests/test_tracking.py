"""Checkpoints of objects."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.io import tracking
from retrograd.io.object_graphs import OBJECT_GRAPH

HERE = Path(__file__).parent / "golden"
sys.path.insert(0, str(HERE))
WANTED = json.loads((HERE / "tracking.json").read_text())
PATH = str(HERE / "tracking" / "model-1")


def objects() -> Any:
    import retrograd

    retrograd.install()
    try:
        from record_tracking import objects

        return objects()
    finally:
        retrograd.uninstall()


def test_a_checkpoint_of_tensorflow_is_restored(tmp_path: Path) -> None:
    """Slots too; and what is written here has the same values under the same keys."""
    with tf.Graph().as_default(), tf.Session() as sess:
        checkpoint, _ = objects()
        status = checkpoint.restore(PATH)
        status.assert_consumed().assert_nontrivial_match()
        status.initialize_or_restore(sess)
        path = checkpoint.save(str(tmp_path / "mine"))
        assert path == str(tmp_path / "mine-2")
        assert tf.train.latest_checkpoint(str(tmp_path)) == path
    found = {name: tf.train.load_variable(path, name) for name, _ in tf.train.list_variables(path) if name[0] != "_"}
    assert found.keys() == WANTED.keys()
    for name, value in found.items():
        wanted = 2 if name.startswith("save_counter") else WANTED[name]
        np.testing.assert_array_equal(value, np.asarray(wanted, value.dtype))


def test_what_does_not_match_is_named() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        step, other = tf.Variable(0, dtype=tf.int64), tf.Variable(1.0, name="other")
        status = tf.train.Checkpoint(step=step, new=other).restore(PATH)
        for check in (status.assert_consumed, status.assert_existing_objects_matched):
            with pytest.raises(
                AssertionError, match=r"^Some Python objects were not bound to .*: \[<tf.Variable 'other:0'"
            ):
                check()
        status.initialize_or_restore(sess)
        assert sess.run([step, other]) == [1, 1.0]
        with pytest.raises(AssertionError, match="No checkpoint specified"):
            tf.train.Checkpoint(step=step).restore(None).assert_consumed()
        with pytest.raises(ValueError, match="expecting a trackable object"):
            tf.train.Checkpoint(step=3)
        with pytest.raises(tf.errors.NotFoundError):
            tf.train.Checkpoint(step=step).restore("/nowhere/model")


@pytest.mark.parametrize("at_once", [False, True])
def test_the_checkpoint_that_was_restored_last_gives_a_value(at_once: bool, tmp_path: Path) -> None:
    """Recorded: of two checkpoints, in whatever order their statuses and the variable come."""
    with eager_mode() if at_once else tf.Graph().as_default(), nullcontext() if at_once else tf.Session() as session:

        def made(value: float) -> Any:
            v = tf.Variable(value, use_resource=True)
            return v if at_once else session.run(v.initializer) or v

        def value_of(x: Any) -> Any:
            return x.numpy() if at_once else session.run(x)

        saved = tf.train.Checkpoint(v=made(12.0))
        first = saved.save(str(tmp_path / "first"))
        value_of(saved.v.assign(13.0))
        second = saved.save(str(tmp_path / "second"))
        for paths, later in (((first, second), 13.0), ((second, first), 12.0)):
            roots = tf.train.Checkpoint(), tf.train.Checkpoint()
            statuses = [root.restore(path) for root, path in zip(roots, paths, strict=True)]
            x = made(0.0)
            for root, status in reversed([*zip(roots, statuses, strict=True)]):
                root.v = x
                status.assert_consumed().initialize_or_restore()
                assert value_of(x) == later
        root = tf.train.Checkpoint(v=made(0.0))
        nothing, status = root.restore(None), root.restore(first)
        status.initialize_or_restore()
        nothing.initialize_or_restore()  # which was asked before
        assert value_of(root.v) == 12.0
        assert value_of(root.save_counter) == 1
        two = tf.train.Checkpoint(a=tf.train.Checkpoint(v=made(5.0)), b=tf.train.Checkpoint(v=made(6.0)))
        path = two.save(str(tmp_path / "two"))
        both = tf.train.Checkpoint(v=made(0.0))
        tf.train.Checkpoint(a=both, b=both).restore(path).initialize_or_restore()
        assert value_of(both.v) == 5.0


def test_objects_without_values_are_told_too(tmp_path: Path) -> None:
    """One object of a checkpoint that is two in the program, a new object, and a missing count of checkpoints."""
    with eager_mode():
        shared = tf.train.Checkpoint(v=tf.Variable(5.0))
        saved = tf.train.Checkpoint(a=tf.train.Checkpoint(c=shared), b=tf.train.Checkpoint(c=shared))
        path = saved.save(str(tmp_path / "c"))
        a, b = (tf.train.Checkpoint(c=tf.train.Checkpoint(v=tf.Variable(1.0))) for _ in range(2))
        status = tf.train.Checkpoint(a=a, b=b).restore(path)
        with pytest.raises(AssertionError, match="were not bound to checkpointed values"):
            status.assert_consumed()
        assert (a.c.v.numpy(), b.c.v.numpy()) == (5.0, 1.0)
        saved.new = tf.Module()
        with pytest.raises(AssertionError, match="were not bound to checkpointed values"):
            saved.restore(path).assert_existing_objects_matched()
        uncounted = tf.train.Checkpoint(v=tf.Variable(1.0)).write(str(tmp_path / "w"))
        with pytest.raises(AssertionError, match=r"bound to checkpointed values.* 'save_counter:0'"):
            tf.train.Checkpoint(v=tf.Variable(1.0)).restore(uncounted).assert_existing_objects_matched()


def test_a_checkpoint_by_names_is_restored(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(4.0, name="v")
        sess.run(v.initializer)
        path = tf.train.Saver().save(sess, str(tmp_path / "old"))
        sess.run(v.assign(0.0))
        tf.train.Checkpoint(value=v).restore(path).run_restore_ops()
        assert sess.run(v) == 4.0


def test_a_manager_keeps_the_last(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(0.0)
        sess.run(v.initializer)
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), str(tmp_path), max_to_keep=2)
        paths = [manager.save() for _ in range(3)]
        assert manager.checkpoints == paths[1:]
        assert manager.latest_checkpoint == tf.train.latest_checkpoint(str(tmp_path)) == paths[2]
        assert not tf.train.checkpoint_exists(paths[0])
        again = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), str(tmp_path), max_to_keep=2)
        assert again.checkpoints == paths[1:]
        assert again.save(checkpoint_number=7) == str(tmp_path / "ckpt-7")
        assert again.checkpoints == [paths[2], str(tmp_path / "ckpt-7")]


def _with_keras_optimizer() -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,), kernel_initializer="ones", name="only")])
    optimizer = tf.keras.optimizers.Adam(0.1)
    return model, optimizer, tf.train.Checkpoint(optimizer=optimizer, model=model)


def test_an_optimizer_of_keras_continues_where_it_stood(tmp_path: Path) -> None:
    def step(model: Any, optimizer: Any) -> float:
        x = tf.constant([[1.0, 2.0, 3.0]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x) ** 2)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return float(loss)

    with eager_mode():
        model, optimizer, checkpoint = _with_keras_optimizer()
        for _ in range(2):
            step(model, optimizer)
        path = checkpoint.save(str(tmp_path / "ckpt"))
        following = [step(model, optimizer) for _ in range(2)]
        model, optimizer, checkpoint = _with_keras_optimizer()
        status = checkpoint.restore(path)  # before the optimizer has made its variables
        assert [step(model, optimizer) for _ in range(2)] == following
        status.assert_consumed()
        assert int(optimizer.iterations) == 4
    keys = {name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for name, _ in tf.train.list_variables(path)}
    kernel, bias = (f"model/layer_with_weights-0/{name}" for name in ("kernel", "bias"))
    assert keys == {
        "_CHECKPOINTABLE_OBJECT_GRAPH", "save_counter", kernel, bias,
        *(f"{name}/.OPTIMIZER_SLOT/optimizer/{slot}" for name in (kernel, bias) for slot in ("m", "v")),
        *(f"optimizer/{name}" for name in ("iter", "beta_1", "beta_2", "decay", "learning_rate")),
    }  # fmt: skip


def test_a_state_of_pythons_own_is_saved_with_the_variables(tmp_path: Path) -> None:
    class Count(tf.train.experimental.PythonState):
        def __init__(self, n: int) -> None:
            self.n = n

        def serialize(self) -> str:
            return json.dumps(self.n)

        def deserialize(self, string_value: bytes) -> None:
            self.n = json.loads(string_value)

    count, v = Count(7), tf.Variable(1.0)
    with tf.Session() as sess:
        sess.run(v.initializer)
        path = tf.train.Checkpoint(count=count, v=v).save(str(tmp_path / "m"), session=sess)
        keys = tf.train.NewCheckpointReader(path).get_variable_to_shape_map()
        assert "count/.ATTRIBUTES/py_state" in keys  # as in TensorFlow
        restored = tf.train.Checkpoint(count=Count(0), v=v)
        status = restored.restore(path)
        assert restored.count.n == 7  # at once
        status.assert_consumed()
        late = tf.train.Checkpoint(v=v)
        status = late.restore(path)
        late.count = Count(0)
        status.run_restore_ops(sess)
        assert late.count.n == 7
        unknown = tf.train.Checkpoint(v=v, other=Count(0)).restore(path)
        with pytest.raises(AssertionError, match="Some Python objects were not bound to checkpointed values"):
            unknown.assert_existing_objects_matched()


def test_what_a_block_leaves_untracked_is_no_dependency() -> None:
    from retrograd.graph.untracked import no_automatic_dependency_tracking, no_automatic_dependency_tracking_scope

    class Model(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.kept = tf.keras.layers.Dense(2)
            with no_automatic_dependency_tracking_scope(self):
                self.left = tf.keras.layers.Dense(3)

        @no_automatic_dependency_tracking
        def keep_apart(self) -> None:
            self.apart = [tf.Variable(1.0)]

    model = Model()
    model.keep_apart()
    assert model.layers == [model.kept]
    assert [name for name, _ in tracking.children(model)] == ["kept"]
    assert not model.variables


def tables_of_a_checkpoint() -> tuple[Any, Any, Any]:
    words = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    numbers = tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.float32, -1.0, empty_key=-5, deleted_key=-6)
    return words, numbers, tf.train.Checkpoint(words=words, numbers=numbers)


def test_tables_are_saved_with_the_variables(tmp_path: Path) -> None:
    """Under TensorFlow's keys: the object's, ``table``, and ``-keys`` or ``-values``."""
    path = str(tmp_path / "c")
    with tf.Graph().as_default(), tf.Session() as session:
        keys, counts = tf.constant(["a", "b"]), tf.constant([3], tf.int64)
        words, numbers, checkpoint = tables_of_a_checkpoint()
        session.run([words.insert(keys, tf.constant([1, 2], tf.int64)), numbers.insert(counts, [4.5])])
        checkpoint.write(path)
    names = {f"{t}/.ATTRIBUTES/table-{part}" for t in ("words", "numbers") for part in ("keys", "values")}
    assert names < set(tf.train.NewCheckpointReader(path).get_variable_to_shape_map())
    with tf.Graph().as_default(), tf.Session() as session:
        words, numbers, checkpoint = tables_of_a_checkpoint()
        checkpoint.restore(path).run_restore_ops()
        found = session.run([words.lookup(tf.constant(["b", "c"])), numbers.lookup(tf.constant([3], tf.int64))])
        assert [x.tolist() for x in found] == [[2, -1], [4.5]]


def test_tables_are_saved_with_the_variables_at_once(tmp_path: Path) -> None:
    with eager_mode():
        words, _, checkpoint = tables_of_a_checkpoint()
        words.insert(tf.constant(["a"]), tf.constant([7], tf.int64))
        path = checkpoint.save(str(tmp_path / "c"))
        again, _, checkpoint = tables_of_a_checkpoint()
        checkpoint.restore(path).assert_consumed()
        assert again.lookup(tf.constant(["a", "z"])).numpy().tolist() == [7, -1]


class OfPrivateParts(tf.keras.Model):  # type: ignore[misc]
    """A model whose layers and variables have names of its own alone."""

    def __init__(self) -> None:
        super().__init__()
        self._dense, self._blocks = tf.keras.layers.Dense(2), [tf.keras.layers.Dense(3)]
        self._count = tf.Variable(1.0, trainable=False, use_resource=True)

    def call(self, inputs: Any) -> Any:
        """Two layers and a number."""
        return self._dense(self._blocks[0](inputs)) + self._count


def test_private_attributes_of_a_model_are_saved(tmp_path: Path) -> None:
    path, x = str(tmp_path / "w"), np.ones((2, 4), np.float32)
    with tf.Graph().as_default(), tf.Session():
        model = OfPrivateParts()
        model.compile("sgd", "mse", metrics=["mae"])  # which has layers of its own, that are not saved
        model.evaluate(x, x[:, :2], verbose=0)
        expected = model.predict(x)
        model.save_weights(path)
        again = OfPrivateParts()
        again.predict(x)
        again.load_weights(path)
        np.testing.assert_array_equal(again.predict(x), expected)
    keys = {key.partition("/.ATTRIBUTES")[0] for key in tf.train.NewCheckpointReader(path).get_variable_to_shape_map()}
    layers = {f"{layer}/{part}" for layer in ("_dense", "_blocks/0") for part in ("kernel", "bias")}
    assert keys - {OBJECT_GRAPH} == {"_count", *layers}


def test_a_saver_of_names_restores_what_objects_were_saved(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v, w = tf.get_variable("v", initializer=[1.0, 2.0]), tf.get_variable("w", initializer=3.0, use_resource=True)
        sess.run(tf.global_variables_initializer())
        path = tf.train.Checkpoint(x=v, y=w).save(str(tmp_path / "objects"), sess)
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        v, w = tf.get_variable("v", initializer=[0.0, 0.0]), tf.get_variable("w", initializer=0.0)
        saver = tf.train.Saver()
        saver.restore(sess, path)
        assert [x.tolist() for x in sess.run([v, w])] == [[1.0, 2.0], 3.0]
        ops = len(graph.get_operations())
        saver.restore(sess, path)
        assert len(graph.get_operations()) == ops
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.get_variable("v", initializer=[0.0, 0.0]), tf.get_variable("other", initializer=0.0)
        with pytest.raises(
            tf.errors.NotFoundError, match=r"not in the checkpoint: other\n\n.*: save_counter, w\n"
        ) as caught:
            tf.train.Saver().restore(sess, path)
        assert "tf.train.Saver({" in caught.value.__notes__[-1]


def test_the_names_of_the_variables_of_layers_are_tensorflows() -> None:
    """Two variables of a layer whose names end alike are two; a layer of ``tf.layers`` holds what it added or named."""
    import retrograd

    wanted = json.loads((HERE / "layer_keys.json").read_text())
    retrograd.install()
    try:
        import layer_key_cases

        assert {case: layer_key_cases.names(case) for case in layer_key_cases.CASES} == wanted
    finally:
        retrograd.uninstall()


def test_a_network_that_tracks_layers_is_not_saved_in_part(tmp_path: Path) -> None:
    network = tf.contrib.eager.Network()
    with (
        tf.Session(),
        pytest.raises(NotImplementedError, match=r"tfe.Network does not support object-based checkpointing.*\n.*Fix:"),
    ):
        tf.train.Checkpoint(network=network).save(str(tmp_path / "model"))


def test_variables_of_a_block_belong_to_the_object_that_captures_them():
    class Holder(tracking.AutoTrackable):
        def __init__(self, inner=None):
            self.inner = tf.contrib.checkpoint.NoDependency(inner)

        def build(self, name):
            with tf.variable_scope(name) as self.variable_scope, tf.contrib.checkpoint.capture_dependencies(self):
                first = tf.get_variable("first", [])
                return first, self.inner.build("inside") if self.inner else None

    with tf.Graph().as_default():
        inner = Holder()
        outer = Holder(inner)
        first, (second, _) = outer.build("whole")
        assert [tuple(d) for d in outer._checkpoint_dependencies] == [("first", first), ("inside", inner)]
        assert [tuple(d) for d in inner._checkpoint_dependencies] == [("first", second)]


@pytest.mark.parametrize("mode", [nullcontext, eager_mode])
def test_variables_of_a_template_have_their_values_where_its_first_call_makes_them(tmp_path: Path, mode: Any) -> None:
    def function():
        v = tf.get_variable("v", [1], initializer=tf.zeros_initializer(), use_resource=True)
        return v, v + 1.0

    def objects():
        template, optimizer = tf.make_template("t", function), tf.train.AdamOptimizer(0.0)
        return template, optimizer, tf.train.Checkpoint(template=template, optimizer=optimizer)

    with tf.Graph().as_default(), tf.Session() as sess, mode():
        template, optimizer, checkpoint = objects()
        v, _ = template()
        optimizer.minimize(v.read_value)
        if mode is nullcontext:
            sess.run(tf.global_variables_initializer())
        checkpoint.restore(None).initialize_or_restore()
        tf.keras.backend.set_value(v, [12.0])
        path = checkpoint.save(str(tmp_path / "model"))
        names = [name for name, _ in tf.train.list_variables(path) if name.startswith("template/")]
        slots = [f"template/v/.OPTIMIZER_SLOT/optimizer/{x}/.ATTRIBUTES/VARIABLE_VALUE" for x in "mv"]
        assert names == ["template/v/.ATTRIBUTES/VARIABLE_VALUE", *slots]
        template, optimizer, checkpoint = objects()
        status = checkpoint.restore(path)
        v, more = template()
        optimizer.minimize(v.read_value)
        assert [name for name, _ in template._checkpoint_dependencies] == ["v"]
        status.assert_consumed().run_restore_ops()
        np.testing.assert_array_equal(tf.keras.backend.get_value(more), [13.0])


def test_a_state_of_pythons_own_that_is_set_later_has_its_value_at_once(tmp_path: Path) -> None:
    class Note(tf.train.experimental.PythonState):
        def __init__(self, text):
            self.text = text

        def serialize(self):
            return self.text

        def deserialize(self, string_value):
            self.text = string_value.decode()

    with tf.Graph().as_default(), tf.Session() as sess:
        module = tf.Module()
        module.note = Note("kept")
        checkpoint = tf.train.Checkpoint(module=module)
        sess.run(checkpoint.save_counter.initializer)
        path = checkpoint.save(str(tmp_path / "model"))
        module = tf.Module()
        other = tf.train.Checkpoint(module=module)
        other.restore(path)
        module.note = Note("new")
        assert module.note.text == "kept"


def test_a_scaled_optimizer_is_saved_with_its_scale_and_slots(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable([2.0], use_resource=True)
        scale = tf.train.experimental.DynamicLossScale(initial_loss_scale=4.0, increment_period=1, multiplier=2.0)
        optimizer = tf.train.experimental.MixedPrecisionLossScaleOptimizer(tf.train.MomentumOptimizer(1.0, 0.5), scale)
        step = optimizer.minimize(w * w, var_list=[w])
        sess.run(tf.global_variables_initializer())
        checkpoint = tf.train.Checkpoint(o=optimizer, w=w)
        sess.run(step)
        path = checkpoint.save(str(tmp_path / "c"))
        wanted = sess.run([scale(), *optimizer._optimizer.variables(), w])
        names = [name.partition("/.A")[0] for name, _ in tf.train.list_variables(path)]
        assert names == [
            "_CHECKPOINTABLE_OBJECT_GRAPH", "o/loss_scale/current_loss_scale", "o/loss_scale/good_steps",
            "save_counter", "w", "w/.OPTIMIZER_SLOT/o/base_optimizer/momentum",
        ]  # fmt: skip
        sess.run(step)
        checkpoint.restore(path).assert_consumed().run_restore_ops()
        assert sess.run([scale(), *optimizer._optimizer.variables(), w]) == wanted


def test_without_a_session_that_of_keras_is_taken(tmp_path: Path) -> None:
    with tf.Graph().as_default():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=[2])])
        model.set_weights([np.array([[1.0], [2.0]]), np.array([3.0])])
        checkpoint = tf.train.Checkpoint(model=model)
        path = checkpoint.save(str(tmp_path / "c"))
        model.set_weights([np.zeros([2, 1]), np.zeros([1])])
        checkpoint.restore(path).assert_consumed().run_restore_ops()
        assert model.get_weights()[0].tolist() == [[1.0], [2.0]]


def test_a_function_writes_each_time_it_is_called(tmp_path: Path) -> None:
    with eager_mode():
        checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        write = tf.function(lambda: checkpoint.write(str(tmp_path / "c")))
        for value in (1.0, 3.0):
            checkpoint.v.assign(value)
            write()
            assert tf.train.load_variable(str(tmp_path / "c"), "v/.ATTRIBUTES/VARIABLE_VALUE") == value


@pytest.mark.parametrize("make", [lambda: tf.train.AdamOptimizer(0.1), lambda: tf.keras.optimizers.Adam(0.1)])
def test_slots_are_there_as_soon_as_they_are_restored(make: Any, tmp_path: Path) -> None:
    """Where ops run at once: so a checkpoint that is written before the next step has them."""
    with eager_mode():
        v, optimizer = tf.Variable([1.0, 2.0]), make()
        optimizer.apply_gradients([(tf.constant([3.0, 4.0]), v)])
        path = tf.train.Checkpoint(v=v, optimizer=optimizer).save(str(tmp_path / "a"))
        again, new = tf.Variable([0.0, 0.0]), make()
        checkpoint = tf.train.Checkpoint(v=again, optimizer=new)
        status = checkpoint.restore(path)
        np.testing.assert_array_equal(new.get_slot(again, "m").numpy(), optimizer.get_slot(v, "m").numpy())
        names = {name for name, _ in tf.train.list_variables(checkpoint.save(str(tmp_path / "b")))}
        assert {f"v/.OPTIMIZER_SLOT/optimizer/{slot}/.ATTRIBUTES/VARIABLE_VALUE" for slot in "mv"} < names
        for x, o in ((v, optimizer), (again, new)):
            o.apply_gradients([(tf.constant([-1.0, 0.5]), x)])
        status.assert_consumed()
        np.testing.assert_array_equal(again.numpy(), v.numpy())


def test_checkpoints_stay_where_the_clock_went_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, said = [9999.0], []
    monkeypatch.setattr("retrograd.io.checkpoint_managers.time.time", lambda: now[0])
    monkeypatch.setattr("retrograd.graph.log.warning", said.append)
    with eager_mode():
        checkpoint = tf.train.Checkpoint()
        first = tf.train.CheckpointManager(checkpoint, str(tmp_path), 1, keep_checkpoint_every_n_hours=1)
        first.save()
        now[0] = 20000.0
        first.save()
        first.save()
        now[0] = 500.0
        second = tf.train.CheckpointManager(checkpoint, str(tmp_path), 1, keep_checkpoint_every_n_hours=1)
    assert second.checkpoints == []
    assert second.latest_checkpoint == first.latest_checkpoint
    assert said == ["time.time() returned a value 19500.000000 seconds behind the last preserved checkpoint timestamp."]


def test_results_of_methods_are_kept_for_each_object_and_not_saved() -> None:
    calls: list[Any] = []

    class Counted(tracking.AutoTrackable):
        @property
        @tracking.cached_per_instance
        def number(self) -> int:
            calls.append(self)
            return len(calls)

    one, other = Counted(), Counted()
    assert [one.number, other.number, one.number, other.number] == [1, 2, 1, 2]
    assert vars(one) == {}
    calls.clear()
    found = Counted.number.fget.cache  # type: ignore[attr-defined]
    del one
    assert list(found) == [other]


def test_an_object_under_the_name_of_an_attribute_takes_its_place_only_if_told() -> None:
    root, other = tracking.AutoTrackable(), tracking.AutoTrackable()
    root.leaf = tracking.AutoTrackable()
    with pytest.raises(ValueError, match="with name='leaf', but a Trackable with this name is already declared"):
        root._track_trackable(other, name="leaf")
    root.leaf = other
    root._track_trackable(other, name="leaf", overwrite=True)
    assert root._checkpoint_dependencies == [("leaf", other)]
