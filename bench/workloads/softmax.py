"""Softmax regression on MNIST, batch 100: the tutorials' first program; batches are fed from NumPy."""

import numpy as np

from bench.workloads import Program

BATCHES = 64


def data(rng, digits, batch=100):
    chosen = rng.randint(0, len(digits.images), (BATCHES, batch))
    return {"images": digits.images[chosen], "labels": digits.labels[chosen]}


def in_tensorflow(tf, d):
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.float32, [None, 10])
    W = tf.Variable(tf.zeros([784, 10]))
    b = tf.Variable(tf.zeros([10]))
    pred = tf.nn.softmax(tf.matmul(x, W) + b)
    cost = tf.reduce_mean(-tf.reduce_sum(y * tf.log(pred), reduction_indices=1))
    optimizer = tf.train.GradientDescentOptimizer(0.01).minimize(cost)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        feeds = {x: d["images"][i % BATCHES], y: d["labels"][i % BATCHES]}
        _, c = sess.run([optimizer, cost], feed_dict=feeds)
        return c

    return Program(step)


def in_jax(d):
    import jax
    import jax.numpy as jnp

    def cost_of(params, x, y):
        W, b = params
        return jnp.mean(-jnp.sum(y * jax.nn.log_softmax(x @ W + b), axis=1))

    @jax.jit(donate_argnums=0)
    def update(params, x, y):
        cost, gradients = jax.value_and_grad(cost_of)(params, x, y)
        return [p - 0.01 * g for p, g in zip(params, gradients)], cost

    params = [jnp.zeros((784, 10)), jnp.zeros(10)]

    def step(i):
        nonlocal params
        params, cost = update(params, d["images"][i % BATCHES], d["labels"][i % BATCHES])
        return np.asarray(cost)

    return Program(step)


def in_torch(d):
    import torch

    W = torch.zeros(784, 10, requires_grad=True)
    b = torch.zeros(10, requires_grad=True)
    optimizer = torch.optim.SGD([W, b], lr=0.01)

    def step(i):
        x, y = torch.from_numpy(d["images"][i % BATCHES]), torch.from_numpy(d["labels"][i % BATCHES])
        optimizer.zero_grad()
        cost = torch.nn.functional.cross_entropy(x @ W + b, y)
        cost.backward()
        optimizer.step()
        return cost.item()

    return Program(step)
