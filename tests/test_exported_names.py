"""The decorators that note public names, as TensorFlow 1.15.5 notes them."""

import pytest

from retrograd.tf.python.util import tf_export as names


def test_names_stand_on_what_is_decorated() -> None:
    @names.tf_export("a.b", "c.d")
    def both() -> None: ...

    @names.keras_export("keras.x", v1=["keras.y"])
    class Base: ...

    @names.estimator_export("estimator.Z", v1=[])
    class Derived(Base): ...

    assert vars(both) == {"_tf_api_names": ("a.b", "c.d"), "_tf_api_names_v1": ("a.b", "c.d")}
    assert (Base._keras_api_names, Base._keras_api_names_v1) == (("keras.x",), ["keras.y"])  # type: ignore[attr-defined]
    assert "_keras_api_names" not in vars(Derived)
    with pytest.raises(names.SymbolAlreadyExposedError, match=r"^Symbol both is already exposed as \('a.b', 'c.d'\).$"):
        names.tf_export("a.e")(both)
    names.tf_export("a.e", overrides=[both])(lambda: None)
    assert vars(both) == {}


def test_names_of_another_component() -> None:
    with pytest.raises(names.InvalidSymbolNameError, match=r"^Can only export symbols under package"):
        names.estimator_export("q")
    with pytest.raises(names.InvalidSymbolNameError, match=r"^@tf_export is not allowed to export"):
        names.tf_export("estimator.q")
