"""Optimizers outside of the graph."""

import numpy as np
import pytest

from retrograd import tf

pytest.importorskip("scipy.optimize")


def quadratic():
    v = tf.Variable([7.0, 7.0], name="v")
    w = tf.Variable(1.0, name="w")
    return v, w, tf.reduce_sum(tf.square(v)) + tf.square(w - 2.0)


def test_scipy_finds_the_least_loss():
    with tf.Graph().as_default(), tf.Session() as session:
        v, w, loss = quadratic()
        seen = []
        optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, method="L-BFGS-B", options={"maxiter": 100})
        session.run(tf.global_variables_initializer())
        optimizer.minimize(session, fetches=[loss], loss_callback=seen.append)
        np.testing.assert_allclose(session.run(v), [0.0, 0.0], atol=1e-4)
        assert abs(session.run(w) - 2.0) < 1e-4
        assert len(seen) > 1
        assert seen[-1] < seen[0]


def test_truncated_newton_counts_evaluations():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.Variable(np.full(5, 3.0))
        loss = tf.reduce_sum(100.0 * tf.square(x[1:] - tf.square(x[:-1])) + tf.square(1.0 - x[:-1]))
        session.run(tf.global_variables_initializer())
        tf.contrib.opt.ScipyOptimizerInterface(loss, method="TNC", options={"maxiter": 1000}).minimize(session)
        np.testing.assert_allclose(session.run(x), np.ones(5), atol=0.1)


def test_constraints_and_bounds():
    with tf.Graph().as_default(), tf.Session() as session:
        v, _, loss = quadratic()
        bounded = tf.contrib.opt.ScipyOptimizerInterface(loss, var_to_bounds={v: ([1.0, 2.0], np.inf)})
        session.run(tf.global_variables_initializer())
        bounded.minimize(session)
        np.testing.assert_allclose(session.run(v), [1.0, 2.0], atol=1e-4)
        constrained = tf.contrib.opt.ScipyOptimizerInterface(
            loss, equalities=[v[1] - 1.0], inequalities=[v[0] - 1.0], method="SLSQP"
        )
        constrained.minimize(session)
        np.testing.assert_allclose(session.run(v), [1.0, 1.0], atol=1e-4)


def test_what_the_interface_sets_itself_is_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        _, _, loss = quadratic()
        session.run(tf.global_variables_initializer())
        with pytest.raises(ValueError, match="'jac' is set automatically"):
            tf.contrib.opt.ScipyOptimizerInterface(loss, jac=False).minimize(session)
        with pytest.raises(ValueError, match="Bounds must be set using the var_to_bounds argument"):
            tf.contrib.opt.ScipyOptimizerInterface(loss, bounds=[]).minimize(session)
        with pytest.raises(NotImplementedError, match="implement the _minimize"):
            tf.contrib.opt.ExternalOptimizerInterface(loss).minimize(session)


def test_without_scipy_it_says_how_to_get_it(monkeypatch):
    from retrograd.train import external

    def no_scipy(name):
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(external.importlib, "import_module", no_scipy)
    with pytest.raises(ImportError) as caught:
        external._scipy_optimize()
    assert caught.value.__notes__[-1] == "  Fix:   pip install scipy"
