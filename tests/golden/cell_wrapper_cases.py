"""Wrapped cells of ``tf.compat.v2.nn``: shapes of states, variables, configurations and values."""


def doubled(x, y):
    return 2 * x + y


def _cells(tf):
    keras = tf.keras.layers
    ones = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
    return {
        "plain": lambda: keras.SimpleRNNCell(2, name="inner", **ones),
        "lstm": lambda: keras.LSTMCell(2, name="inner", **ones),
        "stacked": lambda: keras.StackedRNNCells([keras.SimpleRNNCell(2, **ones), keras.LSTMCell(2, **ones)]),
    }


def _wrapped(tf):
    nn = tf.compat.v2.nn
    return {
        "dropout": lambda cell: nn.RNNCellDropoutWrapper(cell, 1.0, 1.0, 1.0),
        "dropped": lambda cell: nn.RNNCellDropoutWrapper(cell, 1e-9, 1e-9, 1e-9, seed=1),
        "residual": lambda cell: nn.RNNCellResidualWrapper(cell),
        "function": lambda cell: nn.RNNCellResidualWrapper(cell, residual_fn=doubled, name="mine"),
        "device": lambda cell: nn.RNNCellDeviceWrapper(cell, "/cpu:0"),
        "twice": lambda cell: nn.RNNCellResidualWrapper(nn.RNNCellDeviceWrapper(cell, "/cpu:0")),
    }


def _without_code(config):
    """The configuration without a function's code and folder: each is of its version of Python or of its caller."""
    found = {k: _without_code(v) if isinstance(v, dict) else v for k, v in config.items()}
    if "residual_fn" in found:
        found["residual_fn"] = found["residual_fn"][1:]
        found["residule_fn_module"] = found["residule_fn_module"].split(".")[-1]
    return found


def _run(tf, wrapper, layer):
    with tf.Graph().as_default():
        cell = layer(wrapper)
        run = tf.keras.layers.RNN(cell, return_sequences=True, return_state=True)
        found = run(tf.constant([[[1.0, -2.0], [0.5, 0.25]]]))
        again = type(cell).from_config(cell.get_config())
        same = tf.keras.layers.deserialize(tf.keras.layers.serialize(cell))
        second = tf.keras.layers.RNN(again, return_sequences=True)(tf.constant([[[1.0, -2.0], [0.5, 0.25]]]))
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            values = sess.run(tf.nest.flatten([found, second]))
        return {
            "values": [x.tolist() for x in values],
            "variables": [v.name for v in cell.trainable_weights],
            "others": [v.name for v in cell.non_trainable_variables],
            "config": _without_code(cell.get_config()),
            "again": _without_code(again.get_config()) == _without_code(cell.get_config()),
            "kinds": [type(again).__name__, type(same).__name__, type(same.cell).__name__],
            "sizes": repr((cell.state_size, cell.output_size)),
        }


def _mistakes(tf):
    nn, cell = tf.compat.v2.nn, tf.keras.layers.GRUCell(2)
    yield lambda: nn.RNNCellDropoutWrapper(cell, input_keep_prob=2.0)
    yield lambda: nn.RNNCellDropoutWrapper(cell, dropout_state_filter_visitor=3)
    yield lambda: nn.RNNCellDropoutWrapper(cell, variational_recurrent=True)
    yield lambda: nn.RNNCellDropoutWrapper(cell, 0.5, variational_recurrent=True, dtype=tf.float32)
    yield lambda: nn.RNNCellDeviceWrapper(cell, "/cpu:0").zero_state(1, tf.float32)


def outcome(tf):
    found = {}
    wrapped = _wrapped(tf)
    which = {"plain": list(wrapped), "lstm": ["dropped", "function"], "stacked": ["residual"]}
    for kind, layer in _cells(tf).items():
        for name in which[kind]:
            found[f"{kind} {name}"] = _run(tf, layer(), wrapped[name])
    errors = []
    for mistake in _mistakes(tf):
        try:
            mistake()
        except Exception as error:
            errors.append([type(error).__name__, str(error).split("\n")[0]])
    return {"errors": errors, **found}
