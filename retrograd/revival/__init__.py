"""Names that later Pythons, NumPys, SciPys, Pillows, Matplotlibs and scikit-learns removed, put back for programs.

Nothing that is still there is overwritten, and nothing is imported: a module is mended when the program
imports it.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder

from retrograd.revival.putting import undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import Any

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "revived")


def install(after_import: Callable[[str, Callable[[ModuleType], None]], None]) -> None:
    """Put the names back, in each module once it is imported: ``after_import(name, do)`` then does it."""
    for name in MODULES:
        after_import(name, _revive)
    sys.meta_path.append(_finder)
    undo.append(lambda: sys.meta_path.remove(_finder))


def _revive(module: ModuleType) -> None:
    part, _, function = MODULES[module.__name__].partition(".")
    getattr(import_module(f"retrograd.revival.{part}"), function)(module)


def uninstall() -> None:
    """Take the names away again."""
    while undo:
        undo.pop()()


class _Finder:
    """Last on ``sys.meta_path``: modules that this Python no longer has, and nobody else has brought; so is gym."""

    NAMES = (
        "imp", "distutils", "xml.etree.cElementTree", "gym", "scipy.misc", "sklearn.cross_validation",
        "sklearn.externals.joblib", "sklearn.utils.testing", "numpy.core.umath_tests",
    )  # fmt: skip

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        if name in self.NAMES:
            return PathFinder.find_spec(name, [_FOLDER])
        within, _, last = name.rpartition(".")
        if within.startswith("sklearn.") and path is not None:
            for hidden in (f"{within}._{last.rstrip('_')}", f"{within}._{last.replace('_', '')}"):
                if PathFinder.find_spec(hidden, path) is not None:
                    return ModuleSpec(name, _Unhidden(hidden))  # type: ignore[arg-type]
        return None


class _Unhidden:
    """A module of scikit-learn that begins with ``_`` now, by the name that it had."""

    def __init__(self, hidden: str) -> None:
        self._hidden = hidden

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        held = vars(import_module(self._hidden))
        vars(module).update({name: value for name, value in held.items() if not name.startswith("__")})


_finder = _Finder()

# module: what mends it, in which part
MODULES = {
    "PIL.Image": "packages.revive_pillow",
    "PIL.ImageDraw": "packages.revive_pillow_drawing",
    "PIL.ImageFont": "packages.revive_pillow_fonts",
    "array": "python.revive_array",
    "base64": "python.revive_base64",
    "collections": "python.revive_collections",
    "cpuinfo": "packages.revive_cpuinfo",
    "fractions": "python.revive_fractions",
    "gensim.models.doc2vec": "words.revive_gensim_documents",
    "gensim.models.fasttext": "words.revive_gensim_subwords",
    "gensim.models.keyedvectors": "words.revive_gensim_vectors",
    "gensim.models.word2vec": "words.revive_gensim_words",
    "google._upb._message": "protocol_buffers.revive_messages",
    "google.protobuf.descriptor": "protocol_buffers.revive_descriptor",
    "google.protobuf.reflection": "protocol_buffers.revive_reflection",
    "h5py": "hdf5.revive_h5py",
    "imageio.v2": "images.revive_imageio",
    "imageio.v3": "images.revive_imageio",
    "importlib": "python.revive_importlib",
    "inspect": "python.revive_inspect",
    "json": "python.revive_json",
    "librosa": "sounds.revive_librosa",
    "librosa.core": "sounds.revive_librosa_core",
    "librosa.core.audio": "sounds.revive_librosa_audio",
    "librosa.display": "sounds.revive_librosa_display",
    "librosa.feature": "sounds.revive_librosa_feature",
    "matplotlib": "plots.revive_matplotlib",
    "matplotlib.axes": "plots.revive_axes",
    "matplotlib.backend_bases": "plots.revive_canvas",
    "matplotlib.backends.backend_agg": "plots.revive_agg",
    "matplotlib.cm": "plots.revive_cm",
    "matplotlib.colors": "plots.revive_colors",
    "matplotlib.contour": "plots.revive_contour",
    "matplotlib.figure": "plots.revive_figure",
    "matplotlib.mlab": "plots.revive_mlab",
    "matplotlib.patches": "plots.revive_patches",
    "matplotlib.pyplot": "plots.revive_pyplot",
    "matplotlib.style": "plots.revive_style",
    "mpl_toolkits.axes_grid1.axes_grid": "plots.revive_grids",
    "mpl_toolkits.mplot3d.axes3d": "plots.revive_axes3d",
    "multiprocessing": "python.revive_multiprocessing",
    "networkx": "networks.revive_networkx",
    "numpy": "arrays.revive_numpy",
    "os": "python.revive_os",
    "pandas": "tables.revive_pandas",
    "pkg_resources": "distributions.revive_pkg_resources",
    "random": "python.revive_random",
    "scipy": "packages.revive_scipy",
    "scipy.integrate": "packages.revive_scipy_integrate",
    "scipy.misc": "packages.revive_scipy_misc",
    "scipy.ndimage": "packages.revive_scipy_ndimage",
    "scipy.signal": "packages.revive_scipy_signal",
    "scipy.sparse": "packages.revive_scipy_sparse",
    "scipy.sparse.linalg": "packages.revive_scipy_linalg",
    "scipy.stats": "packages.revive_scipy_stats",
    "skimage.color": "images.revive_color",
    "skimage.draw": "images.revive_draw",
    "skimage.feature": "images.revive_feature",
    "skimage.filters": "images.revive_filters",
    "skimage.measure": "images.revive_measure",
    "skimage.morphology": "images.revive_morphology",
    "skimage.util": "images.revive_util",
    "sklearn.base": "scikit_learn.revive_estimators",
    "sklearn.datasets": "scikit_learn.revive_datasets",
    "sklearn.feature_extraction.text": "scikit_learn.revive_text",
    "sklearn.manifold": "scikit_learn.revive_manifold",
    "sklearn.preprocessing": "scikit_learn.revive_preprocessing",
    "sklearn.utils._param_validation": "scikit_learn.revive_functions",
    "threading": "python.revive_threading",
    "time": "python.revive_time",
    "unittest.case": "python.revive_unittest",
    "urllib": "python.revive_urllib",
    "yaml": "packages.revive_yaml",
}
_SOUNDS = """
beat effects filters onset decompose core.constantq core.convert core.fft core.harmonic core.pitch core.spectrum
feature.inverse feature.rhythm feature.spectral feature.utils util.matching util.utils
"""
_IMAGES = """
_shared.filters exposure.histogram_matching feature._hog feature.corner feature.texture filters._fft_based
filters._unsharp_mask filters.edges filters.rank.generic
filters.thresholding io._io metrics._structural_similarity metrics.simple_metrics morphology.binary morphology.gray
restoration._cycle_spin restoration._denoise restoration.inpaint restoration.non_local_means segmentation._felzenszwalb
segmentation._quickshift segmentation.random_walker_segmentation segmentation.slic_superpixels transform._warps
transform.pyramids util._montage
"""
MODULES |= {f"librosa.{name}": "sounds.revive_librosa_functions" for name in _SOUNDS.split()}
MODULES |= {f"skimage.{name}": "images.revive_functions" for name in _IMAGES.split()}
