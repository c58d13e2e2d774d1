"""The chain rule by hand: f(g(w)) = (w - 10)^2, minimised through df/dg and dg/dw; nothing is fetched."""

from bench.workloads import Program


def data(rng, digits):
    return {}


def in_tensorflow(tf, d):
    w = tf.Variable(0.0)
    g = w - 10
    f = g**2
    grad_f = tf.gradients(f, g)
    grads = tf.gradients(g, w, grad_ys=grad_f)
    train = tf.train.GradientDescentOptimizer(0.1).apply_gradients([(grads[0], w)])
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    return Program(lambda i: sess.run(train), lambda: sess.run(f))


def in_jax(d):
    import jax
    import jax.numpy as jnp
    import numpy as np

    def f(w):
        return (w - 10) ** 2

    @jax.jit(donate_argnums=0)
    def update(w):
        return w - 0.1 * jax.grad(f)(w)

    w = jnp.float32(0)

    def step(i):
        nonlocal w
        w = update(w)

    return Program(step, lambda: np.asarray(f(w)))


def in_torch(d):
    import torch

    w = torch.tensor(0.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)

    def step(i):
        optimizer.zero_grad()
        loss = (w - 10) ** 2
        loss.backward()
        optimizer.step()

    return Program(step, lambda: ((w - 10) ** 2).item())
