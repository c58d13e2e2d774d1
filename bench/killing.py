"""Processes killed while they save: after each, the latest checkpoint must be whole.

python bench/killing.py [KILLS]      100 without

A process saves a counter and variables that are all equal to it, again and again; it is killed at a random moment, and
what it left is restored: the values must be equal to each other and to the number in the checkpoint's name, and no
older than the last save that was finished.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

SAVING = """
import sys
from retrograd import tf
import numpy as np
step = tf.Variable(0, name="step")
parts = [tf.get_variable("part%d" % i, [50, 100 + i], initializer=tf.zeros_initializer()) for i in range(20)]
number = tf.placeholder(tf.int32, [])
assign = [step.assign(number)] + [p.assign(tf.fill(p.shape, tf.cast(number, tf.float32))) for p in parts]
saver = tf.train.Saver(max_to_keep=3)
with tf.Session() as sess:
    for i in range(int(sys.argv[2]), 10**6):
        sess.run(assign, {number: i})
        saver.save(sess, sys.argv[1] + "/model", global_step=i)
        print(i, flush=True)
"""


def check(folder: str, finished: int) -> int:
    """The number that the latest checkpoint holds; it must be whole, and that of ``finished`` or a later one."""
    from retrograd import tf

    latest = tf.train.latest_checkpoint(folder)
    assert latest is not None, os.listdir(folder)
    reader = tf.train.NewCheckpointReader(latest)
    number = int(reader.get_tensor("step"))
    assert latest.endswith(f"model-{number}"), (latest, number)
    for name in reader.get_variable_to_shape_map():
        assert (reader.get_tensor(name) == number).all(), (latest, name)
    assert number >= finished, (number, finished)
    for path in tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths:
        tf.train.NewCheckpointReader(path)
    return number


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    choose = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        start, left = 0, 0
        for kill in range(kills):
            process = subprocess.Popen(
                [sys.executable, "-c", SAVING, folder, str(start)], stdout=subprocess.PIPE, text=True
            )
            assert process.stdout is not None
            finished = int(process.stdout.readline())
            time.sleep(choose.uniform(0, 0.3))
            process.send_signal(signal.SIGKILL)
            finished = int([finished, *process.stdout.read().split()][-1])
            process.wait()
            start = check(folder, finished) + 1
            left = len(os.listdir(folder))
            if kill + 1 in (*range(10, kills, 10), kills):
                print(f"{kill + 1} kills, {start} saves; {left} files in the folder", flush=True)


if __name__ == "__main__":
    main()
