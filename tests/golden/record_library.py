"""Record ``library.json.gz`` under TensorFlow 1.15.5: python record_library.py"""

import functools
import gzip
import json
import os

from record_effects import HERE, error_of, nodes_of, np, plain, tf

from layer_cases import outcome  # isort: skip
from library_cases import CASES  # isort: skip

if __name__ == "__main__":
    # its rewriter of graphs takes a sign away: -sum(ones * -x) becomes -sum(x)
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    tf.Session = functools.partial(tf.Session, config=config)
    record = {}
    for name, code in CASES.items():
        tf.reset_default_graph()
        record[name] = outcome(tf, np, code, nodes_of, error_of, plain)
        print(name[:100], "->", record[name].get("error", ""))
    with gzip.GzipFile(os.path.join(HERE, "library.json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
