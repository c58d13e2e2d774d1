"""A convolutional network on MNIST, batch 100, Adam: 5x5x32, 5x5x64, 512; also its answers for one image at a time."""

import numpy as np

from bench.workloads import Program
from bench.workloads.softmax import BATCHES

SHAPES = ((5, 5, 1, 32), (5, 5, 32, 64), (7 * 7 * 64, 512), (512, 10))


def data(rng, digits, batch=100):
    chosen = rng.randint(0, len(digits.images), (BATCHES, batch))
    images = digits.images[chosen].reshape(BATCHES, batch, 28, 28, 1)
    d = {"images": images, "labels": digits.labels[chosen].argmax(-1).astype(np.int32)}
    for k, shape in enumerate(SHAPES):
        d[f"w{k}"] = (rng.randn(*shape) * (2 / np.prod(shape[:-1])) ** 0.5).astype(np.float32)
        d[f"b{k}"] = np.zeros(shape[-1], np.float32)
    return d


def in_tensorflow(tf, d, inference=False):
    x = tf.placeholder(tf.float32, [None, 28, 28, 1])
    y = tf.placeholder(tf.int32, [None])
    w = [tf.Variable(d[f"w{k}"]) for k in range(4)]
    b = [tf.Variable(d[f"b{k}"]) for k in range(4)]
    h = x
    for k in range(2):
        h = tf.nn.conv2d(h, w[k], strides=[1, 1, 1, 1], padding="SAME")
        h = tf.nn.relu(tf.nn.bias_add(h, b[k]))
        h = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    h = tf.reshape(h, [-1, 7 * 7 * 64])
    h = tf.nn.relu(tf.matmul(h, w[2]) + b[2])
    logits = tf.matmul(h, w[3]) + b[3]
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.AdamOptimizer(1e-4).minimize(loss)
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
    from jax import lax

    from bench import adam

    def logits_of(params, x):
        for w, b in params[:2]:
            x = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.nn.relu(x + b)
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")
        x = x.reshape(len(x), -1)
        (w2, b2), (w3, b3) = params[2:]
        return jax.nn.relu(x @ w2 + b2) @ w3 + b3

    def loss_of(params, x, y):
        p = jax.nn.log_softmax(logits_of(params, x))
        return -jnp.mean(jnp.take_along_axis(p, y[:, None], axis=1))

    @jax.jit(donate_argnums=0)
    def update(state, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(state.params, x, y)
        return adam.update(state, gradients, 1e-4), loss

    params = [(jnp.array(d[f"w{k}"]), jnp.array(d[f"b{k}"])) for k in range(4)]
    predict = jax.jit(logits_of)
    state = adam.start(params)

    def step(i):
        nonlocal state
        state, loss = update(state, d["images"][i % BATCHES], d["labels"][i % BATCHES])
        return np.asarray(loss)

    return Program((lambda i: np.asarray(predict(params, d["images"][i % BATCHES]))) if inference else step)


def in_torch(d, inference=False, channels_last=False):
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.convolutions = nn.ModuleList([nn.Conv2d(1, 32, 5, padding=2), nn.Conv2d(32, 64, 5, padding=2)])
            self.dense = nn.ModuleList([nn.Linear(64 * 7 * 7, 512), nn.Linear(512, 10)])

        def forward(self, x):
            for layer in self.convolutions:
                x = nn.functional.max_pool2d(nn.functional.relu(layer(x)), 2)
            return self.dense[1](nn.functional.relu(self.dense[0](torch.flatten(x, 1))))

    model = Net()
    # the same weights: (out, in, height, width), and images flattened with the channels first
    w2 = d["w2"].reshape(7, 7, 64, 512).transpose(3, 2, 0, 1).reshape(512, -1)
    weights = [d["w0"].transpose(3, 2, 0, 1), d["w1"].transpose(3, 2, 0, 1), w2, d["w3"].T]
    for k, layer in enumerate([*model.convolutions, *model.dense]):
        layer.weight.data = torch.from_numpy(weights[k].copy())
        layer.bias.data = torch.from_numpy(d[f"b{k}"].copy())
    layout = torch.channels_last if channels_last else torch.contiguous_format
    model = model.to(memory_format=layout)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    images = np.ascontiguousarray(d["images"].transpose(0, 1, 4, 2, 3))

    def step(i):
        x = torch.from_numpy(images[i % BATCHES]).to(memory_format=layout)
        y = torch.from_numpy(d["labels"][i % BATCHES]).long()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    @torch.inference_mode()
    def answer(i):
        return model(torch.from_numpy(images[i % BATCHES]).to(memory_format=layout)).numpy()

    return Program(answer if inference else step)
