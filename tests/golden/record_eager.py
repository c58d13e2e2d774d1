"""Record what the programs of ``eager_cases.py`` show, one by one.

usage: python record_eager.py     under a real TensorFlow 1.15.5; writes eager.json
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import eager_cases  # noqa: E402


def main():
    if len(sys.argv) > 1:  # one program, in a process of its own
        import tensorflow as tf

        tf.enable_eager_execution()
        print("RECORDED" + json.dumps(eager_cases.shown(tf, eager_cases.PROGRAMS[sys.argv[1]])))
        return
    found = {}
    for name in sorted(eager_cases.PROGRAMS):
        text = subprocess.check_output([sys.executable, "-W", "ignore", __file__, name], stderr=subprocess.DEVNULL)
        found[name] = json.loads(text.decode().rpartition("RECORDED")[2])
    with open(os.path.join(HERE, "eager.json"), "w") as f:
        json.dump(found, f, indent=1, sort_keys=True)
        f.write("\n")


if __name__ == "__main__":
    main()
