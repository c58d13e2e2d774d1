"""The examples that learn: what they build, and what reaches the networks that must lag."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import retrograd
from retrograd import hook

pytest.importorskip("gymnasium.envs.classic_control")
EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def tf():
    before = hook.installed()
    retrograd.install()
    sys.path.insert(0, str(EXAMPLES))
    import tensorflow as tf

    yield tf
    sys.path.remove(str(EXAMPLES))
    if not before:
        retrograd.uninstall()


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def batch(n=16):
    random = np.random.RandomState(0)
    return (
        random.normal(size=(n, 4)),
        random.randint(2, size=n),
        np.ones(n),
        random.normal(size=(n, 4)),
        np.arange(n) < 3,
    )


def gradients_of(tf, target):
    """The gradients of both networks' weights on one batch, by name; the agent."""
    dqn = example("dqn_cartpole")
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(5)
        agent = dqn.Agent(target)
        sess.run(tf.global_variables_initializer())
        # the same weights, whatever the ops that stand before them
        random = np.random.RandomState(1)
        for v in agent.learner + agent.lagging:
            v.load(random.normal(size=v.shape.as_list()) / 8, sess)
        weights = agent.learner + agent.lagging
        feeds = agent.feeds(sess, *batch())
        found = tf.gradients(agent.loss, weights)
        return {v.name: None if g is None else sess.run(g, feeds) for v, g in zip(weights, found, strict=True)}


def test_a_fed_target_and_a_stopped_one_have_the_same_gradient(tf):
    fed, stopped = gradients_of(tf, "placeholder"), gradients_of(tf, "stop_gradient")
    for name, gradient in fed.items():
        if name.startswith("learner"):
            assert np.abs(gradient).max() > 1e-3
            np.testing.assert_allclose(stopped[name], gradient, rtol=1e-5, atol=1e-7)
        else:
            assert gradient is None
            assert stopped[name] is None


def test_without_the_stop_the_gradient_leaks_into_the_lagging_network(tf, monkeypatch):
    stopped = gradients_of(tf, "stop_gradient")
    monkeypatch.setattr(tf, "stop_gradient", lambda y: y)
    leaking = gradients_of(tf, "stop_gradient")
    for name, gradient in leaking.items():
        if name.startswith("learner"):
            np.testing.assert_allclose(gradient, stopped[name], rtol=1e-5, atol=1e-7)
        else:
            assert np.abs(gradient).max() > 1e-3  # and `minimize` without var_list would train it


def test_the_actor_climbs_where_the_critic_points(tf):
    """grad_ys = -dQ/da gives -d(sum Q(s, mu(s)))/dtheta, as the whole chain does."""
    ddpg = example("ddpg_pendulum")
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(5)
        states = tf.constant(np.random.RandomState(0).normal(size=(8, 3)), tf.float32)
        actions = ddpg.actor(states, "actor")
        q = ddpg.critic(states, actions, "critic")
        weights = tf.trainable_variables("actor")
        parts = tf.gradients(actions, weights, grad_ys=-tf.gradients(q, actions)[0])
        whole = tf.gradients(-q, weights)
        sess.run(tf.global_variables_initializer())
        for part, one in zip(*sess.run([parts, whole]), strict=True):
            np.testing.assert_allclose(part, one, rtol=1e-5, atol=1e-8)


def test_the_divergence_curves_as_fishers_matrix(tf):
    """The Hessian-vector product of trpo_step is F v, with F the mean outer product of d log p / dw."""
    trpo = example("trpo_step")
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(5)
        policy = trpo.Policy()
        sess.run(tf.global_variables_initializer())
        random = np.random.RandomState(0)
        states, v = random.normal(size=(6, 4)), random.normal(size=policy.v.shape.as_list())
        log_p = sess.run(policy.log_p, {policy.state: states})
        product = sess.run(policy.hessian_times_v, {policy.state: states, policy.old: log_p, policy.v: v})
        slopes = [trpo.flat(tf.gradients(policy.log_p[:, a], tf.trainable_variables())) for a in (0, 1)]
        wanted = 0.0
        for state, p in zip(states, np.exp(log_p), strict=True):
            for probability, slope in zip(p, sess.run(slopes, {policy.state: [state]}), strict=True):
                wanted = wanted + probability * (slope @ v) * slope / len(states)
    np.testing.assert_allclose(product, wanted, rtol=1e-3, atol=1e-5)


def test_conjugate_gradients_solve(tf):
    trpo = example("trpo_step")
    a = np.random.RandomState(0).normal(size=(6, 6))
    matrix, g = a @ a.T + np.eye(6), np.arange(6.0)
    np.testing.assert_allclose(matrix @ trpo.solve(lambda v: matrix @ v, g), g, atol=1e-6)
