"""A character model as programs of 2016 wrote it: two LSTM layers unrolled over 50 steps, gradients clipped."""

import numpy as np

from bench.workloads import Program
from bench.workloads.softmax import BATCHES

UNITS, LETTERS, STEPS, LAYERS, RATE, NORM = 128, 65, 50, 2, 2e-3, 5.0


def data(rng, digits, batch=50):
    text = rng.randint(0, LETTERS, (BATCHES, batch, STEPS + 1)).astype(np.int32)
    return {
        "text": text,
        "letters": (rng.randn(LETTERS, UNITS) * 0.5).astype(np.float32),
        "kernels": [(rng.randn(2 * UNITS, 4 * UNITS) * 0.08).astype(np.float32) for _ in range(LAYERS)],
        "w": (rng.randn(UNITS, LETTERS) * 0.1).astype(np.float32),
        "b": np.zeros(LETTERS, np.float32),
    }


def in_tensorflow(tf, d):
    x = tf.placeholder(tf.int32, [d["text"].shape[1], STEPS])
    y = tf.placeholder(tf.int32, [d["text"].shape[1], STEPS])
    cells = [tf.nn.rnn_cell.LSTMCell(UNITS, initializer=tf.constant_initializer(k)) for k in d["kernels"]]
    inputs = tf.unstack(tf.nn.embedding_lookup(tf.Variable(d["letters"]), x), axis=1)
    outputs, _ = tf.nn.static_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), inputs, dtype=tf.float32)
    flat = tf.reshape(tf.concat(outputs, 1), [-1, UNITS])
    logits = tf.matmul(flat, tf.Variable(d["w"])) + tf.Variable(d["b"])
    labels = tf.reshape(y, [-1])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), NORM)
    train = tf.train.AdamOptimizer(RATE).apply_gradients(list(zip(gradients, variables)))
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        text = d["text"][i % BATCHES]
        return sess.run([loss, train], {x: text[:, :-1], y: text[:, 1:]})[0]

    return Program(step)


def in_jax(d):
    import jax
    import jax.numpy as jnp

    from bench import adam

    def cell(kernel, bias, state, x):
        c, h = state
        i, j, f, o = jnp.split(jnp.concatenate([x, h], axis=1) @ kernel + bias, 4, axis=1)
        c = jax.nn.sigmoid(f + 1) * c + jax.nn.sigmoid(i) * jnp.tanh(j)
        return c, jax.nn.sigmoid(o) * jnp.tanh(c)

    def loss_of(params, x, y):
        def one(states, row):
            new = []
            for kernel, bias, state in zip(params["kernels"], params["biases"], states):
                new.append(cell(kernel, bias, state, row))
                row = new[-1][1]
            return new, row

        zeros = jnp.zeros((len(x), UNITS))
        _, outputs = jax.lax.scan(one, [(zeros, zeros)] * LAYERS, jnp.swapaxes(params["letters"][x], 0, 1))
        p = jax.nn.log_softmax(jnp.swapaxes(outputs, 0, 1) @ params["w"] + params["b"])
        return -jnp.mean(jnp.take_along_axis(p, y[..., None], axis=-1))

    @jax.jit(donate_argnums=0)
    def update(state, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(state.params, x, y)
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
        gradients = jax.tree.map(lambda g: g * NORM / jnp.maximum(norm, NORM), gradients)
        return adam.update(state, gradients, RATE), loss

    params = {k: jnp.array(d[k]) for k in ("letters", "w", "b")}
    biases = [jnp.zeros(4 * UNITS) for _ in range(LAYERS)]
    state = adam.start({**params, "kernels": [jnp.array(k) for k in d["kernels"]], "biases": biases})

    def step(i):
        nonlocal state
        text = d["text"][i % BATCHES]
        state, loss = update(state, text[:, :-1], text[:, 1:])
        return np.asarray(loss)

    return Program(step)


def in_torch(d):
    import torch
    from torch import nn

    from bench.workloads.lstm import give_kernel

    letters = nn.Embedding.from_pretrained(torch.from_numpy(d["letters"].copy()), freeze=False)
    lstm, dense = nn.LSTM(UNITS, UNITS, LAYERS, batch_first=True), nn.Linear(UNITS, LETTERS)
    still = [give_kernel(lstm, layer, kernel) for layer, kernel in enumerate(d["kernels"])]
    dense.weight.data = torch.from_numpy(d["w"].T.copy())
    dense.bias.data = torch.from_numpy(d["b"].copy())
    parameters = [p for m in (letters, lstm, dense) for p in m.parameters() if not any(p is s for s in still)]
    optimizer = torch.optim.Adam(parameters, lr=RATE)

    def step(i):
        text = torch.from_numpy(d["text"][i % BATCHES]).long()
        optimizer.zero_grad()
        outputs, _ = lstm(letters(text[:, :-1]))
        loss = nn.functional.cross_entropy(dense(outputs).reshape(-1, LETTERS), text[:, 1:].reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, NORM)
        optimizer.step()
        return loss.item()

    return Program(step)
