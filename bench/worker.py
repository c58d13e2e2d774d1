"""One peer in a process of its own, which does what lines of JSON on its standard input ask for.

    {"do": "prepare", "workload": MODULE, "data": FILE, "options": {...}}   sets the program up
    {"do": "steps", "count": N}     runs N steps and tells the results of each
    {"do": "time", "count": N}      runs N steps and tells the seconds, and those of all cores
    {"do": "wait"}                  tells whether these steps are still to be computed in another way
    {"do": "memory"}                tells the most memory that the process ever held, in bytes

Runs on Python 3.7, too.
"""

import importlib
import json
import logging
import os
import sys
import time
import warnings

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402


def tensorflow(peer):
    """The module that the TensorFlow programs of this peer know as ``tf``."""
    if peer == "tf1":
        import tensorflow as tf  # type: ignore[import-untyped]

        tf.logging.set_verbosity(tf.logging.ERROR)
    elif peer == "tf2":
        import tensorflow.compat.v1 as tf  # type: ignore[import-untyped]

        tf.logging.set_verbosity(tf.logging.ERROR)
        tf.disable_v2_behavior()
    else:
        from retrograd import tf
    return tf


def set_up(peer, function, module, data, options):
    """The program of ``module`` for this peer, ready to run, with the seconds that each part took."""
    begin = time.perf_counter()
    arguments = [tensorflow(peer)] if function == "in_tensorflow" else []
    if function == "in_torch_channels_last":
        function, options = "in_torch", dict(options, channels_last=True)
    imported = importlib.import_module(function.split("_")[1]) if not arguments else arguments[0]
    middle = time.perf_counter()
    assert imported is not None
    program = getattr(module, function)(*arguments, data, **options)
    return program, {"import": middle - begin, "build": time.perf_counter() - middle}


def finish(program):
    """Wait until all steps are done."""
    return None if program.finish is None else float(program.finish())


def results_of(program, count):
    """The mean of what each step gave; of the last one what ``finish`` gives, if the steps give nothing."""
    results = []
    for i in range(count):
        value = program.step(i)
        results.append(None if value is None else float(np.mean(value)))
    return results if program.finish is None else [*results[:-1], finish(program)]


def seconds_of(program, begin, count):
    """The time of ``count`` steps, the first of which is the step ``begin``, and what they take of all cores."""
    step = program.step
    start, cpu = time.perf_counter(), time.process_time()
    for i in range(begin, begin + count):
        step(i)
    finish(program)
    return {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu}


def without_session(program):
    """The computations of the program's steps alone."""
    from bench.lowered import bare

    return program._replace(step=bare(program.step))


def is_pending():
    """Whether a plan that runs again and again waits for its computation."""
    from bench.lowered import is_pending

    return is_pending()


def peak_memory():
    """The most bytes that this process ever held in memory."""
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return int(lines["VmHWM"].split()[0]) * 1024


def main():
    peer, function = sys.argv[1:]
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    # what a library prints must not come between the answers
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    program, done, is_bare = None, 0, False
    for line in sys.stdin:
        order = json.loads(line)
        if order["do"] == "prepare":
            module = importlib.import_module("bench.workloads." + order["workload"])
            with np.load(order["data"]) as archive:
                data = {name: archive[name] for name in archive.files}
            program, answer = set_up(peer, function, module, data, order["options"])
        elif order["do"] == "steps":
            start = time.perf_counter()
            results = results_of(program, order["count"])
            answer = {"results": results, "seconds": time.perf_counter() - start}
            done += order["count"]
        elif order["do"] == "time":
            if peer == "lowered" and not is_bare:
                program, is_bare = without_session(program), True
            answer = seconds_of(program, done, order["count"])
            done += order["count"]
        elif order["do"] == "wait":
            answer = {"is_pending": function == "in_tensorflow" and "retrograd" in sys.modules and is_pending()}
        else:
            answer = {"bytes": peak_memory()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
