"""A perceptron 784-256-256-10 on MNIST, batch 100, Adam; also its answers for one image at a time."""

import numpy as np

from bench.workloads import Program
from bench.workloads.softmax import BATCHES

SIZES = (784, 256, 256, 10)


def data(rng, digits, batch=100):
    chosen = rng.randint(0, len(digits.images), (BATCHES, batch))
    d = {"images": digits.images[chosen], "labels": digits.labels[chosen].argmax(-1).astype(np.int32)}
    for k, (n, m) in enumerate(zip(SIZES, SIZES[1:])):
        d[f"w{k}"] = (rng.randn(n, m) * (2 / n) ** 0.5).astype(np.float32)
        d[f"b{k}"] = np.zeros(m, np.float32)
    return d


def network(tf, d, x):
    """The logits of ``x``."""
    for k in range(3):
        x = tf.matmul(x, tf.Variable(d[f"w{k}"])) + tf.Variable(d[f"b{k}"])
        x = tf.nn.relu(x) if k < 2 else x
    return x


def in_tensorflow(tf, d, inference=False):
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.int32, [None])
    logits = network(tf, d, x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.AdamOptimizer(3e-4).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        return sess.run([loss, train], {x: d["images"][i % BATCHES], y: d["labels"][i % BATCHES]})[0]

    def answer(i):
        return sess.run(logits, {x: d["images"][i % BATCHES]})

    return Program(answer if inference else step)


def in_jax(d, inference=False):
    import jax
    import jax.numpy as jnp

    from bench import adam

    def logits_of(params, x):
        for k, (w, b) in enumerate(params):
            x = x @ w + b
            x = jax.nn.relu(x) if k < 2 else x
        return x

    def loss_of(params, x, y):
        p = jax.nn.log_softmax(logits_of(params, x))
        return -jnp.mean(jnp.take_along_axis(p, y[:, None], axis=1))

    @jax.jit(donate_argnums=0)
    def update(state, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(state.params, x, y)
        return adam.update(state, gradients, 3e-4), loss

    params = [(jnp.array(d[f"w{k}"]), jnp.array(d[f"b{k}"])) for k in range(3)]
    predict = jax.jit(logits_of)
    state = adam.start(params)

    def step(i):
        nonlocal state
        state, loss = update(state, d["images"][i % BATCHES], d["labels"][i % BATCHES])
        return np.asarray(loss)

    return Program((lambda i: np.asarray(predict(params, d["images"][i % BATCHES]))) if inference else step)


def in_torch(d, inference=False):
    import torch
    from torch import nn

    layers = []
    for k in range(3):
        layer = nn.Linear(SIZES[k], SIZES[k + 1])
        layer.weight.data = torch.from_numpy(d[f"w{k}"].T.copy())
        layer.bias.data = torch.from_numpy(d[f"b{k}"].copy())
        layers += [layer, nn.ReLU()]
    model = nn.Sequential(*layers[:-1])
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)

    def step(i):
        x, y = torch.from_numpy(d["images"][i % BATCHES]), torch.from_numpy(d["labels"][i % BATCHES])
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y.long())
        loss.backward()
        optimizer.step()
        return loss.item()

    @torch.inference_mode()
    def answer(i):
        return model(torch.from_numpy(d["images"][i % BATCHES])).numpy()

    return Program(answer if inference else step)
