"""Record ``keras_half.json.gz`` under TensorFlow 1.15.5: python record_keras_half.py"""

import gzip
import json
import os
import re
import subprocess
import sys

import numpy as np
import tensorflow as tf

from keras_graph_cases import nodes_of  # isort: skip
from keras_half_cases import EAGER, GRAPH, SCALES, WRONG  # isort: skip


def graphs():
    record = {}
    for name, scale in SCALES.items():
        tf.keras.backend.clear_session()
        values = {"tf": tf, "np": np, "SCALE": scale}
        exec(GRAPH, values)
        record[name] = {"nodes": nodes_of(tf.get_default_graph()), "losses": values["losses"]}
    return record


def errors():
    record = {}
    for code in WRONG:
        half = tf.keras.mixed_precision.experimental
        try:
            exec(code, {"tf": tf, "K": tf.keras, "half": half})
        except Exception as error:
            record[code] = [type(error).__name__, re.sub(r"<[^>]*at 0x[^>]*>", "<>", str(error))]
        finally:
            if "; half.set_policy('infer')" in code:
                tf.train.experimental.disable_mixed_precision_graph_rewrite()
            half.set_policy(None)
    return record


def eager():
    tf.compat.v1.enable_v2_behavior()
    rows = []
    exec(EAGER, {"tf": tf, "np": np, "say": lambda *row: rows.append(list(row))})
    return rows


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(eager()))
    else:
        rows = json.loads(subprocess.check_output([sys.executable, __file__, "eager"]).splitlines()[-1])
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_half.json.gz")
        with gzip.GzipFile(path, "wb", mtime=0) as f:
            f.write(json.dumps({"graphs": graphs(), "errors": errors(), "eager": rows}, sort_keys=True).encode())
