"""Trainings by ``tf.estimator`` whose nodes, log lines, files and results are recorded."""

import logging
import os
import re


def told(text, folder):
    """A log line without what differs from run to run: times, folders, objects, warnings of deprecation."""
    text = text.replace(folder, "FOLDER")
    text = re.sub(r"\(\d+\.\d+ sec\)|sec: [\d.e+]+|at \d{4}-.*|at 0x\w+|temp-\S+", "", text)
    text = re.sub(r"<[\w.]+ClusterSpec object ", "<ClusterSpec object ", text)
    return re.sub(r"\d+\.\d{5,}", lambda m: "%.4g" % float(m.group()), text)


class Lines(logging.Handler):
    def __init__(self, folder):
        super().__init__()
        self.folder, self.lines = folder, []

    def emit(self, record):
        if record.levelno == logging.INFO:
            self.lines.append(told(record.getMessage(), self.folder))


def events(tf, folder):
    found = []
    for name in sorted(os.listdir(folder)):
        if "tfevents" not in name:
            continue
        for event in tf.compat.v1.train.summary_iterator(os.path.join(folder, name)):
            tags = [v.tag for v in event.summary.value]
            if tags != ["global_step/sec"]:
                found.append([event.step, event.WhichOneof("what"), tags])
    return found


def files(folder):
    found = []
    for place, _, names in sorted(os.walk(folder)):
        place = re.sub(r"\d{10}", "TIME", place.replace(folder, ""))
        found.append([place, sorted(n if "tfevents" not in n else "events" for n in names)])
    return found


def error(call):
    try:
        call()
    except Exception as e:
        return type(e).__name__, re.sub(r"<.*>|\[TensorShape.*", "", str(e).split("\n")[0])
    return None


def outcome(tf, np, folder, nodes_of):
    """What a training, its evaluations, predictions and exports leave and tell."""
    import json

    v1 = tf.compat.v1
    lines = Lines(folder)
    logger = logging.getLogger("tensorflow")
    level, propagate = logger.level, logger.propagate
    logger.setLevel(logging.INFO)
    logger.propagate = False
    others, logger.handlers = logger.handlers, [lines]
    graphs = {}
    x = np.linspace(0, 1, 120).reshape(40, 3).astype("f")
    y = x.dot(np.array([[1.0], [2.0], [3.0]], "f"))

    def input_fn():
        return tf.data.Dataset.from_tensor_slices(({"a": x[:, :1], "b": x[:, 1:]}, y)).repeat(3).batch(8)

    def model_fn(features, labels, mode, params):
        z = tf.concat([features["a"], features["b"]], 1)
        p = v1.layers.dense(z, 1, name="d", kernel_initializer=v1.zeros_initializer())
        graphs[mode] = z.graph
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions={"p": p})
        loss = v1.losses.mean_squared_error(labels, p)
        train = v1.train.GradientDescentOptimizer(params["rate"]).minimize(loss, v1.train.get_global_step())
        mae = v1.metrics.mean_absolute_error(labels, p)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train, eval_metric_ops={"mae": mae})

    try:
        config = tf.estimator.RunConfig(
            tf_random_seed=1, save_checkpoints_steps=6, log_step_count_steps=4, save_summary_steps=3
        )
        e = tf.estimator.Estimator(model_fn, folder + "/m", config, params={"rate": 0.1})
        e.train(input_fn, steps=10)
        metrics = e.evaluate(input_fn, steps=3, name="some")
        arrays = v1.estimator.inputs.numpy_input_fn({"a": x[:3, :1], "b": x[:3, 1:]}, batch_size=2, shuffle=False)
        predictions = [float(p["p"][0]) for p in e.predict(arrays)]
        spec = {"a": v1.FixedLenFeature([1], tf.float32), "b": v1.FixedLenFeature([2], tf.float32)}
        receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
        exporters = [
            tf.estimator.LatestExporter("latest", receiver),
            tf.estimator.FinalExporter("final", receiver),
            tf.estimator.BestExporter("best", receiver),
        ]
        train_in = v1.estimator.inputs.numpy_input_fn(
            {"b": x[:, 1:], "a": x[:, :1]}, y, batch_size=8, num_epochs=None, shuffle=False
        )
        last, exports = tf.estimator.train_and_evaluate(
            e,
            tf.estimator.TrainSpec(train_in, 20),
            tf.estimator.EvalSpec(input_fn, steps=None, exporters=exporters, throttle_secs=0),
        )
        settings = tf.estimator.WarmStartSettings(folder + "/m", vars_to_warm_start="d/k.*")
        warm = tf.estimator.Estimator(model_fn, folder + "/w", config, {"rate": 0.0}, warm_start_from=settings)
        warm.train(input_fn, max_steps=2)
        logger.handlers = []
        found = json.dumps(
            {
                "lines": lines.lines,
                "graphs": {mode: nodes_of(graph) for mode, graph in graphs.items()},
                "metrics": {k: float(v) for k, v in metrics.items()},
                "predictions": predictions,
                "last": {k: float(v) for k, v in last.items()},
                "exports": [x is not None for x in exports],
                "variables": e.get_variable_names(),
                "kernel": e.get_variable_value("d/kernel").ravel().tolist(),
                "warm": [warm.get_variable_value("d/" + n).ravel().tolist() for n in ("kernel", "bias")],
                "files": files(folder),
                "events": [events(tf, folder + "/m"), events(tf, folder + "/m/eval")],
                "errors": [error(call) for call in errors(tf, np, e, train_in, exporters)],
                "configs": [configured(tf, text) for text in CONFIGS],
            }
        )
        return json.loads(found.replace(folder, "FOLDER"))
    finally:
        logger.handlers = others
        logger.setLevel(level)
        logger.propagate = propagate


def errors(tf, np, e, input_fn, exporters):
    s, c = tf.estimator, tf.constant
    yield lambda: e.train(input_fn, steps=0)
    yield lambda: e.train(input_fn, steps=1, max_steps=1)
    yield lambda: e.train(input_fn, 3)
    yield lambda: e.train(input_fn, [3])
    yield lambda: e.evaluate(input_fn, steps=-1)
    yield lambda: e.export_saved_model("x", None)
    yield lambda: s.EvalSpec(3)
    yield lambda: s.EvalSpec(input_fn, exporters=exporters + exporters[:1])
    yield lambda: s.EvalSpec(input_fn, exporters=[3])
    yield lambda: s.EvalSpec(input_fn, throttle_secs=-1)
    yield lambda: s.TrainSpec(input_fn, max_steps=0)
    yield lambda: s.train_and_evaluate(e, 3, s.EvalSpec(input_fn))
    yield lambda: s.RunConfig(save_checkpoints_secs=1, save_checkpoints_steps=3)
    yield lambda: s.RunConfig(keep_checkpoint_max=-1)
    yield lambda: s.RunConfig(model_dir="")
    yield lambda: e.config.replace(foo=3)
    yield lambda: s.EstimatorSpec("train", loss=c(1.0))
    yield lambda: s.EstimatorSpec("train", train_op=c(1.0))
    yield lambda: s.EstimatorSpec("eval", loss=3.0)
    yield lambda: s.EstimatorSpec("eval", loss=c(1.0), eval_metric_ops={"a": 3})
    yield lambda: s.EstimatorSpec("infer")
    yield lambda: s.EstimatorSpec("infer", predictions=c(1.0), export_outputs={"a": 3})
    yield lambda: tf.compat.v1.estimator.inputs.numpy_input_fn(np.zeros(3))
    yield lambda: s.export.PredictOutput(3)
    yield lambda: s.export.ClassificationOutput()
    yield lambda: s.export.ServingInputReceiver({1.0: 3}, None)
    yield lambda: s.WarmStartSettings("")
    yield lambda: s.LatestExporter("a", None, exports_to_keep=0)
    yield lambda: s.experimental.make_early_stopping_hook(3, None)
    yield lambda: s.experimental.stop_if_lower_hook(e, "a", 1, run_every_steps=3)


CONFIGS = [
    '{"task": {"type": "chief"}}',
    '{"cluster": {"chief": ["a:1"]}, "task": {"type": "chief", "index": 0}}',
    '{"cluster": {"chief": ["a:1"], "ps": ["c:2"], "worker": ["b:1", "d:3"]}, "task": {"type": "worker", "index": 1}}',
    '{"cluster": {"master": ["a:1"], "ps": ["c:2"], "worker": ["b:1", "d:3"]}, "task": {"type": "ps", "index": 0}}',
    '{"cluster": {"chief": ["a:1"]}, "task": {"type": "evaluator", "index": 0}}',
    '{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}}',
    '{"cluster": {"chief": ["a:1"]}}',
    '{"model_dir": "a folder", "session_master": "b"}',
    '{"model_dir": ""}',
    '{"cluster": {"chief": ["a:1"]}, "task": {"type": "worker", "index": 0}}',
]


def configured(tf, text):
    """The properties of the configuration that an environment gives, or the error."""
    os.environ["TF_CONFIG"] = text
    try:
        config = tf.estimator.RunConfig()
    except Exception as e:
        return type(e).__name__, str(e)
    finally:
        del os.environ["TF_CONFIG"]
    found = {k: v for k, v in vars(config).items() if k not in ("_cluster_spec", "_session_config")}
    session = config.session_config
    return found, config.cluster_spec.as_dict(), session and sorted(session.device_filters)
