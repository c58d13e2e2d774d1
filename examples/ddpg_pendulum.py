"""Deep deterministic policy gradient swings a pendulum up: Pendulum-v1, a mean return of -200 or better.

The critic Q(s, a) says how its value would change with the actions, dQ/da; the actor mu(s) passes that on:
``tf.gradients(actions, actor_vars, grad_ys=-action_gradients)`` is -sum(dQ/da dmu/dtheta), the direction that
``apply_gradients`` descends. Silver et al. 2014, Lillicrap et al. 2015.

retrograd run examples/ddpg_pendulum.py --seed 1
"""

import argparse

import gym
import numpy as np
import tensorflow as tf

from returns import Progress, evaluate

GAMMA = 0.98
BATCH = 128
STEPS = 30_000
WARM_UP = 1_000  # steps of random actions
TRACK = 0.005  # how far the lagging networks follow in a step


def actor(states, scope):
    with tf.variable_scope(scope):
        hidden = tf.layers.dense(states, 128, tf.nn.relu)
        hidden = tf.layers.dense(hidden, 128, tf.nn.relu)
        near_zero = tf.random_uniform_initializer(-3e-3, 3e-3)
        return 2.0 * tf.layers.dense(hidden, 1, tf.tanh, kernel_initializer=near_zero)


def critic(states, actions, scope):
    with tf.variable_scope(scope):
        hidden = tf.layers.dense(tf.concat([states, actions], axis=1), 128, tf.nn.relu)
        hidden = tf.layers.dense(hidden, 128, tf.nn.relu)
        return tf.layers.dense(hidden, 1)


class Agent:
    def __init__(self):
        self.state = tf.placeholder(tf.float32, [None, 3])
        self.action = tf.placeholder(tf.float32, [None, 1])
        self.reward = tf.placeholder(tf.float32, [None, 1])
        self.next_state = tf.placeholder(tf.float32, [None, 3])
        self.action_gradient = tf.placeholder(tf.float32, [None, 1])
        self.actions = actor(self.state, "actor")
        q = critic(self.state, self.action, "critic")
        next_actions = actor(self.next_state, "lagging_actor")
        # no episode of this task ends for good, so every next state counts
        goal = self.reward + GAMMA * critic(self.next_state, next_actions, "lagging_critic")
        loss = tf.losses.mean_squared_error(tf.stop_gradient(goal), q)
        actor_vars, critic_vars = tf.trainable_variables("actor"), tf.trainable_variables("critic")
        lagging = tf.trainable_variables("lagging_actor") + tf.trainable_variables("lagging_critic")

        self.train_critic = tf.train.AdamOptimizer(1e-3).minimize(loss, var_list=critic_vars)
        self.action_gradients = tf.gradients(q, self.action)[0]
        actor_gradients = tf.gradients(self.actions, actor_vars, grad_ys=-self.action_gradient / BATCH)
        self.train_actor = tf.train.AdamOptimizer(5e-4).apply_gradients(zip(actor_gradients, actor_vars))

        pairs = list(zip(lagging, actor_vars + critic_vars))
        self.copy = tf.group(*[old.assign(new) for old, new in pairs])
        self.track = tf.group(*[old.assign_add(TRACK * (new - old)) for old, new in pairs])

    def act(self, sess, state):
        return sess.run(self.actions, {self.state: [state]})[0]

    def learn(self, sess, states, actions, rewards, next_states):
        sess.run(self.train_critic, {self.state: states, self.action: actions, self.reward: rewards,
                                     self.next_state: next_states})  # fmt: skip
        chosen = sess.run(self.actions, {self.state: states})
        slopes = sess.run(self.action_gradients, {self.state: states, self.action: chosen})
        sess.run(self.train_actor, {self.state: states, self.action_gradient: slopes})
        sess.run(self.track)


def learn(sess, agent, env, random):
    memory = [np.zeros((STEPS, n), "f") for n in (3, 1, 1, 3)]
    progress = Progress(solved=-200, every=10)
    sess.run(agent.copy)
    state, total, steady = env.reset(), 0.0, 0
    for step in range(STEPS):
        if step < WARM_UP:
            action = random.uniform(-2.0, 2.0, 1)
        else:
            action = np.clip(agent.act(sess, state) + random.normal(0.0, 0.3, 1), -2.0, 2.0)
        next_state, reward, done, _ = env.step(action)
        total += float(reward)
        for column, value in zip(memory, (state, action, 0.1 * reward, next_state)):
            column[step] = value
        state = next_state
        if step >= WARM_UP:
            some = random.randint(step + 1, size=BATCH)
            agent.learn(sess, *[column[some] for column in memory])
        if done:
            progress.episode(total, step)
            if len(progress.returns) % 10 == 0 and np.mean(progress.returns[-10:]) > -200:
                steady += 1
                if steady >= 2 and evaluate(env, lambda s: agent.act(sess, s), 20) > -170:
                    break
            state, total = env.reset(), 0.0
    return progress


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tf.set_random_seed(args.seed)
    env = gym.make("Pendulum-v1")
    env.seed(args.seed)
    agent = Agent()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        progress = learn(sess, agent, env, np.random.RandomState(args.seed))
        mean = evaluate(env, lambda state: agent.act(sess, state), 100)
    progress.plot(f"ddpg_pendulum_{args.seed}.png")
    print(f"Mean return of 100 evaluation episodes: {mean:.1f} ({'solved' if mean >= -200 else 'not solved'})")


if __name__ == "__main__":
    main()
