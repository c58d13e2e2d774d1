"""Linear regression, one example a step; the training op, the gradient and the loss are fetched."""

import numpy as np

from bench.workloads import Program


def data(rng, digits):
    x = rng.randint(-10, 100, 32)
    return {"x": x + rng.randn(32) / 32, "y": 3 * x + 2 + rng.randn(32) / 32}


def in_tensorflow(tf, d):
    x_train, y_train = d["x"], d["y"]
    x_input = tf.placeholder(tf.float32, name="x_input")
    y_input = tf.placeholder(tf.float32, name="y_input")
    w = tf.Variable(2.0, name="weight")
    b = tf.Variable(1.0, name="biases")
    y = tf.add(tf.multiply(x_input, w), b)
    loss_op = tf.reduce_sum(tf.pow(y_input - y, 2)) / (2 * 32)
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss_op)
    gradients_node = tf.gradients(loss_op, w)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        feeds = {x_input: x_train[i % 32], y_input: y_train[i % 32]}
        _, _, loss = sess.run([train_op, gradients_node, loss_op], feed_dict=feeds)
        return loss

    return Program(step)


def in_jax(d):
    import jax
    import jax.numpy as jnp

    def loss_of(params, x, y):
        w, b = params
        return jnp.sum((y - (x * w + b)) ** 2) / (2 * 32)

    @jax.jit(donate_argnums=0)
    def update(params, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(params, x, y)
        params = [p - 0.01 * g for p, g in zip(params, gradients)]
        return params, gradients[0], loss

    params = [jnp.float32(2), jnp.float32(1)]
    x_train, y_train = d["x"].astype(np.float32), d["y"].astype(np.float32)

    def step(i):
        nonlocal params
        params, gradient, loss = update(params, x_train[i % 32], y_train[i % 32])
        np.asarray(gradient)
        return np.asarray(loss)

    return Program(step)


def in_torch(d):
    import torch

    w = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([w, b], lr=0.01)
    x_train, y_train = torch.from_numpy(d["x"]).float(), torch.from_numpy(d["y"]).float()

    def step(i):
        optimizer.zero_grad()
        loss = torch.sum((y_train[i % 32] - (x_train[i % 32] * w + b)) ** 2) / (2 * 32)
        loss.backward()
        w.grad.item()
        optimizer.step()
        return loss.item()

    return Program(step)
