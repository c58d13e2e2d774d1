"""Record the arguments and defaults of TensorFlow 1.15.5's public functions and classes.

usage, under a real TensorFlow 1.15.5:
  python record_signatures.py          writes signatures.json
  python record_signatures.py keras    writes keras_signatures.json: those of tf.keras alone
"""
import inspect
import json
import os
import sys

import tensorflow as tf
from tensorflow.python.util import tf_inspect

HERE = os.path.dirname(os.path.abspath(__file__))
SYMBOLS = os.path.join(HERE, "..", "..", "retrograd", "tf", "symbols.txt")
LEFT_OUT = ("contrib.slim", "keras", "estimator", "flags", "app", "contrib.distributions", "contrib.learn", "contrib.eager")

ONLY = sys.argv[1] if len(sys.argv) > 1 else ""

found = {}
for line in open(SYMBOLS):
    path, _, names = line.rstrip("\n").partition(":")
    if not (path + ".").startswith(ONLY + ".") if ONLY else path.startswith(LEFT_OUT):
        continue
    module = tf
    for part in filter(None, path.split(".")):
        module = getattr(module, part)
    for name in names.split():
        value = getattr(module, name, None)
        if inspect.isclass(value):
            function, skip = value.__init__, 1
        elif callable(value):
            function, skip = value, 0
        else:
            continue
        try:
            spec = tf_inspect.getfullargspec(function)
        except TypeError:
            continue
        defaults = [repr(d) for d in spec.defaults or ()]
        arguments = spec.args[skip:]
        plain = len(arguments) - len(defaults)
        found[(path + "." + name).strip(".")] = arguments[:plain] + [
            [a, d if " object at " not in d and not d.startswith("<") else "?"] for a, d in zip(arguments[plain:], defaults)
        ]
with open(os.path.join(HERE, (ONLY and ONLY + "_") + "signatures.json"), "w") as f:
    f.write("{\n" + ",\n".join('"%s": %s' % (k, json.dumps(v)) for k, v in sorted(found.items())) + "\n}\n")
