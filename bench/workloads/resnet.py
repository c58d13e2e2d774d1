"""A residual network of 20 or 50 layers for 32x32 images, batch 32, momentum."""

import numpy as np

from bench.workloads import Program

BATCHES = 8
WIDTHS = (16, 32, 64)


def data(rng, digits, batch=32, depth=20):
    labels = rng.randint(0, 10, (BATCHES, batch)).astype(np.int32)
    images = rng.randn(BATCHES, batch, 32, 32, 3).astype(np.float32) + 0.3 * labels[:, :, None, None, None]
    d = {"images": images.astype(np.float32), "labels": labels}
    for name, shape in weights(depth):
        d[name] = (rng.randn(*shape) * (2 / np.prod(shape[:-1])) ** 0.5).astype(np.float32)
    return d


def weights(depth):
    """The names and shapes of the filters, in order, and of the last layer's weights."""
    yield "stem", (3, 3, 3, 16)
    width = 16
    for name, out, _ in blocks(depth):
        yield f"{name}/a", (3, 3, width, out)
        yield f"{name}/b", (3, 3, out, out)
        width = out
    yield "last", (64, 10)


def blocks(depth):
    """The name, width and stride of each block of two convolutions."""
    for stage, width in enumerate(WIDTHS):
        for k in range((depth - 2) // 6):
            yield f"{stage}.{k}", width, 2 if stage and not k else 1


def in_tensorflow(tf, d, depth=20):
    x = tf.placeholder(tf.float32, [None, 32, 32, 3])
    y = tf.placeholder(tf.int32, [None])

    def conv_bn(h, name, stride=1):
        w = d[name]
        # padded alike on both sides, as it is everywhere but in TensorFlow's "SAME"
        if stride > 1:
            h = tf.pad(h, [[0, 0], [1, 1], [1, 1], [0, 0]])
        h = tf.layers.conv2d(
            h, w.shape[-1], 3, stride, padding="VALID" if stride > 1 else "SAME", use_bias=False,
            kernel_initializer=tf.constant_initializer(w),
        )  # fmt: skip
        return tf.layers.batch_normalization(h, momentum=0.9, epsilon=1e-5, training=True)

    h = tf.nn.relu(conv_bn(x, "stem"))
    for name, width, stride in blocks(depth):
        shortcut = h
        if stride > 1:
            extra = width // 4
            shortcut = tf.pad(h[:, ::2, ::2], [[0, 0], [0, 0], [0, 0], [extra, extra]])
        h = tf.nn.relu(conv_bn(h, name + "/a", stride))
        h = tf.nn.relu(conv_bn(h, name + "/b") + shortcut)
    h = tf.reduce_mean(h, [1, 2])
    logits = tf.layers.dense(h, 10, kernel_initializer=tf.constant_initializer(d["last"]))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.MomentumOptimizer(1e-3, 0.9).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        return sess.run([loss, train], {x: d["images"][i % BATCHES], y: d["labels"][i % BATCHES]})[0]

    return Program(step)


def in_jax(d, depth=20):
    import jax
    import jax.numpy as jnp
    from jax import lax

    def batch_norm(x, scale, offset, moving):
        mean, variance = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
        y = (x - mean) * lax.rsqrt(variance + 1e-5) * scale + offset
        return y, (0.9 * moving[0] + 0.1 * mean, 0.9 * moving[1] + 0.1 * variance)

    def loss_of(params, moving, x, y):
        moved = {}

        def conv_bn(h, name, stride=1):
            w, scale, offset = params[name]
            numbers = ("NHWC", "HWIO", "NHWC")
            h = lax.conv_general_dilated(h, w, (stride, stride), ((1, 1), (1, 1)), dimension_numbers=numbers)
            h, moved[name] = batch_norm(h, scale, offset, moving[name])
            return h

        h = jax.nn.relu(conv_bn(x, "stem"))
        for name, width, stride in blocks(depth):
            shortcut = h
            if stride > 1:
                shortcut = jnp.pad(h[:, ::2, ::2], ((0, 0), (0, 0), (0, 0), (width // 4, width // 4)))
            h = jax.nn.relu(conv_bn(h, name + "/a", stride))
            h = jax.nn.relu(conv_bn(h, name + "/b") + shortcut)
        w, b = params["last"]
        p = jax.nn.log_softmax(jnp.mean(h, (1, 2)) @ w + b)
        return -jnp.mean(jnp.take_along_axis(p, y[:, None], axis=1)), moved

    @jax.jit(donate_argnums=(0, 1, 2))
    def update(params, speed, moving, x, y):
        (loss, moving), gradients = jax.value_and_grad(loss_of, has_aux=True)(params, moving, x, y)
        speed = jax.tree.map(lambda s, g: 0.9 * s + g, speed, gradients)
        return jax.tree.map(lambda p, s: p - 1e-3 * s, params, speed), speed, moving, loss

    params, moving = {}, {}
    for name, shape in weights(depth):
        out = shape[-1]
        if name == "last":
            params[name] = (jnp.array(d[name]), jnp.zeros(out))
        else:
            params[name] = (jnp.array(d[name]), jnp.ones(out), jnp.zeros(out))
            moving[name] = (jnp.zeros(out), jnp.ones(out))
    speed = jax.tree.map(jnp.zeros_like, params)

    def step(i):
        nonlocal params, speed, moving
        feeds = d["images"][i % BATCHES], d["labels"][i % BATCHES]
        params, speed, moving, loss = update(params, speed, moving, *feeds)
        return np.asarray(loss)

    return Program(step)


def in_torch(d, depth=20, channels_last=False):
    import torch
    from torch import nn

    def convolution(name, stride=1):
        w = torch.from_numpy(d[name].transpose(3, 2, 0, 1).copy())
        layer = nn.Conv2d(w.shape[1], w.shape[0], 3, stride, padding=1, bias=False)
        layer.weight.data = w
        return layer

    class Block(nn.Module):
        def __init__(self, name, width, stride):
            super().__init__()
            self.a, self.b = convolution(name + "/a", stride), convolution(name + "/b")
            self.norm_a, self.norm_b = nn.BatchNorm2d(width), nn.BatchNorm2d(width)
            self.stride, self.extra = stride, width // 4

        def forward(self, x):
            shortcut = x
            if self.stride > 1:
                shortcut = nn.functional.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, self.extra, self.extra))
            h = nn.functional.relu(self.norm_a(self.a(x)))
            return nn.functional.relu(self.norm_b(self.b(h)) + shortcut)

    dense = nn.Linear(64, 10)
    dense.weight.data = torch.from_numpy(d["last"].T.copy())
    dense.bias.data.zero_()
    stem = [convolution("stem"), nn.BatchNorm2d(16), nn.ReLU()]
    model = nn.Sequential(*stem, *(Block(*b) for b in blocks(depth)), nn.AdaptiveAvgPool2d(1), nn.Flatten(), dense)
    layout = torch.channels_last if channels_last else torch.contiguous_format
    model = model.to(memory_format=layout)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    images = np.ascontiguousarray(d["images"].transpose(0, 1, 4, 2, 3))

    def step(i):
        x = torch.from_numpy(images[i % BATCHES]).to(memory_format=layout)
        y = torch.from_numpy(d["labels"][i % BATCHES]).long()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Program(step)
