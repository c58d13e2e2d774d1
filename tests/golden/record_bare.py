"""Record the arguments of TensorFlow 1.15.5's generated functions as ``bare.tsv``: python record_bare.py

``x =`` after an argument's name stands for one that has a default.
"""

import glob
import importlib
import inspect
import os

import tensorflow_core

HERE = os.path.dirname(os.path.abspath(__file__))


def arguments(function):
    kinds = inspect.signature(function).parameters.values()
    return " ".join(p.name + ("" if p.default is p.empty else "=") for p in kinds)


def of_module(path):
    name = os.path.splitext(os.path.basename(path))[0]
    for key, value in sorted(vars(importlib.import_module("tensorflow.python.ops." + name)).items()):
        function = getattr(value, "__wrapped__", value)
        own = inspect.isfunction(function) and os.path.basename(function.__code__.co_filename) == name + ".py"
        if own and key[0].islower() and not key.endswith("_eager_fallback"):
            yield name + "." + key + "\t" + arguments(function) + "\n"


if __name__ == "__main__":
    files = sorted(glob.glob(os.path.join(os.path.dirname(tensorflow_core.__file__), "python", "ops", "gen_*.py")))
    with open(os.path.join(HERE, "bare.tsv"), "w") as out:
        out.writelines(line for path in files for line in of_module(path))
