"""A step that does next to nothing to each of many small variables: what remains is the price of a call."""

import numpy as np

from bench.workloads import Program

SIZE = 8


def data(rng, digits, variables):
    return {"w": rng.randn(variables, SIZE).astype(np.float32), "x": rng.randn(64, SIZE).astype(np.float32)}


def in_tensorflow(tf, d, variables):
    x = tf.placeholder(tf.float32, [SIZE])
    ws = [tf.Variable(w) for w in d["w"]]
    loss = tf.reduce_sum(tf.add_n(ws) * x) / variables
    train = tf.train.GradientDescentOptimizer(1e-4).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        return sess.run([loss, train], {x: d["x"][i % 64]})[0]

    return Program(step)


def in_jax(d, variables):
    import jax
    import jax.numpy as jnp

    def loss_of(ws, x):
        return jnp.sum(sum(ws) * x) / variables

    @jax.jit(donate_argnums=0)
    def update(ws, x):
        loss, gradients = jax.value_and_grad(loss_of)(ws, x)
        return [w - 1e-4 * g for w, g in zip(ws, gradients)], loss

    ws = [jnp.array(w) for w in d["w"]]

    def step(i):
        nonlocal ws
        ws, loss = update(ws, d["x"][i % 64])
        return np.asarray(loss)

    return Program(step)


def in_jax_packed(d, variables):
    """The cheapest call there is: all the state in one donated buffer, taken apart inside."""
    import jax
    import jax.numpy as jnp

    def loss_of(packed, x):
        ws = [packed[k * SIZE : (k + 1) * SIZE] for k in range(variables)]
        return jnp.sum(sum(ws) * x) / variables

    @jax.jit(donate_argnums=0)
    def update(packed, x):
        loss, gradient = jax.value_and_grad(loss_of)(packed, x)
        return packed - 1e-4 * gradient, loss

    packed = jnp.array(d["w"].ravel())

    def step(i):
        nonlocal packed
        packed, loss = update(packed, d["x"][i % 64])
        return np.asarray(loss)

    return Program(step)


def in_torch(d, variables):
    import torch

    ws = [torch.tensor(w, requires_grad=True) for w in d["w"]]
    optimizer = torch.optim.SGD(ws, lr=1e-4)

    def step(i):
        x = torch.from_numpy(d["x"][i % 64])
        optimizer.zero_grad()
        loss = torch.sum(sum(ws) * x) / variables
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step)
