"""Asynchronous advantage actor-critic (Mnih et al. 2016): threads that act and learn on the same weights.

Each worker plays in an environment of its own and runs its steps in the one session that all of them share;
the variables are the session's, so every worker sees what the others have learned.

retrograd run examples/a3c_cartpole.py --workers 4
"""

import argparse
import threading

import gym
import numpy as np
import tensorflow as tf

from returns import Progress, evaluate

GAMMA = 0.99
HORIZON = 32  # steps between updates
STEPS = 400_000  # of all workers together


class Network:
    def __init__(self):
        self.state = tf.placeholder(tf.float32, [None, 4])
        self.action = tf.placeholder(tf.int32, [None])
        self.goal = tf.placeholder(tf.float32, [None])
        self.rate = tf.placeholder(tf.float32, [])
        policy = tf.layers.dense(self.state, 64, tf.tanh)
        logits = tf.layers.dense(policy, 2)
        critic = tf.layers.dense(self.state, 64, tf.tanh)
        self.value = tf.layers.dense(critic, 1)[:, 0]
        self.policy = tf.nn.softmax(logits)
        advantage = self.goal - self.value
        cost = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.action, logits=logits)
        entropy = -tf.reduce_sum(self.policy * tf.nn.log_softmax(logits), axis=1)
        loss = tf.reduce_mean(cost * tf.stop_gradient(advantage) + 0.05 * tf.square(advantage) - 0.01 * entropy)
        optimizer = tf.train.AdamOptimizer(self.rate)
        gradients, variables = zip(*optimizer.compute_gradients(loss))
        gradients, _ = tf.clip_by_global_norm(gradients, 0.5)
        self.step = optimizer.apply_gradients(zip(gradients, variables))


class Team:
    """What the workers share."""

    def __init__(self, sess, network):
        self.sess, self.network = sess, network
        self.steps, self.solved, self.lock = 0, False, threading.Lock()
        self.progress = Progress(solved=475, every=50)

    def count(self, n):
        with self.lock:
            self.steps += n

    def episode(self, total):
        with self.lock:
            self.progress.episode(total, self.steps)
            self.solved = len(self.progress.returns) >= 30 and np.mean(self.progress.returns[-30:]) >= 492


def work(team, seed):
    net, random = team.network, np.random.RandomState(seed)
    env = gym.make("CartPole-v1")
    env.seed(seed)
    state, total = env.reset(), 0.0
    while team.steps < STEPS and not team.solved:
        states, actions, rewards, ended, tails = [], [], [], [], []
        for _ in range(HORIZON):
            p = team.sess.run(net.policy, {net.state: [state]})
            action = int(random.rand() < p[0, 1])
            states.append(state)
            actions.append(action)
            state, reward, done, info = env.step(action)
            total += reward
            rewards.append(reward)
            cut = done and info.get("TimeLimit.truncated")  # time is up: what would have come still counts
            tails.append(team.sess.run(net.value, {net.state: [state]})[0] if cut else 0.0)
            ended.append(done)
            if done:
                team.episode(total)
                state, total = env.reset(), 0.0
        goal = team.sess.run(net.value, {net.state: [state]})[0]
        goals = []
        for reward, done, tail in zip(rewards[::-1], ended[::-1], tails[::-1]):
            goal = reward + GAMMA * (tail if done else goal)
            goals.append(goal)
        rate = 2e-3 * max(0.1, 1.0 - team.steps / STEPS)
        feeds = {net.state: states, net.action: actions, net.goal: goals[::-1], net.rate: rate}
        team.sess.run(net.step, feeds)
        team.count(HORIZON)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=4)
    args = parser.parse_args()
    tf.set_random_seed(args.seed)
    network = Network()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        team = Team(sess, network)
        workers = [threading.Thread(target=work, args=(team, 1000 * args.seed + i)) for i in range(args.workers)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        env = gym.make("CartPole-v1")
        env.seed(args.seed)
        mean = evaluate(env, lambda s: int(np.argmax(sess.run(network.policy, {network.state: [s]})[0])), 100)
    team.progress.plot(f"a3c_cartpole_{args.seed}.png")
    print(f"Mean return of 100 evaluation episodes: {mean:.1f} ({'solved' if mean >= 475 else 'not solved'})")


if __name__ == "__main__":
    main()
