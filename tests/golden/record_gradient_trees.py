"""Record what TensorFlow 1.15.5 does with the programs of ``gradient_tree_cases.py``: ``gradient_trees.json.gz``.

usage: python record_gradient_trees.py FOLDER

TensorFlow's package has the compiled ops of ``tf.contrib.boosted_trees`` alone.  FOLDER holds the rest of its
``contrib/boosted_trees``, as in its sources, with the messages of ``proto`` compiled by protoc.
"""

import gzip
import importlib
import json
import os
import sys

import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
PACKAGE = "tensorflow.contrib.boosted_trees"


def main(folder):
    import gradient_tree_cases as cases

    tf.logging.set_verbosity(tf.logging.ERROR)
    importlib.import_module(PACKAGE).__path__.append(folder)
    importlib.import_module(PACKAGE + ".python").__path__.append(os.path.join(folder, "python"))
    names = ("estimator_batch.estimator", "proto.learner_pb2", "proto.tree_config_pb2")
    modules = [importlib.import_module("%s.%s" % (PACKAGE, name)) for name in names]
    found = {name: cases.run(tf, *modules, name=name) for name in cases.CASES}
    text = json.dumps(found, sort_keys=True, indent=1)
    with open(os.path.join(HERE, "gradient_trees.json.gz"), "wb") as file:
        file.write(gzip.compress(text.encode(), mtime=0) if sys.version_info >= (3, 8) else gzip.compress(text.encode()))


main(sys.argv[1])
