"""An estimator exported with a graph for each mode, and what is made of the SavedModel again."""


def outcome(tf, np, folder):
    """Measures, predictions and errors of the estimator, of one made of its SavedModel, and of one made of that."""
    x, y = np.array([[1, 2], [3, 4], [5, 6.0]], np.float32), np.array([1, 0, 2.0], np.float32)

    def model_fn(features, labels, mode):
        w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer([[0.5], [-0.25]]))
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        y = tf.squeeze(tf.matmul(features["x"], w) + b, 1)
        if mode == "infer":
            return tf.estimator.EstimatorSpec(mode, {"y": y})
        loss = tf.losses.mean_squared_error(labels, y)
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, tf.train.get_global_step())
        measures = {"mae": tf.metrics.mean_absolute_error(labels, y)}
        return tf.estimator.EstimatorSpec(mode, {"y": y}, loss, train, eval_metric_ops=measures)

    def labelled():
        return tf.data.Dataset.from_tensors(({"x": x}, y)).repeat()

    def measured(estimator):
        return {name: float(value) for name, value in sorted(estimator.evaluate(labelled, steps=1).items())}

    def of(features):
        return lambda: tf.data.Dataset.from_tensors(features)

    def serving():
        given = {"x": tf.placeholder(tf.float32, [None, 2], name="x")}
        return tf.estimator.export.ServingInputReceiver(given, given)

    def error(call):
        try:
            call()
        except Exception as e:
            return [type(e).__name__, str(e).split("\n\n")[0]]

    again = tf.contrib.estimator.SavedModelEstimator
    first = tf.estimator.Estimator(model_fn, folder + "/first")
    first.train(labelled, steps=3)
    with tf.Graph().as_default():
        supervised = tf.contrib.estimator.build_raw_supervised_input_receiver_fn(
            {"x": tf.placeholder(tf.float32, [None, 2])}, tf.placeholder(tf.float32, [None])
        )
    receivers = {"train": supervised, "eval": supervised, "infer": serving}
    path = first.experimental_export_all_saved_models(folder + "/all", receivers).decode()
    second = again(path, folder + "/second")
    found = [measured(first), measured(second)]
    found.append([row["y"].tolist() for row in second.predict(of({"x": x}))])
    second.train(labelled, steps=2)
    found += [measured(second), sorted(second.get_variable_names()), second.latest_checkpoint()[-5:]]
    path = second.experimental_export_all_saved_models(folder + "/again", receivers).decode()
    third = again(path, folder + "/third")
    third.train(labelled, steps=1)
    found.append(measured(third))
    serves = again(first.export_saved_model(folder + "/serves", serving).decode(), folder + "/fourth")
    for call in (
        lambda: serves.train(labelled, steps=1),
        lambda: serves.evaluate(labelled),
        lambda: list(serves.predict(of({"x": x.astype("float64")[:, :1]}))),
        lambda: list(serves.predict(lambda: [tf.train.create_global_step(), {"x": tf.constant(x)}][1])),
        lambda: serves.export_savedmodel,
    ):
        found.append(error(call))
    return found
