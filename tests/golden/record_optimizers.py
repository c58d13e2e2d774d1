"""Records ``optimizer_cases.py`` under whatever ``import tensorflow`` means.

    python record_optimizers.py OUT.json

``optimizers.json`` beside this file was recorded so under TensorFlow 1.15.5 (Python 3.7, NumPy 1.18, on the CPU).
"""

import json
import sys

import numpy as np
import optimizer_cases as cases
import tensorflow as tf


def numbers(value):
    """float32 as text that gives back the same bits."""
    return [float("%.9g" % v) for v in np.ravel(value)]


def rates(name, arguments):
    with tf.Graph().as_default(), tf.Session() as sess:
        step, rate = cases.schedule(tf, name, arguments)
        return numbers([sess.run(rate, {step: i}) for i in cases.SCHEDULE_STEPS])


def lines(record):
    """JSON with one line for each entry of a section."""
    sections = []
    for section, entries in record.items():
        if isinstance(entries, dict):
            rows = ["%s: %s" % (json.dumps(k), json.dumps(v)) for k, v in entries.items()]
            sections.append("%s: {\n%s\n}" % (json.dumps(section), ",\n".join(rows)))
        else:
            sections.append("%s: %s" % (json.dumps(section), json.dumps(entries)))
    return "{" + ",\n".join(sections) + "}"


def main(out):
    record = {"tensorflow": tf.__version__, "trajectories": {}}
    for key, name, options, form in cases.trajectories():
        values, slots = cases.trajectory(tf, name, options, form)
        record["trajectories"][key] = {
            "values": [numbers(v) for v in values], "slots": {k: numbers(s) for k, s in slots.items()}}
    record["schedules"] = {key: rates(name, arguments) for key, name, arguments in cases.schedules()}
    record["graphs"] = {key: cases.nodes(tf, build) for key, build in cases.GRAPHS.items()}
    record["messages"] = {key: cases.message(tf, build) for key, build in cases.MESSAGES.items()}
    with open(out, "w") as file:
        file.write(lines(record) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
