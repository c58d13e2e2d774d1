"""One update of DDPG, batch 64: the critic, then the actor through the critic, then both target networks lag behind."""

import numpy as np

from bench.workloads import Program

BATCHES = 64
STATE, ACTION, HIDDEN = 8, 2, 64
FEEDS = ("o", "a", "r", "o2", "done")
SIZES = {"actor": (STATE, HIDDEN, HIDDEN, ACTION), "critic": (STATE + ACTION, HIDDEN, HIDDEN, 1)}


def data(rng, digits, batch=64):
    d = {
        "o": rng.randn(BATCHES, batch, STATE).astype(np.float32),
        "a": rng.uniform(-1, 1, (BATCHES, batch, ACTION)).astype(np.float32),
        "r": rng.randn(BATCHES, batch).astype(np.float32),
        "o2": rng.randn(BATCHES, batch, STATE).astype(np.float32),
        "done": (rng.rand(BATCHES, batch) < 0.1).astype(np.float32),
    }
    for net, sizes in SIZES.items():
        for k, (n, m) in enumerate(zip(sizes, sizes[1:])):
            d[f"{net}/w{k}"] = (rng.randn(n, m) * (1 / n) ** 0.5).astype(np.float32)
            d[f"{net}/b{k}"] = np.zeros(m, np.float32)
    return d


def in_tensorflow(tf, d):
    o = tf.placeholder(tf.float32, [None, STATE])
    a = tf.placeholder(tf.float32, [None, ACTION])
    r = tf.placeholder(tf.float32, [None])
    o2 = tf.placeholder(tf.float32, [None, STATE])
    done = tf.placeholder(tf.float32, [None])

    def network(x, net):
        with tf.variable_scope(net, reuse=tf.AUTO_REUSE):
            for k in range(3):
                w = tf.get_variable(f"w{k}", initializer=d[f"{net}/w{k}"])
                b = tf.get_variable(f"b{k}", initializer=d[f"{net}/b{k}"])
                x = tf.matmul(x, w) + b
                x = tf.nn.relu(x) if k < 2 else x
        return x

    def actor(o):
        return tf.tanh(network(o, "actor"))

    def critic(o, a):
        return tf.squeeze(network(tf.concat([o, a], 1), "critic"), 1)

    with tf.variable_scope("main"):
        pi, q = actor(o), critic(o, a)
        q_pi = critic(o, pi)
    with tf.variable_scope("target"):
        q_next = critic(o2, actor(o2))
    goal = tf.stop_gradient(r + 0.99 * (1 - done) * q_next)
    q_loss = tf.reduce_mean((q - goal) ** 2)
    variables = {
        scope: tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=scope)
        for scope in ("main", "main/actor", "main/critic", "target")
    }
    train_q = tf.train.AdamOptimizer(1e-3).minimize(q_loss, var_list=variables["main/critic"])
    # the policy's gradient: dq/da handed to da/dtheta
    a_gradient = tf.gradients(q_pi, pi)[0]
    gradients = tf.gradients(pi, variables["main/actor"], grad_ys=-a_gradient / tf.cast(tf.shape(o)[0], tf.float32))
    train_pi = tf.train.AdamOptimizer(1e-3).apply_gradients(list(zip(gradients, variables["main/actor"])))
    pairs = zip(sorted(variables["main"], key=lambda v: v.name), sorted(variables["target"], key=lambda v: v.name))
    with tf.control_dependencies([train_pi]):
        lag = tf.group(*[tf.assign(t, 0.995 * t + 0.005 * v.read_value()) for v, t in pairs])
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def step(i):
        k = i % BATCHES
        feeds = {o: d["o"][k], a: d["a"][k], r: d["r"][k], o2: d["o2"][k], done: d["done"][k]}
        loss = sess.run([q_loss, train_q], feeds)[0]
        sess.run([train_pi, lag], {o: d["o"][k]})
        return loss

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

    def actor(params, o):
        return jnp.tanh(network(params, o))

    def critic(params, o, a):
        return network(params, jnp.concatenate([o, a], axis=1))[:, 0]

    def q_loss(params, goal, o, a):
        return jnp.mean((critic(params, o, a) - goal) ** 2)

    def pi_loss(params, q, o):
        return -jnp.mean(critic(q, o, actor(params, o)))

    @jax.jit(donate_argnums=(0, 1, 2))
    def update(pi, q, target, o, a, r, o2, done):
        goal = r + 0.99 * (1 - done) * critic(target["critic"], o2, actor(target["actor"], o2))
        loss, gradients = jax.value_and_grad(q_loss)(q.params, goal, o, a)
        q = adam.update(q, gradients, 1e-3)
        pi = adam.update(pi, jax.grad(pi_loss)(pi.params, q.params, o), 1e-3)
        main = {"actor": pi.params, "critic": q.params}
        return pi, q, jax.tree.map(lambda t, v: 0.995 * t + 0.005 * v, target, main), loss

    def weights(net):
        return [(jnp.array(d[f"{net}/w{k}"]), jnp.array(d[f"{net}/b{k}"])) for k in range(3)]

    pi, q = adam.start(weights("actor")), adam.start(weights("critic"))
    target = {"actor": weights("actor"), "critic": weights("critic")}

    def step(i):
        nonlocal pi, q, target
        pi, q, target, loss = update(pi, q, target, *(d[name][i % BATCHES] for name in FEEDS))
        return np.asarray(loss)

    return Program(step)


def in_torch(d):
    import copy

    import torch
    from torch import nn

    def network(net, *last):
        layers = []
        for k in range(3):
            layer = nn.Linear(SIZES[net][k], SIZES[net][k + 1])
            layer.weight.data = torch.from_numpy(d[f"{net}/w{k}"].T.copy())
            layer.bias.data = torch.from_numpy(d[f"{net}/b{k}"].copy())
            layers += [layer, nn.ReLU()]
        return nn.Sequential(*layers[:-1], *last)

    actor, critic = network("actor", nn.Tanh()), network("critic")
    actor_target, critic_target = copy.deepcopy(actor), copy.deepcopy(critic)
    actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
    critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)

    def step(i):
        o, a, r, o2, done = (torch.from_numpy(d[name][i % BATCHES]) for name in FEEDS)
        with torch.no_grad():
            q_next = critic_target(torch.cat([o2, actor_target(o2)], dim=1))[:, 0]
            goal = r + 0.99 * (1 - done) * q_next
        critic_loss = nn.functional.mse_loss(critic(torch.cat([o, a], dim=1))[:, 0], goal)
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()
        actor_loss = -critic(torch.cat([o, actor(o)], dim=1)).mean()
        actor_optimizer.zero_grad()
        actor_loss.backward()
        actor_optimizer.step()
        with torch.no_grad():
            for net, target in ((actor, actor_target), (critic, critic_target)):
                for p, t in zip(net.parameters(), target.parameters()):
                    t.mul_(0.995).add_(p, alpha=0.005)
        return critic_loss.item()

    return Program(step)
