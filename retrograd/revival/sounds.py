"""Names that later librosas removed, and arguments by their places, as they could be given."""

from __future__ import annotations

import sys

from retrograd.revival.putting import by_places, put, renamed, replace, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


def revive_librosa(librosa: Any) -> None:
    """``librosa.output.write_wav`` and ``librosa.logamplitude``."""
    from types import ModuleType

    def write_wav(path: Any, y: Any, sr: int, norm: bool = False) -> None:
        """Write samples ``y`` of shape [n] or [2, n], of ``sr`` in a second; ``norm``: the largest is 1."""
        import numpy as np
        import scipy.io.wavfile

        librosa.util.valid_audio(y, **({} if y.ndim == 1 else {"mono": False} if _takes_mono(librosa) else {}))
        if norm and np.issubdtype(y.dtype, np.floating):
            y = librosa.util.normalize(y, norm=np.inf, axis=None)
        scipy.io.wavfile.write(path, sr, y.T if y.ndim > 1 and y.shape[0] == 2 else y)

    output = ModuleType("librosa.output")
    vars(output)["write_wav"] = write_wav
    put(librosa, output=output, logamplitude=_logarithms(librosa))
    if sys.modules.setdefault("librosa.output", output) is output:
        undo.append(lambda: sys.modules.pop("librosa.output", None))


def _takes_mono(librosa: Any) -> bool:
    import inspect

    return "mono" in inspect.signature(librosa.util.valid_audio).parameters


def _logarithms(librosa: Any) -> Any:
    def logamplitude(S: Any, ref: Any = 1.0, amin: float = 1e-10, top_db: float | None = 80.0, **old: Any) -> Any:
        """Decibels of powers; ``ref_power`` is how ``ref`` was called."""
        return librosa.power_to_db(S, ref=old.pop("ref_power", ref), amin=amin, top_db=top_db, **old)

    return logamplitude


def revive_librosa_core(core: Any) -> None:
    put(core, logamplitude=_logarithms(core))


def revive_librosa_feature(feature: Any) -> None:
    """``rmse``, which is ``rms`` now."""
    put(feature, rmse=lambda *args, **kwargs: feature.rms(*args, **kwargs))


def revive_librosa_display(display: Any) -> None:
    """``waveplot``, in the place of which ``waveshow`` draws."""
    _functions(display)

    def waveplot(
        y: Any, sr: Any = 22050, max_points: Any = None, x_axis: Any = "time", offset: Any = 0.0, max_sr: Any = None,
        ax: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        return display.waveshow(y, sr=sr, axis=x_axis, offset=offset, ax=ax, **kwargs)

    put(display, waveplot=waveplot)


def revive_librosa_audio(audio: Any) -> None:
    """``get_duration(filename=...)``, and arguments by their places."""
    renamed(audio, "get_duration", filename="path")
    _functions(audio)


def revive_librosa_functions(module: ModuleType) -> None:
    """``librosa.resample(y, 44100, 16000)``, ``librosa.feature.mfcc(y, sr)``, ``librosa.stft(y, 1024)``."""
    _functions(module)


def _functions(module: Any) -> None:
    from types import FunctionType

    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_"):
            replace(module, name, by_places)
