"""What later librosas, scikit-images, imageios and gensims removed, on modules that stand in for theirs."""

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from retrograd.revival import images, sounds, words
from retrograd.revival.putting import undo


@pytest.fixture(autouse=True)
def _taken_away_again() -> Iterator[None]:
    before = len(undo)
    yield
    while len(undo) > before:
        undo.pop()()


def _module(name: str, source: str) -> Any:
    module = ModuleType(name)
    exec(source, vars(module))
    return module


def test_arguments_of_librosa_by_their_places() -> None:
    audio = _module("librosa.core.audio", "def resample(y, *, orig_sr, target_sr):\n return orig_sr, target_sr\n")
    vars(audio)["get_duration"] = lambda *, path: path
    sounds.revive_librosa_audio(audio)
    assert audio.resample([], 44100, 16000) == (44100, 16000)
    assert audio.get_duration(filename="a.wav") == "a.wav"


def test_sounds_are_written(tmp_path: Any) -> None:
    from scipy.io import wavfile

    librosa = ModuleType("librosa")
    vars(librosa)["util"] = SimpleNamespace(
        valid_audio=lambda y: True, normalize=lambda y, norm, axis: y / abs(y).max()
    )
    vars(librosa)["power_to_db"] = lambda S, ref, amin, top_db: ref
    sounds.revive_librosa(librosa)
    librosa.output.write_wav(str(tmp_path / "a.wav"), np.float32([0.25, -0.5]), 8000, norm=True)  # type: ignore[attr-defined]
    rate, samples = wavfile.read(tmp_path / "a.wav")
    assert (rate, samples.tolist()) == (8000, [0.5, -1.0])
    assert librosa.logamplitude(1.0, ref_power=2.0) == 2.0  # type: ignore[attr-defined]
    feature = SimpleNamespace(rms=lambda y: y)
    sounds.revive_librosa_feature(feature)
    assert feature.rmse(y=3) == 3


def test_channels_and_footprints_of_scikit_image() -> None:
    module = _module(
        "skimage.x",
        "def blurred(x, *, channel_axis=None): return channel_axis\ndef grown(x, footprint): return footprint\n",
    )
    images.revive_functions(module)
    assert module.blurred(0, multichannel=True) == -1
    assert module.blurred(0, multichannel=False) is None
    assert module.blurred(0, 2) == 2
    assert module.grown(0, selem="disk") == "disk"


def test_images_are_compared_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = ModuleType("skimage.metrics")
    vars(metrics)["structural_similarity"] = lambda x, y, **kwargs: kwargs["data_range"]
    vars(metrics)["normalized_root_mse"] = lambda x, y, normalization: normalization
    monkeypatch.setitem(sys.modules, "skimage.metrics", metrics)
    measure = ModuleType("skimage.measure")
    images.revive_measure(measure)
    assert measure.compare_ssim(np.zeros(2), np.zeros(2)) == 2.0  # type: ignore[attr-defined]
    assert measure.compare_nrmse(0, 0) == "euclidean"  # type: ignore[attr-defined]


def test_images_of_floating_point_numbers_are_written_as_bytes() -> None:
    """The bytes are those that imageio 2.19 wrote."""
    written: list[Any] = []
    module = ModuleType("imageio.v2")
    vars(module)["imwrite"] = lambda uri, image: written.append(image)
    vars(module)["mimsave"] = lambda uri, image: written.append(image)
    images.revive_imageio(module)
    module.imwrite("a.png", np.array([0.5488135, 0.71518937, 1.0]))  # type: ignore[attr-defined]
    module.imwrite("a.jpg", np.array([-10.0, 0.0, 30.0]))  # type: ignore[attr-defined]
    module.imwrite("a.tif", np.array([0.5]))  # type: ignore[attr-defined]
    module.mimsave("a.gif", [np.array([0.0, 1.0])])  # type: ignore[attr-defined]
    assert written[0].tolist() == [140, 182, 255]
    assert written[1].tolist() == [0, 64, 255]
    assert written[2].tolist() == [0.5]
    assert written[3][0].tolist() == [0, 255]
    with pytest.raises(ValueError, match=r"^Maximum image value is not finite$"):
        module.imwrite("a.png", np.array([1.0, np.inf]))  # type: ignore[attr-defined]


def test_words_of_gensim() -> None:
    class KeyedVectors:
        key_to_index = {"b": 0, "a": 1}  # noqa: RUF012
        index_to_key = ["b", "a"]  # noqa: RUF012
        expandos = {"count": [5, 3]}  # noqa: RUF012

        @property
        def vocab(self) -> Any:
            raise AttributeError("The vocab attribute was removed from KeyedVector in Gensim 4.0.0.")

        def __getitem__(self, word: str) -> str:
            return word * 2

        def __contains__(self, word: str) -> bool:
            return word in self.key_to_index

        def __len__(self) -> int:
            return 2

    class Word2Vec:
        def __init__(self, vector_size: int = 100, epochs: int = 5) -> None:
            self.vector_size, self.epochs, self.wv = vector_size, epochs, KeyedVectors()

    words.revive_gensim_vectors(SimpleNamespace(KeyedVectors=KeyedVectors))
    words.revive_gensim_words(SimpleNamespace(Word2Vec=Word2Vec))
    model: Any = Word2Vec(size=8, iter=2)  # type: ignore[call-arg]
    assert (model.vector_size, model.iter, model["a"], "a" in model, "c" in model) == (8, 2, "aa", True, False)
    assert (list(model.wv.vocab), model.wv.vocab["a"].count, model.vocab["a"].index) == (["b", "a"], 3, 1)
    assert model.wv.index2word == ["b", "a"]
