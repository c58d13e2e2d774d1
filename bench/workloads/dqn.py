"""One update of DQN: two networks 4-64-64-2, batch 32, Adam; the target network stands still."""

import numpy as np

from bench.workloads import Program

BATCHES = 64
SIZES = (4, 64, 64, 2)
FEEDS = ("o", "a", "r", "o2", "done")


def data(rng, digits, batch=32):
    d = {
        "o": rng.randn(BATCHES, batch, 4).astype(np.float32),
        "a": rng.randint(0, 2, (BATCHES, batch)).astype(np.int32),
        "r": rng.randn(BATCHES, batch).astype(np.float32),
        "o2": rng.randn(BATCHES, batch, 4).astype(np.float32),
        "done": (rng.rand(BATCHES, batch) < 0.1).astype(np.float32),
    }
    for net in ("main", "target"):
        for k, (n, m) in enumerate(zip(SIZES, SIZES[1:])):
            d[f"{net}/w{k}"] = (rng.randn(n, m) * (2 / n) ** 0.5).astype(np.float32)
            d[f"{net}/b{k}"] = np.zeros(m, np.float32)
    return d


def in_tensorflow(tf, d):
    o = tf.placeholder(tf.float32, [None, 4])
    a = tf.placeholder(tf.int32, [None])
    r = tf.placeholder(tf.float32, [None])
    o2 = tf.placeholder(tf.float32, [None, 4])
    done = tf.placeholder(tf.float32, [None])

    def build_network(x, scope):
        with tf.variable_scope(scope):
            for k in range(3):
                w = tf.get_variable(f"w{k}", initializer=d[f"{scope}/w{k}"])
                b = tf.get_variable(f"b{k}", initializer=d[f"{scope}/b{k}"])
                x = tf.matmul(x, w) + b
                x = tf.nn.relu(x) if k < 2 else x
        return x

    q = build_network(o, "main")
    q_targ = build_network(o2, "target")
    q_a = tf.reduce_sum(q * tf.one_hot(a, 2), 1)
    target = tf.stop_gradient(r + 0.99 * (1 - done) * tf.reduce_max(q_targ, 1))
    loss = tf.reduce_mean(tf.square(q_a - target))
    main = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="main")
    train = tf.train.AdamOptimizer(1e-3).minimize(loss, var_list=main)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        k = i % BATCHES
        feeds = {o: d["o"][k], a: d["a"][k], r: d["r"][k], o2: d["o2"][k], done: d["done"][k]}
        return sess.run([train, loss], feeds)[1]

    return Program(step)


def in_jax(d):
    import jax
    import jax.numpy as jnp

    from bench import adam

    def network(params, x):
        for k, (w, b) in enumerate(params):
            x = x @ w + b
            x = jax.nn.relu(x) if k < 2 else x
        return x

    def loss_of(params, target, o, a, r, o2, done):
        q_a = jnp.take_along_axis(network(params, o), a[:, None], axis=1)[:, 0]
        goal = r + 0.99 * (1 - done) * jnp.max(network(target, o2), axis=1)
        return jnp.mean((q_a - goal) ** 2)

    @jax.jit(donate_argnums=0)
    def update(state, target, *batch):
        loss, gradients = jax.value_and_grad(loss_of)(state.params, target, *batch)
        return adam.update(state, gradients, 1e-3), loss

    main, target = (
        [(jnp.array(d[f"{net}/w{k}"]), jnp.array(d[f"{net}/b{k}"])) for k in range(3)] for net in ("main", "target")
    )
    state = adam.start(main)

    def step(i):
        nonlocal state
        state, loss = update(state, target, *(d[name][i % BATCHES] for name in FEEDS))
        return np.asarray(loss)

    return Program(step)


def in_torch(d):
    import torch
    from torch import nn

    def build_network(net):
        layers = []
        for k in range(3):
            layer = nn.Linear(SIZES[k], SIZES[k + 1])
            layer.weight.data = torch.from_numpy(d[f"{net}/w{k}"].T.copy())
            layer.bias.data = torch.from_numpy(d[f"{net}/b{k}"].copy())
            layers += [layer, nn.ReLU()]
        return nn.Sequential(*layers[:-1])

    main, target = build_network("main"), build_network("target")
    optimizer = torch.optim.Adam(main.parameters(), lr=1e-3)

    def step(i):
        o, a, r, o2, done = (torch.from_numpy(d[name][i % BATCHES]) for name in FEEDS)
        with torch.no_grad():
            goal = r + 0.99 * (1 - done) * target(o2).max(dim=1).values
        q_a = main(o).gather(1, a.long()[:, None])[:, 0]
        loss = nn.functional.mse_loss(q_a, goal)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step)
