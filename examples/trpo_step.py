"""Trust region policy optimization (Schulman et al. 2015): natural steps, by Hessian-vector products.

A step solves F s = g by conjugate gradients, with g the policy gradient and F the Hessian of the divergence
KL(old | new): only products F v are needed, and they are gradients of a gradient, d(dKL/dw . v)/dw. The step is
as long as KL <= 0.01 allows, and halved until the surrogate improves.

retrograd run examples/trpo_step.py
"""

import argparse

import gym
import numpy as np
import tensorflow as tf

from returns import Progress, evaluate

GAMMA, BATCH, UPDATES, RADIUS = 0.99, 4000, 40, 0.01


def flat(tensors):
    return tf.concat([tf.reshape(t, [-1]) for t in tensors], axis=0)


class Policy:
    def __init__(self):
        self.state = tf.placeholder(tf.float32, [None, 4])
        self.action = tf.placeholder(tf.int32, [None])
        self.advantage = tf.placeholder(tf.float32, [None])
        self.old = tf.placeholder(tf.float32, [None, 2])  # logarithms of the old probabilities
        self.log_p = tf.nn.log_softmax(tf.layers.dense(tf.layers.dense(self.state, 32, tf.tanh), 2))
        w = tf.trainable_variables()
        chosen = tf.reduce_sum(tf.one_hot(self.action, 2) * (self.log_p - self.old), axis=1)
        self.surrogate = tf.reduce_mean(tf.exp(chosen) * self.advantage)
        self.kl = tf.reduce_mean(tf.reduce_sum(tf.exp(self.old) * (self.old - self.log_p), axis=1))
        self.gradient = flat(tf.gradients(self.surrogate, w))
        self.v = tf.placeholder(tf.float32, self.gradient.shape)
        slope = tf.reduce_sum(flat(tf.gradients(self.kl, w)) * self.v)
        self.hessian_times_v = flat(tf.gradients(slope, w))
        self.weights = flat(w)
        sizes = [x.shape.num_elements() for x in w]
        self.set_weights = [x.assign(tf.reshape(part, x.shape)) for x, part in zip(w, tf.split(self.v, sizes))]

    def act(self, sess, state):
        return sess.run(self.log_p, {self.state: [state]})[0]


def solve(product, g, iterations=10):
    """x with product(x) = g, by conjugate gradients."""
    x, r = np.zeros_like(g), g.copy()
    p, rr = r.copy(), r @ r
    for _ in range(iterations):
        fp = product(p)
        alpha = rr / (p @ fp)
        x, r = x + alpha * p, r - alpha * fp
        rr, before = r @ r, rr
        if rr < 1e-10:
            break
        p = r + rr / before * p
    return x


def step(sess, policy, feeds):
    """One update; returns the divergence from the old policy."""
    g, before, weights = sess.run([policy.gradient, policy.surrogate, policy.weights], feeds)

    def product(v):
        return sess.run(policy.hessian_times_v, {**feeds, policy.v: v}) + 0.1 * v

    s = solve(product, g)
    s *= np.sqrt(2 * RADIUS / (s @ product(s)))
    for length in 0.5 ** np.arange(10):
        sess.run(policy.set_weights, {policy.v: weights + length * s})
        after, kl = sess.run([policy.surrogate, policy.kl], feeds)
        if after > before and kl <= 1.5 * RADIUS:
            return kl
    sess.run(policy.set_weights, {policy.v: weights})
    return 0.0


def play(sess, policy, env, random, progress):
    """BATCH steps, and for each what came after it, compared with a linear guess from the state."""
    states, actions, goals = [], [], []
    while len(states) < BATCH:
        state, done, rewards = env.reset(), False, []
        while not done:
            action = int(random.rand() < np.exp(policy.act(sess, state)[1]))
            states.append(state)
            actions.append(action)
            state, reward, done, _ = env.step(action)
            rewards.append(reward)
        total = 0.0
        returns = []
        for reward in rewards[::-1]:
            total = reward + GAMMA * total
            returns.append([total, len(rewards) - len(returns)])
        goals += returns[::-1]
        progress.episode(sum(rewards), len(states))
    s, (goals, times) = np.array(states), np.array(goals).T / [[1], [100]]
    features = np.column_stack([s, s**2, times, times**2, times**3, np.ones(len(s))])
    advantages = goals - features @ np.linalg.lstsq(features, goals, rcond=None)[0]
    return s, actions, (advantages - advantages.mean()) / (advantages.std() + 1e-8)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tf.set_random_seed(args.seed)
    random, env = np.random.RandomState(args.seed), gym.make("CartPole-v1")
    env.seed(args.seed)
    policy, progress = Policy(), Progress(solved=475, every=10**9)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for update in range(1, UPDATES + 1):
            seen = len(progress.returns)
            states, actions, advantages = play(sess, policy, env, random, progress)
            feeds = {policy.state: states, policy.action: actions, policy.advantage: advantages}
            feeds[policy.old] = sess.run(policy.log_p, feeds)
            kl = step(sess, policy, feeds)
            mean = np.mean(progress.returns[seen:])
            print(f"update {update:2d}  mean return {mean:6.1f}  divergence {kl:.4f}", flush=True)
            if mean >= 495:
                break
        mean = evaluate(env, lambda state: int(np.argmax(policy.act(sess, state))), 100)
    progress.plot(f"trpo_step_{args.seed}.png")
    print(f"Mean return of 100 evaluation episodes: {mean:.1f} ({'solved' if mean >= 475 else 'not solved'})")


if __name__ == "__main__":
    main()
