"""A causal transformer block, 4 heads, 128 wide, sequence 64, batch 32, Adam: predicts the next vector."""

import numpy as np

from bench.workloads import Program

BATCHES = 16
HEADS, WIDTH, LENGTH = 4, 128, 64
SHAPES = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}


def data(rng, digits, batch=32):
    d = {"x": rng.randn(BATCHES, batch, LENGTH + 1, WIDTH).astype(np.float32)}
    for name, (n, m) in SHAPES.items():
        d[name] = (rng.randn(n, m) * n**-0.5).astype(np.float32)
        d[name + "/b"] = np.zeros(m, np.float32)
    for name in ("norm1", "norm2"):
        d[name], d[name + "/b"] = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    return d


def in_tensorflow(tf, d):
    x = tf.placeholder(tf.float32, [None, LENGTH, WIDTH])
    y = tf.placeholder(tf.float32, [None, LENGTH, WIDTH])
    mask = tf.constant(np.triu(np.full((LENGTH, LENGTH), -1e9, np.float32), 1))

    def dense(h, name):
        w, b = tf.Variable(d[name]), tf.Variable(d[name + "/b"])
        flat = tf.matmul(tf.reshape(h, [-1, w.shape[0].value]), w) + b
        return tf.reshape(flat, [-1, LENGTH, w.shape[1].value])

    def norm(h, name):
        mean, variance = tf.nn.moments(h, [-1], keep_dims=True)
        scale, offset = tf.Variable(d[name]), tf.Variable(d[name + "/b"])
        return (h - mean) * tf.rsqrt(variance + 1e-5) * scale + offset

    def heads(h):
        return tf.transpose(tf.reshape(h, [-1, LENGTH, HEADS, WIDTH // HEADS]), [0, 2, 1, 3])

    q, k, v = tf.split(dense(norm(x, "norm1"), "qkv"), 3, axis=-1)
    scores = tf.matmul(heads(q), heads(k), transpose_b=True) * (WIDTH // HEADS) ** -0.5 + mask
    attended = tf.transpose(tf.matmul(tf.nn.softmax(scores), heads(v)), [0, 2, 1, 3])
    h = x + dense(tf.reshape(attended, [-1, LENGTH, WIDTH]), "out")
    h = h + dense(tf.nn.relu(dense(norm(h, "norm2"), "up")), "down")
    loss = tf.reduce_mean(tf.square(h - y))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        batch = d["x"][i % BATCHES]
        return sess.run([loss, train], {x: batch[:, :-1], y: batch[:, 1:]})[0]

    return Program(step)


def in_jax(d):
    import jax
    import jax.numpy as jnp

    from bench import adam

    def loss_of(params, x, y):
        def dense(h, name):
            return h @ params[name] + params[name + "/b"]

        def norm(h, name):
            mean, variance = jnp.mean(h, -1, keepdims=True), jnp.var(h, -1, keepdims=True)
            return (h - mean) * jax.lax.rsqrt(variance + 1e-5) * params[name] + params[name + "/b"]

        def heads(h):
            return h.reshape(len(h), LENGTH, HEADS, -1)

        q, k, v = map(heads, jnp.split(dense(norm(x, "norm1"), "qkv"), 3, axis=-1))
        attended = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        h = x + dense(attended.reshape(x.shape), "out")
        h = h + dense(jax.nn.relu(dense(norm(h, "norm2"), "up")), "down")
        return jnp.mean((h - y) ** 2)

    @jax.jit(donate_argnums=0)
    def update(state, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(state.params, x, y)
        return adam.update(state, gradients, 1e-3), loss

    state = adam.start({k: jnp.array(v) for k, v in d.items() if k != "x"})

    def step(i):
        nonlocal state
        batch = d["x"][i % BATCHES]
        state, loss = update(state, batch[:, :-1], batch[:, 1:])
        return np.asarray(loss)

    return Program(step)


def in_torch(d):
    import torch
    from torch import nn

    def dense(name):
        layer = nn.Linear(*SHAPES[name])
        layer.weight.data = torch.from_numpy(d[name].T.copy())
        layer.bias.data.zero_()
        return layer

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out, self.up, self.down = map(dense, SHAPES)
            self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

        def forward(self, x):
            def heads(h):
                return h.view(len(h), LENGTH, HEADS, -1).transpose(1, 2)

            q, k, v = map(heads, self.qkv(self.norm1(x)).chunk(3, dim=-1))
            attended = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            h = x + self.out(attended.transpose(1, 2).reshape(x.shape))
            return h + self.down(nn.functional.relu(self.up(self.norm2(h))))

    model = Block()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step(i):
        batch = torch.from_numpy(d["x"][i % BATCHES])
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch[:, :-1]), batch[:, 1:])
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step)
