"""An LSTM of 128 units over the 28 rows of MNIST's images, batch 100, ``dynamic_rnn``, Adam."""

import numpy as np

from bench.workloads import Program
from bench.workloads.softmax import BATCHES

UNITS = 128


def data(rng, digits, batch=100):
    chosen = rng.randint(0, len(digits.images), (BATCHES, batch))
    images = digits.images[chosen].reshape(BATCHES, batch, 28, 28)
    return {
        "images": images,
        "labels": digits.labels[chosen].argmax(-1).astype(np.int32),
        "kernel": (rng.randn(28 + UNITS, 4 * UNITS) * 0.08).astype(np.float32),  # gates: input, new, forget, output
        "w": (rng.randn(UNITS, 10) * 0.1).astype(np.float32),
        "b": np.zeros(10, np.float32),
    }


def in_tensorflow(tf, d):
    x = tf.placeholder(tf.float32, [None, 28, 28])
    y = tf.placeholder(tf.int32, [None])
    cell = tf.nn.rnn_cell.LSTMCell(UNITS, initializer=tf.constant_initializer(d["kernel"]))
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    logits = tf.matmul(outputs[:, -1], tf.Variable(d["w"])) + tf.Variable(d["b"])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        return sess.run([loss, train], {x: d["images"][i % BATCHES], y: d["labels"][i % BATCHES]})[0]

    return Program(step)


def in_jax(d):
    import jax
    import jax.numpy as jnp

    from bench import adam

    def loss_of(params, x, y):
        def cell(state, row):
            c, h = state
            gates = jnp.concatenate([row, h], axis=1) @ params["kernel"] + params["bias"]
            i, j, f, o = jnp.split(gates, 4, axis=1)
            c = jax.nn.sigmoid(f + 1) * c + jax.nn.sigmoid(i) * jnp.tanh(j)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (c, h), None

        zeros = jnp.zeros((len(x), UNITS))
        (_, h), _ = jax.lax.scan(cell, (zeros, zeros), jnp.swapaxes(x, 0, 1))
        p = jax.nn.log_softmax(h @ params["w"] + params["b"])
        return -jnp.mean(jnp.take_along_axis(p, y[:, None], axis=1))

    @jax.jit(donate_argnums=0)
    def update(state, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(state.params, x, y)
        return adam.update(state, gradients, 1e-3), loss

    params = {k: jnp.array(d[k]) for k in ("kernel", "w", "b")}
    state = adam.start({**params, "bias": jnp.zeros(4 * UNITS)})

    def step(i):
        nonlocal state
        state, loss = update(state, d["images"][i % BATCHES], d["labels"][i % BATCHES])
        return np.asarray(loss)

    return Program(step)


def in_torch(d):
    import torch
    from torch import nn

    lstm, dense = nn.LSTM(28, UNITS, batch_first=True), nn.Linear(UNITS, 10)
    still = give_kernel(lstm, 0, d["kernel"])
    dense.weight.data = torch.from_numpy(d["w"].T.copy())
    dense.bias.data = torch.from_numpy(d["b"].copy())
    parameters = [p for p in (*lstm.parameters(), *dense.parameters()) if p is not still]
    optimizer = torch.optim.Adam(parameters, lr=1e-3)

    def step(i):
        x, y = torch.from_numpy(d["images"][i % BATCHES]), torch.from_numpy(d["labels"][i % BATCHES])
        optimizer.zero_grad()
        outputs, _ = lstm(x)
        loss = nn.functional.cross_entropy(dense(outputs[:, -1]), y.long())
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step)


def give_kernel(lstm, layer, kernel):
    """Give a layer of PyTorch's the kernel of TensorFlow's cell; the second of its biases, which is to stand still."""
    import torch

    i, j, f, o = np.split(kernel.T, 4)
    rows = np.concatenate([i, f, j, o])
    bias = np.zeros(4 * UNITS, np.float32)
    bias[UNITS : 2 * UNITS] = 1  # what TensorFlow's cell adds to the forget gate
    weight_ih, weight_hh, bias_ih, bias_hh = lstm.all_weights[layer]
    inputs = weight_ih.shape[1]
    weight_ih.data = torch.from_numpy(rows[:, :inputs].copy())
    weight_hh.data = torch.from_numpy(rows[:, inputs:].copy())
    bias_ih.data = torch.from_numpy(bias)
    bias_hh.data.zero_()
    return bias_hh
