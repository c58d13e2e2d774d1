"""How long a long graph takes to build and to differentiate, beside TensorFlow 1.15.5 where one is at hand.

usage: building.py [--length N] [--tensorflow PYTHON]     PYTHON: one that imports TensorFlow 1.15.5
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

PROGRAM = """
import time, sys
import {module} as tf
start = time.perf_counter()
x = tf.placeholder(tf.float32, [])
y = x
for _ in range({length}):
    y = tf.tanh(y * 1.01)
middle = time.perf_counter()
tf.gradients(y, [x])
end = time.perf_counter()
print(middle - start, end - middle, len(tf.get_default_graph().get_operations()))
"""


def measured(python: str, module: str, length: int) -> tuple[float, float, int]:
    """Seconds to build, seconds to differentiate, and the number of ops."""
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [python, "-W", "ignore", "-c", PROGRAM.format(module=module, length=length)]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.split()
    return float(out[0]), float(out[1]), int(out[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--length", type=int, default=10_000)
    parser.add_argument("--tensorflow", metavar="PYTHON", default=os.environ.get("TENSORFLOW_PYTHON"))
    args = parser.parse_args()
    rows = [("retrograd", *measured(sys.executable, "retrograd.tf", args.length))]
    if args.tensorflow:
        rows.append(("TensorFlow", *measured(args.tensorflow, "tensorflow", args.length)))
    print(f"y = tf.tanh(y * 1.01), {args.length} times, and tf.gradients over it")
    for name, build, gradients, ops in rows:
        print(f"  {name:12} build {build:6.2f} s   gradients {gradients:6.2f} s   {ops} ops")
    if len(rows) == 2:
        print(f"  retrograd is {sum(rows[1][1:3]) / sum(rows[0][1:3]):.1f} times as fast")


if __name__ == "__main__":
    main()
