"""AutoGraph: conversions against TensorFlow 1.15.5 (``golden/autograph_cases.py``), and what only this one does."""

from __future__ import annotations

import json
import traceback
from pathlib import Path

import numpy as np
import pytest
from golden import autograph_cases, record_turns
from golden import autograph_functions as functions
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("autograph")
to_graph = tf.autograph.to_graph


@pytest.mark.parametrize("name", autograph_cases.CASES)
def test_as_recorded(name):
    check(autograph_cases, name, GOLDEN[name], nodes=name not in autograph_cases.VALUES)


def run(function, *values):
    """What a conversion of ``function`` gives for values that only the run knows."""
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(to_graph(function)(*(tf.placeholder_with_default(v, np.shape(v)) for v in values)))


def failing(x):
    if x > 0:
        x = tf.matmul(x, x)
    return x


def test_an_error_points_at_the_line_of_the_program():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="must be rank 2") as caught:
        to_graph(failing)(tf.placeholder_with_default(1.0, []))
    here = [f for f in traceback.extract_tb(caught.tb) if f.filename == __file__]
    assert [(f.name, f.line) for f in here if f.name == "failing"][-1] == ("failing", "x = tf.matmul(x, x)")


def with_else(n):
    i = 0
    while i < n:
        i += 1
        if i > 5:
            break
    else:
        i = -i
    return i


def test_else_of_a_loop_runs_unless_it_was_left():
    assert [run(with_else, v) for v in (3, 9)] == [-3, 6]


class Base:
    def scaled(self, x):
        return x * 10.0


class Derived(Base):
    def __init__(self):
        self.__factor = 3.0

    def scaled(self, x):
        if x > 0:
            return super().scaled(x) * self.__factor
        return x


def test_methods_keep_super_and_private_names():
    made = Derived()
    assert run(lambda x: made.scaled(x), 2.0) == 60.0


def test_two_lambdas_of_a_line_are_told_apart():
    f, g = (lambda x: x if x > 0 else -x), (lambda x: x if x < 0 else -x)
    assert (run(f, -2.0), run(g, 2.0)) == (2.0, -2.0)


def test_closures_see_what_changes_later():
    factor = 2.0

    def scaled(x):
        if x > 0:
            x = x * factor
        return x

    made = to_graph(scaled)
    factor = 5.0
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(made(tf.constant(2.0))) == 10.0


def only_python(values, *more, scale=2, **rest):
    total: int = 0
    for v in values:
        if v is None:
            continue
        try:
            if v > 100:
                raise KeyError(v)
            total += v * scale
        except KeyError:
            return "large"
        finally:
            total += 1
    with np.errstate(all="ignore"):
        while total > 50 or rest:
            total //= 2
            rest = {}
    return [total, *more] if not rest else {k: v for k, v in rest.items() if v and total}


def test_plain_python_does_what_it_did():
    made = to_graph(only_python)
    calls = [(([1, None, 3],), {}), (([1, 200],), {}), (([60], 4), {"scale": 3}), (([],), {"k": 1})]
    with tf.Graph().as_default():
        assert [made(*a, **k) for a, k in calls] == [only_python(*a, **k) for a, k in calls]


def test_what_cannot_be_converted_is_called_as_it_is():
    def generator(n):
        yield from range(n)

    def frame(x):
        return locals()["x"]

    def caller(x):
        return sum(generator(3)) + frame(x)

    assert run(caller, 2.0) == 5.0
    with pytest.raises(tf.autograph.to_graph.__globals__["ConversionError"], match="looks at the frame"):
        to_graph(frame)


def test_elements_and_new_attributes_of_branches():
    class Box:
        pass

    def kept(x):
        box, d = Box(), {"a": [x, x]}
        if x > 0:
            box.value = x * 2.0
            d["a"][0] = x + 1.0
        else:
            box.value = -x
        return box.value + d["a"][0] + d["a"][1]

    assert [run(kept, v) for v in (2.0, -3.0)] == [9.0, -3.0]


def test_effects_wait_for_each_other_if_asked_for():
    def counted(v):
        v.assign_add(1.0)
        return v.read_value()

    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)
        made = to_graph(counted, experimental_optional_features=tf.autograph.experimental.Feature.AUTO_CONTROL_DEPS)
        y = made(v)
        session.run(v.initializer)
        assert session.run(y) == 2.0


def test_code_is_python():
    functions.tf = tf
    text = tf.autograph.to_code(functions.branch)
    compile(text, "text", "exec")
    assert "ag__.if_stmt(x > 0, if_true, if_false" in text


def test_a_traced_function_branches_where_ops_run_at_once():
    with tf.Graph().as_default():
        pass
    from retrograd.testing.modes import eager_mode

    with eager_mode():
        f = tf.function(functions.branch_that_returns)
        assert [f(tf.constant(v)).numpy() for v in (2.0, -3.0)] == [4.0, 3.0]


def _gathered(values, to):
    if isinstance(values, list):
        for value in values:
            _gathered(value, to)
    else:
        to.append(values)
    return to


def test_a_traced_function_is_converted_inside_one_that_is_not():
    @tf.function(autograph=True)
    def more(x):
        if x > 1.0:
            return x + 1.0
        return x

    with tf.Graph().as_default(), tf.Session() as session:
        whole = tf.function(lambda x: more(x) * 2.0, autograph=False)
        assert session.run([whole(tf.constant(2.0)), whole(tf.constant(1.0))]) == [6.0, 2.0]  # as in TensorFlow


def test_what_a_branch_gives_may_be_read_by_what_it_does():
    with tf.Graph().as_default(), tf.Session() as session:
        kept = tf.Variable([0.0, 0.0], use_resource=True)

        @tf.function
        def step(x):
            if x < 0.0:
                return -x, x
            if x > 1.0:
                pair = (x + 1.0, x * 2.0)
            else:
                pair = (x, x)
            kept.assign(tf.stack(pair))
            return pair

        x = tf.placeholder(tf.float32, [])
        given = step(x)
        session.run(tf.global_variables_initializer())
        assert session.run(given, {x: 2.0}) == (3.0, 4.0)
        assert session.run(kept).tolist() == [3.0, 4.0]
        assert session.run(given, {x: -2.0}) == (2.0, -2.0)
        assert session.run(kept).tolist() == [3.0, 4.0]


def test_a_function_of_a_module_may_call_itself():
    assert tf.autograph.to_graph(_gathered)([1, [2, [3]]], []) == [1, 2, 3]


@pytest.mark.parametrize("mode", ["never", "always"])
def test_branches_and_loops_do_what_they_do_in_turn(monkeypatch, mode):
    monkeypatch.setenv("RETROGRAD_JIT", mode)
    wanted = json.loads((Path(record_turns.__file__).parent / "turns.json").read_text())
    with tf.Graph().as_default():
        assert record_turns.results(tf) == wanted


def test_a_function_that_gives_nothing_is_an_op():
    with tf.Graph().as_default():
        assert isinstance(tf.function(lambda: None)(), tf.Operation)


def test_a_variable_that_a_function_makes_is_initialized_outside_of_its_turn():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)
        made = []

        def count(x):
            v.assign_add(x)
            if not made:
                made.append(tf.Variable(5.0))
            made[0].assign_add(v)
            return made[0].read_value()

        counted = tf.function(count)(tf.constant(2.0))
        session.run(tf.global_variables_initializer())
        assert session.run([v, made[0]]) == [1.0, 5.0]
        assert session.run([counted])[0] == 8.0
