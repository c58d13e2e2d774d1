"""``tf.contrib.timeseries``: graphs and numbers of models and readers, against TensorFlow 1.15.5."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from golden.time_series_cases import MODES, RUN, Cases, nodes_of
from recorded_cases import golden

from retrograd import tf
from retrograd.tf.contrib import timeseries as ts
from retrograd.tf.contrib.timeseries.python.timeseries import estimators, model

GOLDEN = golden("time_series")
CASES = Cases(tf, ts, model, estimators)


@pytest.mark.parametrize("name", sorted(CASES.models))
def test_graphs_of_models_are_as_recorded(name: str) -> None:
    for mode in MODES:
        got, want = nodes_of(CASES.graph_of(name, mode)[0]), GOLDEN[f"{name} {mode}"]
        if (name, mode) == ("sequential", "train"):  # gradients of loops keep their history in other ops
            got, want = ([line for line in lines if "gradients/" not in line] for lines in (got, want))
        assert got == want, mode


def test_graphs_of_readers_are_as_recorded() -> None:
    for name, graph in CASES.input_graphs().items():
        # what leaves the loop has a static shape here where all rounds give that shape
        got, want = ([n for n in nodes if " Exit " not in n] for nodes in (nodes_of(graph), GOLDEN["inputs"][name]))
        assert got == want, name


@pytest.mark.parametrize("name", RUN)
def test_numbers_of_models_are_as_recorded(name: str) -> None:
    for mode in MODES:
        got, want = CASES.numbers_of(name, mode), GOLDEN[f"{name} {mode} numbers"]
        assert set(got) == set(want)
        for key in want:
            np.testing.assert_allclose(got[key], want[key], rtol=1e-4, atol=1e-6, err_msg=f"{mode} {key}")


def test_lines_of_a_file_are_fitted_and_predicted(tmp_path: Path) -> None:
    path = tmp_path / "series.csv"
    path.write_text("".join(f"{t},{np.sin(t / 3.0):.4f}\n" for t in range(60)))
    reader = ts.CSVReader(str(path))
    estimator = ts.ARRegressor(
        periodicities=[6], input_window_size=4, output_window_size=2, num_features=1, model_dir=str(tmp_path / "m")
    )
    estimator.train(ts.RandomWindowInputFn(reader, batch_size=4, window_size=6, num_threads=1, shuffle_seed=2), steps=3)
    evaluation = estimator.evaluate(ts.WholeDatasetInputFn(reader), steps=1)
    assert evaluation["times"].tolist() == [list(range(4, 60))]
    (predictions,) = estimator.predict(ts.predict_continuation_input_fn(evaluation, steps=3))
    assert predictions["times"].tolist() == [60, 61, 62]
    assert predictions["mean"].shape == (3, 1)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="windows of size 9, but only 5 records"):
        ts.RandomWindowInputFn(ts.NumpyReader({"times": range(5), "values": range(5)}), window_size=9, batch_size=1)
    with pytest.raises(ValueError, match="'values' is a required column"):
        ts.CSVReader("x.csv", column_names=("times", "other"))
    with pytest.raises(ValueError, match="Only one of `steps` and `times`"):
        ts.predict_continuation_input_fn({}, steps=1, times=[1])
    with pytest.raises(ValueError, match="anomaly_prior_probability is required"):
        ts.ARRegressor(5, 4, 2, 1, anomaly_distribution="cauchy")


def test_an_exported_model_goes_on_where_an_evaluation_ended(tmp_path: Path) -> None:
    times, values = np.arange(20), np.sin(np.arange(20) / 3).astype("f")
    reader = ts.NumpyReader({"times": times, "values": values})
    regressor = ts.ARRegressor(
        periodicities=10, input_window_size=4, output_window_size=2, num_features=1, model_dir=str(tmp_path / "model"),
        config=tf.estimator.RunConfig(tf_random_seed=1),
    )  # fmt: skip
    regressor.train(ts.RandomWindowInputFn(reader, batch_size=2, window_size=6, num_threads=1), steps=2)
    ended = regressor.evaluate(ts.WholeDatasetInputFn(reader), steps=1)
    wanted = next(regressor.predict(ts.predict_continuation_input_fn(ended, steps=4)))
    folder = regressor.export_saved_model(str(tmp_path), regressor.build_raw_serving_input_receiver_fn())
    tools = ts.saved_model_utils
    with tf.Graph().as_default(), tf.Session() as sess:
        model = tf.saved_model.loader.load(sess, ["serve"], folder)
        found = tools.predict_continuation(ended, model, sess, steps=4)
        np.testing.assert_allclose(found["mean"][0], wanted["mean"], rtol=1e-5, atol=1e-6)
        assert found["times"].tolist() == [[20, 21, 22, 23]]
        cold = tools.cold_start_filter(model, sess, {"times": times[None], "values": values[None, :, None]})
        assert cold["times"].tolist() == [times.tolist()]
        warm = tools.filter_continuation(cold, model, sess, {"times": [[20, 21]], "values": [[[0.1], [0.2]]]})
        after = tools.predict_continuation(warm, model, sess, times=[[22, 23]])
        assert after["mean"].shape == (1, 2, 1)
        with pytest.raises(ValueError, match="Prediction times must be after the corresponding previous model output"):
            tools.predict_continuation(warm, model, sess, times=[[21, 22]])
