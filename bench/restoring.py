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
    "restore over values": "sess.run(tf.global_variables_initializer()); saver.restore(sess, PATH)",
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
OF_KERAS = {  # models have values before they are loaded
    "keras: save": "[m.save_weights(PATH), m.save(PATH + '.h5'), m.save(PATH + '.d', save_format='tf')]",
    "keras: load_weights of a checkpoint": "m.load_weights(PATH)",
    "keras: load_weights of HDF5": "m.load_weights(PATH + '.h5')",
    "keras: load_weights of a SavedModel": "m.load_weights(PATH + '.d/variables/variables')",
    "keras: load_model of HDF5": "m = tf.keras.models.load_model(PATH + '.h5')",
    "keras: load_model of a SavedModel": "m = tf.keras.models.load_model(PATH + '.d')",
}
KERAS_PROGRAM = """
import resource, time
from retrograd import tf
PATH, step = {path!r}, {step!r}
if {is_eager}: tf.enable_eager_execution()
tf.logging.set_verbosity("ERROR")
x, name = tf.keras.Input((1,), dtype="int32"), tf.keras.layers.Embedding
if "load_model" not in step:
    ys = [name({rows} << 8, 1 << 10, embeddings_initializer="zeros", name="v%d" % i)(x) for i in range({count})]
    m = tf.keras.Model(x, tf.keras.layers.add(ys) if len(ys) > 1 else ys[0])
    if not {is_eager}: tf.keras.backend.get_session()
begun = time.perf_counter()
exec(step)
assert len(m.weights) == {count}
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{count} variables of {size / count:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        given = {"path": os.path.join(folder, "model"), "count": count, "rows": size // count}
        for name, step in STEPS.items():
            _show(name, PROGRAM.format(step=step, **given), size)
        for is_eager in (False, True):
            for name, step in OF_KERAS.items():
                program = KERAS_PROGRAM.format(step=step, is_eager=is_eager, **given)
                _show(name + (", eager" if is_eager else ""), program, size)


def _show(name: str, program: str, size: int) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    took, peak = map(float, done.stdout.split()[-2:])
    print(f"{name:45} {took:6.2f} s   peak {peak:7.0f} MB   {peak / size:.2f} of the variables", flush=True)


if __name__ == "__main__":
    main()
