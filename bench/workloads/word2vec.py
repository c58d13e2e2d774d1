"""A step of word2vec: 50,000 words, 128 wide, batch 128, 64 negative samples; only the batch's rows change."""

import numpy as np

from bench.workloads import Program

BATCHES = 64
WORDS, WIDTH, NEGATIVES = 50_000, 128, 64
FEEDS = ("center", "context", "negative")


def data(rng, digits, batch=128):
    # words as frequent as in a text: the k-th in proportion to 1 / k
    frequency = 1 / np.arange(1, WORDS + 1)
    shares = np.cumsum(frequency / frequency.sum())

    def words(*shape):
        return np.minimum(np.searchsorted(shares, rng.rand(*shape)), WORDS - 1).astype(np.int32)

    return {
        "center": words(BATCHES, batch),
        "context": words(BATCHES, batch),
        "negative": words(BATCHES, NEGATIVES),
        "inner": rng.uniform(-0.5, 0.5, (WORDS, WIDTH)).astype(np.float32),
        "outer": (rng.randn(WORDS, WIDTH) * WIDTH**-0.5).astype(np.float32),
    }


def in_tensorflow(tf, d):
    center, context, negative = (tf.placeholder(tf.int32, [None]) for _ in range(3))
    inner, outer = tf.Variable(d["inner"]), tf.Variable(d["outer"])
    v = tf.nn.embedding_lookup(inner, center)
    true = tf.reduce_sum(v * tf.nn.embedding_lookup(outer, context), 1)
    noise = tf.matmul(v, tf.nn.embedding_lookup(outer, negative), transpose_b=True)
    losses = (
        tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(true), logits=true),
        tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.zeros_like(noise), logits=noise), 1),
    )
    loss = tf.reduce_mean(losses[0] + losses[1])
    train = tf.train.GradientDescentOptimizer(0.2).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        k = i % BATCHES
        feeds = {center: d["center"][k], context: d["context"][k], negative: d["negative"][k]}
        return sess.run([loss, train], feeds)[0]

    return Program(step)


def in_jax(d):
    import jax
    import jax.numpy as jnp

    def loss_of(v, u, n):
        true, noise = jnp.sum(v * u, 1), v @ n.T
        return jnp.mean(jax.nn.softplus(-true) + jnp.sum(jax.nn.softplus(noise), 1))

    @jax.jit(donate_argnums=(0, 1))
    def update(inner, outer, center, context, negative):
        # differentiated with respect to the rows, so that no gradient has the size of the table
        rows = inner[center], outer[context], outer[negative]
        loss, (dv, du, dn) = jax.value_and_grad(loss_of, argnums=(0, 1, 2))(*rows)
        inner = inner.at[center].add(-0.2 * dv)
        return inner, outer.at[context].add(-0.2 * du).at[negative].add(-0.2 * dn), loss

    inner, outer = jnp.array(d["inner"]), jnp.array(d["outer"])

    def step(i):
        nonlocal inner, outer
        inner, outer, loss = update(inner, outer, *(d[name][i % BATCHES] for name in FEEDS))
        return np.asarray(loss)

    return Program(step)


def in_torch(d):
    import torch
    from torch import nn

    softplus = nn.functional.softplus
    inner = nn.Embedding.from_pretrained(torch.from_numpy(d["inner"].copy()), freeze=False, sparse=True)
    outer = nn.Embedding.from_pretrained(torch.from_numpy(d["outer"].copy()), freeze=False, sparse=True)
    optimizer = torch.optim.SGD([*inner.parameters(), *outer.parameters()], lr=0.2)

    def step(i):
        center, context, negative = (torch.from_numpy(d[name][i % BATCHES]) for name in FEEDS)
        optimizer.zero_grad()
        v = inner(center)
        true, noise = (v * outer(context)).sum(1), v @ outer(negative).T
        loss = (softplus(-true) + softplus(noise).sum(1)).mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step)
