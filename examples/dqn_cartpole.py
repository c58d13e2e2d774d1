"""Deep Q-learning balances a pole: CartPole-v1, solved by a mean return of 475.

Two networks guess the value Q(s, a) of actions; the second one lags, and the target y = r + 0.99 max Q'(s', .)
must be a constant to the gradient. Two ways, one gradient: ``--target placeholder`` computes y in one run and
feeds it to the next, ``--target stop_gradient`` builds it in the graph behind ``tf.stop_gradient``.

retrograd run examples/dqn_cartpole.py --target stop_gradient --seed 1
"""

import argparse

import gym
import numpy as np
import tensorflow as tf

from returns import Progress, evaluate

GAMMA = 0.99
BATCH = 64
MEMORY = 50_000
STEPS = 60_000
TRACK = 0.02  # how far the lagging network follows in a step


def q_network(states, scope):
    with tf.variable_scope(scope):
        hidden = tf.layers.dense(states, 128, tf.nn.relu)
        hidden = tf.layers.dense(hidden, 128, tf.nn.relu)
        return tf.layers.dense(hidden, 2)


class Agent:
    def __init__(self, target):
        self.target = target
        self.state = tf.placeholder(tf.float32, [None, 4])
        self.action = tf.placeholder(tf.int32, [None])
        self.reward = tf.placeholder(tf.float32, [None])
        self.next_state = tf.placeholder(tf.float32, [None, 4])
        self.failed = tf.placeholder(tf.float32, [None])
        self.rate = tf.placeholder(tf.float32, [])
        self.q = q_network(self.state, "learner")
        next_q = q_network(self.next_state, "lagging")
        self.y = self.reward + GAMMA * (1.0 - self.failed) * tf.reduce_max(next_q, axis=1)
        if target == "placeholder":
            self.goal = tf.placeholder(tf.float32, [None])
        else:
            self.goal = tf.stop_gradient(self.y)
        chosen = tf.reduce_sum(self.q * tf.one_hot(self.action, 2), axis=1)
        self.loss = tf.losses.huber_loss(self.goal, chosen)
        self.learner, self.lagging = tf.trainable_variables("learner"), tf.trainable_variables("lagging")
        # no var_list: the lagging network stays as it is because no gradient reaches it
        self.step = tf.train.AdamOptimizer(self.rate).minimize(self.loss)
        pairs = list(zip(self.lagging, self.learner))
        self.copy = tf.group(*[old.assign(new) for old, new in pairs])
        self.track = tf.group(*[old.assign_add(TRACK * (new - old)) for old, new in pairs])

    def feeds(self, sess, states, actions, rewards, next_states, failed):
        """What the loss needs; the fed target takes a run of its own."""
        of_target = {self.reward: rewards, self.next_state: next_states, self.failed: failed}
        feeds = {self.state: states, self.action: actions}
        if self.target == "placeholder":
            return {**feeds, self.goal: sess.run(self.y, of_target)}
        return {**feeds, **of_target}

    def act(self, sess, state):
        return int(np.argmax(sess.run(self.q, {self.state: [state]})[0]))


def learn(sess, agent, env, random):
    memory = [np.zeros((MEMORY, 4), "f"), np.zeros(MEMORY, "i"), np.zeros(MEMORY, "f"),
              np.zeros((MEMORY, 4), "f"), np.zeros(MEMORY, "f")]  # fmt: skip
    progress = Progress(solved=475)
    state, total = env.reset(), 0.0
    sess.run(agent.copy)
    for step in range(STEPS):
        explore = max(0.02, 1.0 - step / 8_000)
        action = random.randint(2) if random.rand() < explore else agent.act(sess, state)
        next_state, reward, done, info = env.step(action)
        total += reward
        failed = done and not info.get("TimeLimit.truncated")  # time that is up is no failure
        for column, value in zip(memory, (state, action, 0.1 * reward, next_state, failed)):
            column[step % MEMORY] = value
        state = next_state
        if step >= 1000:
            some = random.randint(min(step + 1, MEMORY), size=BATCH)
            feeds = agent.feeds(sess, *[column[some] for column in memory])
            sess.run(agent.step, {**feeds, agent.rate: 1e-3 * max(0.05, 1.0 - step / STEPS)})
            sess.run(agent.track)
        if done:
            progress.episode(total, step)
            if min(progress.returns[-3:]) >= 495 and evaluate(env, lambda s: agent.act(sess, s), 20) >= 495:
                break
            state, total = env.reset(), 0.0
    return progress


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", choices=["placeholder", "stop_gradient"], default="stop_gradient")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tf.set_random_seed(args.seed)
    env = gym.make("CartPole-v1")
    env.seed(args.seed)
    agent = Agent(args.target)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        progress = learn(sess, agent, env, np.random.RandomState(args.seed))
        mean = evaluate(env, lambda state: agent.act(sess, state), 100)
    progress.plot(f"dqn_cartpole_{args.target}_{args.seed}.png")
    print(f"Mean return of 100 evaluation episodes: {mean:.1f} ({'solved' if mean >= 475 else 'not solved'})")


if __name__ == "__main__":
    main()
