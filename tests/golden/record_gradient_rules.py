"""Record which op types TensorFlow 1.15.5 has gradients of, and under which names its inner modules hold them.

usage: python record_gradient_rules.py     under a real TensorFlow 1.15.5; writes retrograd/grad/recorded.txt
  *: every type that is registered
  module: function=type where the type is not the name without "_" and its last "Grad"
"""

import os
from collections import defaultdict

import tensorflow as tf  # noqa: F401  (registers the gradients)
from tensorflow.python.framework import ops

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def plain_type(function):
    before, _, after = function[1:].rpartition("Grad")
    return before + after


known = ops._gradient_registry
modules = defaultdict(lambda: defaultdict(list))
for op_type in known.list():
    rule = known.lookup(op_type)
    if rule is not None and rule.__module__.startswith("tensorflow.python.ops.") and rule.__module__.endswith("_grad"):
        modules[rule.__module__[len("tensorflow.") :]][rule.__name__].append(op_type)

lines = ["*: " + " ".join(sorted(known.list()))]
for module, functions in sorted(modules.items()):
    words = [
        name if plain_type(name) in types else "%s=%s" % (name, sorted(types)[0])
        for name, types in sorted(functions.items())
    ]
    lines.append("%s: %s" % (module, " ".join(words)))
with open(os.path.join(ROOT, "retrograd/grad/recorded.txt"), "w") as file:
    file.write("\n".join(lines) + "\n")
