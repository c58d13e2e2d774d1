"""What ``retrograd.checkpointed_gradients`` saves and costs on a deep chain, and what the gradients of examples cost.

usage: recomputing.py [--layers N] [--batch N] [--width N]
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from typing import Any

import numpy as np

import retrograd
from retrograd import tf


def chain(layers: int, x: Any, width: int) -> tuple[Any, list[Any]]:
    """The losses of a deep network, one for each example, and its variables."""
    variables = []
    for i in range(layers):
        w = tf.Variable(np.random.RandomState(i).randn(width, width).astype(np.float32) / width**0.5)
        variables.append(w)
        x = tf.tanh(tf.matmul(x, w) + 0.1)
    return tf.reduce_mean(x**2, 1), variables


def measured(sess: Any, fetches: Any, feeds: Any) -> tuple[float, float]:
    """Seconds of a run, the best of three, and the megabytes alive at its peak."""
    target = tf.group(*fetches)
    sess.run(target, feeds)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        sess.run(target, feeds)
        times.append(time.perf_counter() - start)
    tracemalloc.start()
    sess.run(target, feeds)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return min(times), peak / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=200)
    parser.add_argument("--batch", type=int, default=2000)
    parser.add_argument("--width", type=int, default=32)
    args = parser.parse_args()
    x = tf.placeholder(tf.float32, [None, args.width])
    losses, variables = chain(args.layers, x, args.width)
    rows = {
        "tf.gradients": tf.gradients(losses, variables),
        "checkpoints='memory'": retrograd.checkpointed_gradients(losses, variables),
        "checkpoints='speed'": retrograd.checkpointed_gradients(losses, variables, "speed"),
    }
    print(f"{args.layers} layers of {args.width} units, {args.batch} examples")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        feeds = {x: np.random.RandomState(0).randn(args.batch, args.width)}
        for name, fetches in rows.items():
            print("  {:22} {:8.3f} s {:9.1f} MB".format(name, *measured(sess, fetches, feeds)))
        few = {x: feeds[x][:500]}
        last = variables[-10:]
        rows = {
            "tf.gradients": tf.gradients(losses, last),
            "per_example_gradients": retrograd.per_example_gradients(losses, last),
            "jacobian": retrograd.jacobian(losses, last),
        }
        print("500 examples, the last 10 layers")
        for name, fetches in rows.items():
            print("  {:22} {:8.3f} s {:9.1f} MB".format(name, *measured(sess, fetches, few)))


if __name__ == "__main__":
    main()
