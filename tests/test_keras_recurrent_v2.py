"""Recurrent layers of ``tf.compat.v2``: other defaults, the same numbers; names of devices that are one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager import configuration

k, v2 = tf.keras.layers, tf.compat.v2.keras.layers
AS_IN_V2: dict[str, dict[str, Any]] = {
    "LSTM": {"recurrent_activation": "sigmoid", "implementation": 2},
    "GRU": {"recurrent_activation": "sigmoid", "implementation": 2, "reset_after": True},
}


@pytest.mark.parametrize("kind", AS_IN_V2)
def test_layers_of_version_2_are_the_older_ones_with_other_arguments(kind: str) -> None:
    x = np.random.RandomState(0).randn(3, 5, 4)
    x[0, 3:] = 0
    config = getattr(v2, kind)(2).get_config()
    assert {key: config[key] for key in AS_IN_V2[kind]} == AS_IN_V2[kind]
    tf.keras.backend.clear_session()
    layers = [getattr(v2, kind)(2), getattr(k, kind)(2, **AS_IN_V2[kind])]
    models = [tf.keras.Sequential([k.Masking(input_shape=(5, 4)), layer]) for layer in layers]
    models[1].set_weights(models[0].get_weights())
    np.testing.assert_array_equal(*[model.predict(x) for model in models])
    assert type(layers[0]).__name__ == kind
    assert isinstance(layers[0], getattr(k, kind))


def test_the_cpu_has_the_names_that_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "_asked", {})
    config = tf.config.experimental
    (cpu,) = config.list_physical_devices("CPU")
    assert config.get_virtual_device_configuration(cpu) is None
    part = config.VirtualDeviceConfiguration
    with pytest.raises(ValueError, match="memory limit on CPU virtual devices"):
        config.set_virtual_device_configuration(cpu, [part(memory_limit=3)])
    with pytest.raises(ValueError, match="Unrecognized device: 'x'"):
        config.set_virtual_device_configuration("x", [part()])
    config.set_virtual_device_configuration(cpu, [part(), part()])
    assert [d.name[-5:] for d in config.list_logical_devices("CPU")] == ["CPU:0", "CPU:1"]
    config.set_virtual_device_configuration(cpu, [part(), part()])
    with pytest.raises(RuntimeError, match="cannot be modified after being initialized"):
        config.set_virtual_device_configuration(cpu, [part()])
    assert config.get_device_policy() == "silent"
    with pytest.raises(ValueError, match="Not a valid device policy: 'foo'"):
        config.set_device_policy("foo")
