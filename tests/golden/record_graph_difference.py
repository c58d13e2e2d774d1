"""Records how TensorFlow 1.15.5 tells what distinguishes two graphs: graph_difference.json."""

import json
from pathlib import Path

import graph_difference_cases
import tensorflow as tf
from tensorflow.python import pywrap_tensorflow

told = {n: pywrap_tensorflow.EqualGraphDefWrapper(a, b).decode() for n, a, b in graph_difference_cases.pairs(tf)}
Path(__file__).with_name("graph_difference.json").write_text(json.dumps(told, indent=1) + "\n")
