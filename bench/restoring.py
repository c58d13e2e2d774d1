"""Peak memory and time of saving and restoring a checkpoint, against the size of the variables.

python bench/restoring.py [MEGABYTES [VARIABLES]]      1024 megabytes in 8 variables without
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile

STEPS = {
    "build": "sess.run(tf.global_variables_initializer())",
    "save": "sess.run(tf.global_variables_initializer()); saver.save(sess, PATH, write_meta_graph=False)",
    "restore": "saver.restore(sess, PATH)",
}
PROGRAM = """
import resource, time
from retrograd import tf
PATH = {path!r}
for i in range({count}):
    tf.get_variable("v%d" % i, [{rows}, 1 << 18], initializer=tf.zeros_initializer(), use_resource=i % 2 == 0)
saver = tf.train.Saver()
with tf.Session() as sess:
    begun = time.perf_counter()
    {step}
    took = time.perf_counter() - begun
    assert not sess.run(tf.report_uninitialized_variables()).size
print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{count} variables of {size / count:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        for name, step in STEPS.items():
            program = PROGRAM.format(path=os.path.join(folder, "model"), count=count, rows=size // count, step=step)
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
            took, peak = map(float, done.stdout.split()[-2:])
            print(f"{name:8} {took:6.2f} s   peak {peak:7.0f} MB   {peak / size:.2f} of the variables")


if __name__ == "__main__":
    main()
