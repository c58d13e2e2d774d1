"""Graphs and numbers of ``tf.contrib.timeseries``; run by ``record_time_series.py`` and by the test."""

import numpy as np

MODES = ("train", "eval", "infer")
RUN = ("flat", "sequential")  # of whose graphs the numbers are recorded too


class Cases:
    """The cases under one implementation: ``tensorflow``, and modules of its ``contrib.timeseries``."""

    def __init__(self, tf, ts, model, estimators):
        self.tf, self.ts = tf, ts
        self.linear = linear_model(tf, model)
        self.models = {
            "flat": lambda: ts.ARRegressor(**settings()),
            "hidden": lambda: ts.ARRegressor(**settings(hidden_layer_sizes=[3], loss=ts.ARModel.SQUARED_LOSS)),
            "times only": lambda: ts.ARRegressor(**settings(input_window_size=0, output_window_size=6)),
            "long outputs": lambda: ts.ARRegressor(
                **settings(periodicities=None, input_window_size=2, output_window_size=4)
            ),
            "cauchy": lambda: ts.ARRegressor(**settings(anomaly_prior_probability=0.1, anomaly_distribution="cauchy")),
            "columns": lambda: ts.ARRegressor(
                **settings(exogenous_feature_columns=[tf.feature_column.numeric_column("heat")])
            ),
            "lstm": lambda: estimators.LSTMAutoRegressor(
                periodicities=5, input_window_size=4, output_window_size=2, num_units=3
            ),
            "sequential": lambda: ts.TimeSeriesRegressor(model=self.linear()),
            "unrolled": lambda: ts.TimeSeriesRegressor(model=self.linear(static_unrolling_window_size_threshold=6)),
        }

    def graph_of(self, name, mode):
        """The graph of a model in one mode, and what its spec has: (graph, spec)."""
        tf = self.tf
        graph = tf.Graph()
        with graph.as_default():
            tf.set_random_seed(1)
            tf.train.create_global_step()
            estimator = self.models[name]()
            length = 5 if mode == "infer" else 6 if mode == "train" or name == "unrolled" else 11
            features = {"times": tf.constant(np.arange(2 * length).reshape(2, length) + 40)}
            if mode == "infer":
                features["start_tuple"] = tuple(tf.constant(part) for part in state(estimator._model, self.ts))
            else:
                values = np.sin(np.arange(2.0 * length)).reshape(2, length, 1)
                features["values"] = tf.constant(values, tf.float32)
            if name == "columns":
                features["heat"] = tf.constant(np.ones([2, length]), tf.float32)
            if name == "lstm" and mode == "infer":
                features["values"] = tf.zeros([2, 5, 1])
            return graph, estimator.model_fn(features=features, labels=None, mode=mode, config=None)

    def numbers_of(self, name, mode):
        """What the spec yields where each trainable variable has fixed values."""
        tf = self.tf
        graph, spec = self.graph_of(name, mode)
        with graph.as_default(), tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            draw = np.random.RandomState(0)
            trained = {variable.name: variable for variable in tf.trainable_variables()}  # and metrics, which are local
            for variable in sorted(tf.global_variables(), key=lambda v: v.name):
                if variable.name in trained:
                    variable.load(draw.uniform(-0.5, 0.5, variable.shape.as_list()).astype("f"), session)
            if mode == "train":
                losses = [session.run([spec.loss, spec.train_op])[0] for _ in range(3)]
                return {"losses": np.array(losses).tolist()}
            fetched = dict(spec.predictions)
            if mode == "eval":
                fetched["loss"] = spec.loss
            return {key: np.asarray(value).tolist() for key, value in sorted(session.run(fetched).items())}

    def input_graphs(self):
        """The graphs of readers and windows: name -> graph."""
        tf, ts = self.tf, self.ts
        data = {"times": np.arange(40), "values": np.arange(80.0).reshape(40, 2)}
        graphs = {}
        for name, build in {
            "windows": lambda: ts.RandomWindowInputFn(ts.NumpyReader(data), window_size=4, batch_size=3)(),
            "sorted windows": lambda: ts.RandomWindowInputFn(
                ts.NumpyReader(data), window_size=4, batch_size=3, jitter=False, discard_out_of_order=False
            )(),
            "whole": lambda: ts.WholeDatasetInputFn(ts.NumpyReader(data))(),
            "lines": lambda: ts.CSVReader("series.csv", column_names=("times", "values", "values")).read(),
            "all lines": lambda: ts.CSVReader("series.csv").read_full(),
        }.items():
            graphs[name] = tf.Graph()
            with graphs[name].as_default():
                tf.set_random_seed(1)
                build()
        return graphs


def linear_model(tf, model):
    """A sequential model: the next value is a linear function of the last one, and the state is that value."""

    class Linear(model.SequentialTimeSeriesModel):
        def __init__(self, **settings):
            super(Linear, self).__init__(
                train_output_names=["mean"], predict_output_names=["mean"], num_features=1, **settings
            )

        def initialize_graph(self, input_statistics=None):
            super(Linear, self).initialize_graph(input_statistics=input_statistics)
            self._next = tf.make_template("next", lambda x: tf.layers.dense(x, 1), create_scope_now_=True)

        def get_start_state(self):
            return (tf.zeros([], dtype=tf.int64), tf.zeros([1]))

        def _filtering_step(self, current_times, current_values, state, predictions):
            predictions["loss"] = tf.reduce_mean((predictions["mean"] - current_values) ** 2, axis=-1)
            return (current_times, current_values), predictions

        def _prediction_step(self, current_times, state):
            value = self._next(state[1])
            return (current_times, value), {"mean": value}

        def _imputation_step(self, current_times, state):
            return state

        def _exogenous_input_step(self, current_times, current_exogenous_regressors, state):
            return state

    return Linear


def settings(**changed):
    """Arguments of ``ARRegressor``."""
    return dict(dict(periodicities=[5, 7], input_window_size=4, output_window_size=2, num_features=1), **changed)


def state(model, ts):
    """A state that predictions begin with."""
    if not isinstance(model, ts.ARModel):
        return (np.array([1, 2]), np.float32([[0.5], [0.25]]))
    size = model.input_window_size
    times, values = np.arange(30, 30 + 2 * size).reshape(2, size), np.cos(np.arange(2.0 * size))
    return (times, values.reshape(2, size, 1).astype("f"), np.ones([2, size, model.exogenous_size], "f"))


def nodes_of(graph):
    """A line for each node."""
    lines = []
    for op in graph.get_operations():
        shapes = [None if t.shape.ndims is None else t.shape.as_list() for t in op.outputs]
        inputs = [t.name for t in op.inputs] + sorted("^" + c.name for c in op.control_inputs)
        lines.append(" ".join([op.name, op.type] + inputs + [str(shapes)]))
    return lines
