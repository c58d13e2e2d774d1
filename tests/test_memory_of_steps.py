"""What memory computations ask the system for."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
from retrograd import tf

x = tf.placeholder(tf.float32, [1024, 1024])
y = x
for _ in range(4):  # 16 MB of 4 MB each that live at once
    y = tf.concat([tf.cumsum(y, axis=0)[:512], tf.cumsum(tf.transpose(y), axis=1)[512:]], axis=0)
many = [tf.cumsum(tf.transpose(y) * float(k), axis=0) for k in range(16)]
total = tf.reduce_sum(tf.stack([tf.cumsum(m, axis=1) for m in many]))
given = np.ones((1024, 1024), np.float32)
with tf.Session() as sess:
    for _ in range(4):
        sess.run(total, {x: given})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(4):
        sess.run(total, {x: given})
    print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) // 4)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's malloc is told")
def test_a_step_finds_its_memory_again():
    variables = {k: v for k, v in os.environ.items() if not k.startswith("MALLOC_")}
    given = {**variables, "RETROGRAD_JIT": "always"}

    def faults(**more: str) -> int:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env={**given, **more}, capture_output=True, text=True, check=True
        )
        return int(done.stdout)

    assert faults() < 100 < faults(MALLOC_ARENA_MAX="1")  # a setting of the user's stands
