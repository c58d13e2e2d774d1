"""The perceptron on a batch of another size in every step: no size comes twice."""

import numpy as np

from bench.workloads import Program, mlp

LARGEST = 2048


def data(rng, digits):
    d = mlp.data(rng, digits, batch=1)
    chosen = rng.randint(0, len(digits.images), LARGEST)
    d["images"], d["labels"] = digits.images[chosen], digits.labels[chosen].argmax(-1).astype(np.int32)
    d["sizes"] = rng.permutation(np.arange(1, LARGEST + 1))
    return d


def in_tensorflow(tf, d):
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.int32, [None])
    logits = mlp.network(tf, d, x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        n = d["sizes"][i % LARGEST]
        return sess.run([loss, train], {x: d["images"][:n], y: d["labels"][:n]})[0]

    return Program(step)


def in_jax(d):
    import jax
    import jax.numpy as jnp

    def loss_of(params, x, y):
        for k, (w, b) in enumerate(params):
            x = x @ w + b
            x = jax.nn.relu(x) if k < 2 else x
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], axis=1))

    @jax.jit(donate_argnums=0)
    def update(params, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(params, x, y)
        return jax.tree.map(lambda p, g: p - 0.05 * g, params, gradients), loss

    params = [(jnp.array(d[f"w{k}"]), jnp.array(d[f"b{k}"])) for k in range(3)]

    def step(i):
        nonlocal params
        n = d["sizes"][i % LARGEST]
        params, loss = update(params, d["images"][:n], d["labels"][:n])
        return np.asarray(loss)

    return Program(step)


def in_torch(d):
    import torch
    from torch import nn

    layers = []
    for k in range(3):
        layer = nn.Linear(mlp.SIZES[k], mlp.SIZES[k + 1])
        layer.weight.data = torch.from_numpy(d[f"w{k}"].T.copy())
        layer.bias.data = torch.from_numpy(d[f"b{k}"].copy())
        layers += [layer, nn.ReLU()]
    model = nn.Sequential(*layers[:-1])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    def step(i):
        n = d["sizes"][i % LARGEST]
        x, y = torch.from_numpy(d["images"][:n]), torch.from_numpy(d["labels"][:n]).long()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step)
