"""``ImageDataGenerator``: batches of images, each changed at random, from arrays, folders and tables."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.graph.errors import taught
from retrograd.keras import backend as K
from retrograd.keras.preprocessing import array_to_img, img_to_array, load_img
from retrograd.keras.utils import Sequence

# -- changes of one image ------------------------------------------------------------------------


def apply_affine_transform(
    x: Any, theta: float = 0, tx: float = 0, ty: float = 0, shear: float = 0, zx: float = 1, zy: float = 1,
    row_axis: int = 0, col_axis: int = 1, channel_axis: int = 2, fill_mode: str = "nearest", cval: float = 0.0,
    order: int = 1,
) -> np.ndarray:  # fmt: skip
    """The image turned by ``theta`` degrees, shifted, sheared by degrees and zoomed, about its middle; needs SciPy.

    Raises:
      ImportError: there is no SciPy.
    """
    try:
        from scipy import ndimage
    except ImportError:
        error = ImportError("Image transformations require SciPy. Install SciPy.")
        raise taught(error, fix="pip install scipy") from None
    turn, slant = np.deg2rad(theta), np.deg2rad(shear)
    matrix = np.eye(3)
    if theta != 0:
        matrix = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    if tx != 0 or ty != 0:
        matrix = matrix @ np.array([[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    if shear != 0:
        matrix = matrix @ np.array([[1, -np.sin(slant), 0], [0, np.cos(slant), 0], [0, 0, 1]])
    if zx != 1 or zy != 1:
        matrix = matrix @ np.diag([zx, zy, 1.0])
    if np.array_equal(matrix, np.eye(3)):
        return x
    middle = np.eye(3)
    middle[:2, 2] = x.shape[row_axis] / 2 + 0.5, x.shape[col_axis] / 2 + 0.5
    back = np.eye(3)
    back[:2, 2] = -middle[:2, 2]
    matrix = middle @ matrix @ back
    channels = [
        ndimage.affine_transform(c, matrix[:2, :2], matrix[:2, 2], order=order, mode=fill_mode, cval=cval)
        for c in np.moveaxis(x, channel_axis, 0)
    ]
    return np.moveaxis(np.stack(channels, axis=0), 0, channel_axis)


def apply_channel_shift(x: Any, intensity: float, channel_axis: int = 0) -> np.ndarray:
    """The image brighter by a number, within its darkest and its brightest value."""
    return np.clip(x + intensity, np.min(x), np.max(x))


def apply_brightness_shift(x: Any, brightness: float) -> np.ndarray:
    """The image times a number, as PIL does it."""
    from PIL import ImageEnhance

    return img_to_array(ImageEnhance.Brightness(array_to_img(x)).enhance(brightness))


def random_rotation(
    x: Any, rg: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> np.ndarray:  # fmt: skip
    """The image turned by up to ``rg`` degrees."""
    theta = np.random.uniform(-rg, rg)
    places = {"row_axis": row_axis, "col_axis": col_axis, "channel_axis": channel_axis}
    return apply_affine_transform(
        x, theta=theta, fill_mode=fill_mode, cval=cval, order=interpolation_order, **places
    )  # fmt: skip


def random_shift(
    x: Any, wrg: float, hrg: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0,
    fill_mode: str = "nearest", cval: float = 0.0, interpolation_order: int = 1,
) -> np.ndarray:  # fmt: skip
    """The image shifted by up to parts of its width and its height."""
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    places = {"row_axis": row_axis, "col_axis": col_axis, "channel_axis": channel_axis}
    return apply_affine_transform(
        x, tx=tx, ty=ty, fill_mode=fill_mode, cval=cval, order=interpolation_order, **places
    )  # fmt: skip


def random_shear(
    x: Any, intensity: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> np.ndarray:  # fmt: skip
    """The image sheared by up to ``intensity`` degrees."""
    shear = np.random.uniform(-intensity, intensity)
    places = {"row_axis": row_axis, "col_axis": col_axis, "channel_axis": channel_axis}
    return apply_affine_transform(
        x, shear=shear, fill_mode=fill_mode, cval=cval, order=interpolation_order, **places
    )  # fmt: skip


def random_zoom(
    x: Any, zoom_range: Any, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> np.ndarray:  # fmt: skip
    """The image zoomed by two numbers of a range."""
    if len(zoom_range) != 2:
        raise ValueError(f"`zoom_range` should be a tuple or list of two floats. Received: {zoom_range}")
    zx, zy = (1, 1) if tuple(zoom_range) == (1, 1) else np.random.uniform(zoom_range[0], zoom_range[1], 2)
    places = {"row_axis": row_axis, "col_axis": col_axis, "channel_axis": channel_axis}
    return apply_affine_transform(
        x, zx=zx, zy=zy, fill_mode=fill_mode, cval=cval, order=interpolation_order, **places
    )  # fmt: skip


def random_channel_shift(x: Any, intensity_range: float, channel_axis: int = 0) -> np.ndarray:
    """The image brighter by up to ``intensity_range``."""
    return apply_channel_shift(x, np.random.uniform(-intensity_range, intensity_range), channel_axis=channel_axis)


def random_brightness(x: Any, brightness_range: Any) -> np.ndarray:
    """The image times a number of a range."""
    if len(brightness_range) != 2:
        raise ValueError(f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}")
    return apply_brightness_shift(x, np.random.uniform(brightness_range[0], brightness_range[1]))


# -- batches -------------------------------------------------------------------------------------


class Iterator_(Sequence):
    """Batches of ``n`` images by their numbers, over and over; each epoch in an order of its own."""

    def __init__(self, n: int, batch_size: int, shuffle: bool, seed: int | None) -> None:
        self.n, self.batch_size, self.shuffle, self.seed = n, batch_size, shuffle, seed
        self.lock = threading.Lock()
        self.index_array: Any = None
        self.batch_index = self.total_batches_seen = 0
        self.index_generator = self._flow_index()

    def _set_index_array(self) -> None:
        self.index_array = np.random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def _seeded(self) -> None:
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)

    def __getitem__(self, idx: int) -> Any:
        if idx >= len(self):
            raise ValueError(
                f"Asked to retrieve element {idx}, but the Sequence has length {len(self)}".replace("  ", " ")
            )
        self._seeded()
        self.total_batches_seen += 1
        if self.index_array is None:
            self._set_index_array()
        return self._get_batches_of_transformed_samples(
            self.index_array[self.batch_size * idx : self.batch_size * (idx + 1)]
        )

    def __len__(self) -> int:
        return -(-self.n // self.batch_size)

    def on_epoch_end(self) -> None:
        """Draw the order of the next epoch."""
        self._set_index_array()

    def reset(self) -> None:
        """Begin with the first batch."""
        self.batch_index = 0

    def _flow_index(self) -> Iterator[Any]:
        self.reset()
        while True:
            self._seeded()
            if self.batch_index == 0:
                self._set_index_array()
            at = 0 if self.n == 0 else self.batch_index * self.batch_size % self.n
            self.batch_index = self.batch_index + 1 if self.n > at + self.batch_size else 0
            self.total_batches_seen += 1
            yield self.index_array[at : at + self.batch_size]

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.next()

    def next(self) -> Any:
        """The next batch."""
        with self.lock:
            index_array = next(self.index_generator)
        return self._get_batches_of_transformed_samples(index_array)

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        raise NotImplementedError

    def _saved(
        self, batch: np.ndarray, index_array: Any, folder: Any, prefix: str, form: str, data_format: Any
    ) -> None:
        for i, j in enumerate(index_array) if folder else ():
            image = array_to_img(batch[i], data_format, scale=True)
            image.save(os.path.join(folder, f"{prefix}_{j}_{np.random.randint(10000)}.{form}"))


class NumpyArrayIterator(Iterator_):
    """Batches of the images of an array."""

    def __init__(
        self, x: Any, y: Any, image_data_generator: Any, batch_size: int = 32, shuffle: bool = False,
        sample_weight: Any = None, seed: int | None = None, data_format: str | None = None, save_to_dir: Any = None,
        save_prefix: str = "", save_format: str = "png", subset: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        more = []
        if isinstance(x, tuple | list):
            more, x = [np.asarray(xx) for xx in x[1]], x[0]
        x = np.asarray(x)
        for what, other in (("labels", y), ("sample_weight", sample_weight)):
            if other is not None and len(x) != len(other):
                raise ValueError(
                    f"`x` (images tensor) and `y` ({what}) should have the same length. Found: x.shape = {x.shape}, "
                    f"y.shape = {np.shape(other)}"
                )
        if subset is not None:
            if subset not in {"training", "validation"}:
                raise ValueError(f'Invalid subset name: {subset}; expected "training" or "validation".')
            at = int(len(x) * image_data_generator._validation_split)
            part = slice(at) if subset == "validation" else slice(at, None)
            x, more = x[part], [m[part] for m in more]
            y = None if y is None else np.asarray(y)[part]
            sample_weight = None if sample_weight is None else np.asarray(sample_weight)[part]
        dtype = dtype or K.floatx()
        self.x = np.asarray(x, dtype=dtype)
        if self.x.ndim != 4:
            raise ValueError(
                "Input data in `NumpyArrayIterator` should have rank 4. You passed an array with shape", self.x.shape
            )
        self.x_misc, self.y = more, None if y is None else np.asarray(y)
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)
        self.image_data_generator = image_data_generator
        self.data_format = data_format or K.image_data_format()
        self.save_to_dir, self.save_prefix, self.save_format, self.dtype = save_to_dir, save_prefix, save_format, dtype
        super().__init__(self.x.shape[0], batch_size, shuffle, seed)

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        batch = np.zeros((len(index_array), *self.x.shape[1:]), dtype=self.dtype)
        maker = self.image_data_generator
        for i, j in enumerate(index_array):
            x = maker.apply_transform(self.x[j].astype(self.dtype), maker.get_random_transform(self.x[j].shape))
            batch[i] = maker.standardize(x)
        self._saved(batch, index_array, self.save_to_dir, self.save_prefix, self.save_format, self.data_format)
        inputs = batch if not self.x_misc else [batch, *(m[index_array] for m in self.x_misc)]
        if self.y is None:
            return (inputs,) if self.x_misc else inputs
        weights = () if self.sample_weight is None else (self.sample_weight[index_array],)
        return (inputs, self.y[index_array], *weights)


_ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".tif", ".tiff")
_CLASS_MODES = {"categorical", "binary", "sparse", "input", None}


class _FileIterator(Iterator_):
    """Batches of the images of files."""

    def _settle(
        self, generator: Any, target_size: Any, color_mode: str, class_mode: Any, data_format: Any, save_to_dir: Any,
        save_prefix: str, save_format: str, interpolation: str, dtype: Any,
    ) -> None:  # fmt: skip
        if color_mode not in {"rgb", "rgba", "grayscale"}:
            raise ValueError("Invalid color mode:", color_mode, '; expected "rgb", "rgba", or "grayscale".')
        self.image_data_generator, self.target_size = generator, tuple(target_size)
        self.color_mode, self.class_mode, self.interpolation = color_mode, class_mode, interpolation
        self.data_format, self.dtype = data_format or K.image_data_format(), dtype or K.floatx()
        self.save_to_dir, self.save_prefix, self.save_format = save_to_dir, save_prefix, save_format
        channels = {"rgb": 3, "rgba": 4, "grayscale": 1}[color_mode]
        first = self.data_format == "channels_first"
        self.image_shape = (channels, *self.target_size) if first else (*self.target_size, channels)

    filepaths: list[str]
    labels: Any
    num_classes: int
    sample_weight: Any = None

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        batch = np.zeros((len(index_array), *self.image_shape), dtype=self.dtype)
        maker = self.image_data_generator
        for i, j in enumerate(index_array):
            image = load_img(
                self.filepaths[j], color_mode=self.color_mode, target_size=self.target_size,
                interpolation=self.interpolation,
            )  # fmt: skip
            x = img_to_array(image, data_format=self.data_format)
            x = maker.apply_transform(x, maker.get_random_transform(x.shape))
            batch[i] = maker.standardize(x)
        self._saved(batch, index_array, self.save_to_dir, self.save_prefix, self.save_format, self.data_format)
        if self.class_mode is None:
            return batch
        weights = () if self.sample_weight is None else (self.sample_weight[index_array],)
        return (batch, self._targets_of(batch, index_array), *weights)

    def _targets_of(self, batch: np.ndarray, index_array: Any) -> np.ndarray:
        if self.class_mode == "input":
            return batch.copy()
        labels = np.asarray(self.labels)[index_array]
        if self.class_mode == "categorical":
            rows = np.zeros((len(batch), self.num_classes), dtype=self.dtype)
            rows[np.arange(len(batch)), labels] = 1.0
            return rows
        return labels.astype(self.dtype) if self.class_mode in ("binary", "sparse") else labels


def _part(n: int, subset: str | None, fraction: float) -> slice:
    """Which of ``n`` files a subset has."""
    if subset is None:
        return slice(0, n)
    if subset not in {"training", "validation"}:
        raise ValueError(f'Invalid subset name: {subset};expected "training" or "validation"')
    return slice(0, int(fraction * n)) if subset == "validation" else slice(int(fraction * n), n)


class DirectoryIterator(_FileIterator):
    """Batches of the images in the folders of a folder, a class for each."""

    def __init__(
        self, directory: str, image_data_generator: Any, target_size: Any = (256, 256), color_mode: str = "rgb",
        classes: Any = None, class_mode: Any = "categorical", batch_size: int = 32, shuffle: bool = True,
        seed: int | None = None, data_format: str | None = None, save_to_dir: Any = None, save_prefix: str = "",
        save_format: str = "png", follow_links: bool = False, subset: str | None = None,
        interpolation: str = "nearest", dtype: Any = None,
    ) -> None:  # fmt: skip
        if class_mode not in _CLASS_MODES:
            raise ValueError(
                f'Invalid class_mode: {class_mode}; expected one of "categorical", "binary", "sparse", "input" or None.'
            )
        self._settle(
            image_data_generator, target_size, color_mode, class_mode, data_format, save_to_dir, save_prefix,
            save_format, interpolation, dtype,
        )  # fmt: skip
        self.directory = directory
        names = classes or sorted(d for d in os.listdir(directory) if os.path.isdir(os.path.join(directory, d)))
        self.num_classes = len(names)
        self.class_indices = {name: i for i, name in enumerate(names)}
        self.filenames: list[str] = []
        found: list[int] = []
        for name, i in self.class_indices.items():
            own = _images_below(os.path.join(directory, name), follow_links)
            own = own[_part(len(own), subset, image_data_generator._validation_split)]
            self.filenames += [os.path.join(name, os.path.relpath(p, os.path.join(directory, name))) for p in own]
            found += [i] * len(own)
        self.samples = len(self.filenames)
        self.classes = self.labels = np.array(found, dtype="int32")
        self.filepaths = [os.path.join(directory, name) for name in self.filenames]
        print(f"Found {self.samples} images belonging to {self.num_classes} classes.")
        super().__init__(self.samples, batch_size, shuffle, seed)


def _images_below(folder: str, follow_links: bool) -> list[str]:
    walked = sorted(os.walk(folder, followlinks=follow_links), key=lambda row: row[0])
    return [
        os.path.join(place, name)
        for place, _, files in walked
        for name in sorted(files)
        if name.lower().endswith(_ENDINGS)
    ]


class DataFrameIterator(_FileIterator):
    """Batches of the images that a column of a table names, with the labels of others."""

    def __init__(
        self, dataframe: Any, directory: Any = None, image_data_generator: Any = None, x_col: str = "filename",
        y_col: Any = "class", weight_col: Any = None, target_size: Any = (256, 256), color_mode: str = "rgb",
        classes: Any = None, class_mode: Any = "categorical", batch_size: int = 32, shuffle: bool = True,
        seed: int | None = None, data_format: str = "channels_last", save_to_dir: Any = None, save_prefix: str = "",
        save_format: str = "png", subset: str | None = None, interpolation: str = "nearest", dtype: Any = "float32",
        validate_filenames: bool = True,
    ) -> None:  # fmt: skip
        self._settle(
            image_data_generator, target_size, color_mode, class_mode, data_format, save_to_dir, save_prefix,
            save_format, interpolation, dtype,
        )  # fmt: skip
        names = [str(n) for n in dataframe[x_col]]
        paths = [os.path.join(directory, n) if directory else n for n in names]
        kept = [i for i, p in enumerate(paths) if not validate_filenames or os.path.isfile(p)]
        if class_mode in ("categorical", "binary", "sparse"):
            given = [str(dataframe[y_col].iloc[i]) for i in kept]
            labels = list(classes) if classes else sorted(set(given))
            kept = [i for i, label in zip(kept, given, strict=True) if label in labels]
            self.class_indices = {label: i for i, label in enumerate(labels)}
            self.num_classes = len(labels)
            values: Any = [self.class_indices[str(dataframe[y_col].iloc[i])] for i in kept]
        else:
            self.num_classes = 0
            values = [0] * len(kept) if class_mode in (None, "input") else dataframe[y_col].iloc[kept].values
        part = _part(len(kept), subset, image_data_generator._validation_split)
        self.filenames, self.filepaths = [names[i] for i in kept][part], [paths[i] for i in kept][part]
        self.labels = self.classes = values[part]
        self.sample_weight = None if weight_col is None else np.asarray(dataframe[weight_col].iloc[kept])[part]
        self.samples = len(self.filenames)
        also = f" belonging to {self.num_classes} classes" if self.num_classes else ""
        print(f"Found {self.samples} validated image filenames{also}.")
        super().__init__(self.samples, batch_size, shuffle, seed)


# -- the generator -------------------------------------------------------------------------------


class ImageDataGenerator:
    """Batches of images, each turned, shifted, sheared, zoomed and flipped at random, then put to a common scale.

    Args:
      featurewise_center, featurewise_std_normalization, zca_whitening: by what ``fit`` found in a sample of images.
      samplewise_center, samplewise_std_normalization: by each image itself.
      rotation_range, shear_range: degrees.
      width_shift_range, height_shift_range: parts of the size, or pixels from 1 on.
      zoom_range: a number z for ``[1 - z, 1 + z]``, or the two ends.
      fill_mode: what stands outside of an image: ``nearest``, ``constant`` (``cval``), ``reflect`` or ``wrap``.

    Raises:
      ValueError: an argument is not of these.
    """

    def __init__(
        self, featurewise_center: bool = False, samplewise_center: bool = False,
        featurewise_std_normalization: bool = False, samplewise_std_normalization: bool = False,
        zca_whitening: bool = False, zca_epsilon: float = 1e-6, rotation_range: float = 0, width_shift_range: Any = 0.0,
        height_shift_range: Any = 0.0, brightness_range: Any = None, shear_range: float = 0.0, zoom_range: Any = 0.0,
        channel_shift_range: float = 0.0, fill_mode: str = "nearest", cval: float = 0.0, horizontal_flip: bool = False,
        vertical_flip: bool = False, rescale: Any = None, preprocessing_function: Callable[[Any], Any] | None = None,
        data_format: str | None = None, validation_split: float = 0.0, dtype: Any = None,
    ) -> None:  # fmt: skip
        self.featurewise_center = featurewise_center or featurewise_std_normalization or zca_whitening
        self.samplewise_center = samplewise_center or samplewise_std_normalization
        self.featurewise_std_normalization = featurewise_std_normalization and not zca_whitening
        self.samplewise_std_normalization = samplewise_std_normalization
        self.zca_whitening, self.zca_epsilon = zca_whitening, zca_epsilon
        self.rotation_range, self.shear_range = rotation_range, shear_range
        self.width_shift_range, self.height_shift_range = width_shift_range, height_shift_range
        self.brightness_range, self.channel_shift_range = brightness_range, channel_shift_range
        self.fill_mode, self.cval = fill_mode, cval
        self.horizontal_flip, self.vertical_flip = horizontal_flip, vertical_flip
        self.rescale, self.preprocessing_function = rescale, preprocessing_function
        self.dtype, self.interpolation_order = dtype or K.floatx(), 1
        self.data_format = data_format or K.image_data_format()
        if self.data_format not in {"channels_last", "channels_first"}:
            raise ValueError(
                '`data_format` should be `"channels_last"` (channel after row and column) or `"channels_first"` '
                f"(channel before row and column). Received: {data_format}"
            )
        first = self.data_format == "channels_first"
        self.channel_axis, self.row_axis, self.col_axis = (1, 2, 3) if first else (3, 1, 2)
        if validation_split and not 0 < validation_split < 1:
            raise ValueError(f"`validation_split` must be strictly between 0 and 1.  Received: {validation_split}")
        self._validation_split = validation_split
        self.mean: Any = None
        self.std: Any = None
        self.principal_components: Any = None
        if np.isscalar(zoom_range):
            zoom = float(np.asarray(zoom_range))
            self.zoom_range = [1 - zoom, 1 + zoom]
        elif len(zoom_range) == 2:
            self.zoom_range = [zoom_range[0], zoom_range[1]]
        else:
            raise ValueError(f"`zoom_range` should be a float or a tuple or list of two floats. Received: {zoom_range}")

    def flow(
        self, x: Any, y: Any = None, batch_size: int = 32, shuffle: bool = True, sample_weight: Any = None,
        seed: int | None = None, save_to_dir: Any = None, save_prefix: str = "", save_format: str = "png",
        subset: str | None = None,
    ) -> NumpyArrayIterator:  # fmt: skip
        """Batches of the images of an array."""
        return NumpyArrayIterator(
            x, y, self, batch_size, shuffle, sample_weight, seed, self.data_format, save_to_dir, save_prefix,
            save_format, subset, self.dtype,
        )  # fmt: skip

    def flow_from_directory(
        self, directory: str, target_size: Any = (256, 256), color_mode: str = "rgb", classes: Any = None,
        class_mode: Any = "categorical", batch_size: int = 32, shuffle: bool = True, seed: int | None = None,
        save_to_dir: Any = None, save_prefix: str = "", save_format: str = "png", follow_links: bool = False,
        subset: str | None = None, interpolation: str = "nearest",
    ) -> DirectoryIterator:  # fmt: skip
        """Batches of the images in the folders of a folder, a class for each."""
        return DirectoryIterator(
            directory, self, target_size, color_mode, classes, class_mode, batch_size, shuffle, seed,
            self.data_format, save_to_dir, save_prefix, save_format, follow_links, subset, interpolation, self.dtype,
        )  # fmt: skip

    def flow_from_dataframe(
        self, dataframe: Any, directory: Any = None, x_col: str = "filename", y_col: Any = "class",
        weight_col: Any = None, target_size: Any = (256, 256), color_mode: str = "rgb", classes: Any = None,
        class_mode: Any = "categorical", batch_size: int = 32, shuffle: bool = True, seed: int | None = None,
        save_to_dir: Any = None, save_prefix: str = "", save_format: str = "png", subset: str | None = None,
        interpolation: str = "nearest", validate_filenames: bool = True, **kwargs: Any,
    ) -> DataFrameIterator:  # fmt: skip
        """Batches of the images that a column of a table names."""
        return DataFrameIterator(
            dataframe, directory, self, x_col, y_col, weight_col, target_size, color_mode, classes, class_mode,
            batch_size, shuffle, seed, self.data_format, save_to_dir, save_prefix, save_format, subset, interpolation,
            self.dtype, validate_filenames,
        )  # fmt: skip

    def standardize(self, x: Any) -> np.ndarray:
        """The image on the common scale."""
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x = x * np.asarray(self.rescale, x.dtype)
        if self.samplewise_center:
            x = x - np.mean(x, keepdims=True)
        if self.samplewise_std_normalization:
            x = x / (np.std(x, keepdims=True) + 1e-6)
        if self.featurewise_center and self.mean is not None:
            x = x - self.mean
        if self.featurewise_std_normalization and self.std is not None:
            x = x / (self.std + 1e-6)
        if self.zca_whitening and self.principal_components is not None:
            x = np.reshape(np.dot(np.reshape(x, (-1, np.prod(x.shape[-3:]))), self.principal_components), x.shape)
        return x

    def get_random_transform(self, img_shape: Any, seed: int | None = None) -> dict[str, Any]:
        """How to change one image, at random."""
        if seed is not None:
            np.random.seed(seed)
        theta = np.random.uniform(-self.rotation_range, self.rotation_range) if self.rotation_range else 0
        tx = _shift(self.height_shift_range, img_shape[self.row_axis - 1])
        ty = _shift(self.width_shift_range, img_shape[self.col_axis - 1])
        shear = np.random.uniform(-self.shear_range, self.shear_range) if self.shear_range else 0
        low, high = self.zoom_range
        zx, zy = (1, 1) if low == high == 1 else np.random.uniform(low, high, 2)
        return {
            "theta": theta, "tx": tx, "ty": ty, "shear": shear, "zx": zx, "zy": zy,
            "flip_horizontal": (np.random.random() < 0.5) * self.horizontal_flip,
            "flip_vertical": (np.random.random() < 0.5) * self.vertical_flip,
            "channel_shift_intensity": (
                np.random.uniform(-self.channel_shift_range, self.channel_shift_range)
                if self.channel_shift_range != 0 else None
            ),
            "brightness": np.random.uniform(*self.brightness_range) if self.brightness_range is not None else None,
        }  # fmt: skip

    def apply_transform(self, x: Any, transform_parameters: dict[str, Any]) -> np.ndarray:
        """The image changed in this way."""
        row, column, channel = self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        given = transform_parameters
        x = apply_affine_transform(
            x, given.get("theta", 0), given.get("tx", 0), given.get("ty", 0), given.get("shear", 0),
            given.get("zx", 1), given.get("zy", 1), row_axis=row, col_axis=column, channel_axis=channel,
            fill_mode=self.fill_mode, cval=self.cval, order=self.interpolation_order,
        )  # fmt: skip
        if given.get("channel_shift_intensity") is not None:
            x = apply_channel_shift(x, given["channel_shift_intensity"], channel)
        if given.get("flip_horizontal", False):
            x = np.flip(x, column)
        if given.get("flip_vertical", False):
            x = np.flip(x, row)
        if given.get("brightness") is not None:
            x = apply_brightness_shift(x, given["brightness"])
        return x

    def random_transform(self, x: Any, seed: int | None = None) -> np.ndarray:
        """The image changed at random."""
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def fit(self, x: Any, augment: bool = False, rounds: int = 1, seed: int | None = None) -> None:
        """Find the mean, the deviation and the principal components of a sample of images.

        Raises:
          ValueError: the images are no array of four dimensions.
        """
        x = np.asarray(x, dtype=self.dtype)
        if x.ndim != 4:
            raise ValueError("Input to `.fit()` should have rank 4. Got array with shape: " + str(x.shape))
        if seed is not None:
            np.random.seed(seed)
        x = np.copy(x)
        if self.rescale:
            x *= self.rescale
        if augment:
            x = np.stack([self.random_transform(image) for _ in range(rounds) for image in x])
        kept = [1, 1, 1]
        kept[self.channel_axis - 1] = x.shape[self.channel_axis]
        if self.featurewise_center:
            self.mean = np.reshape(np.mean(x, axis=(0, self.row_axis, self.col_axis)), kept)
            x -= self.mean
        if self.featurewise_std_normalization:
            self.std = np.reshape(np.std(x, axis=(0, self.row_axis, self.col_axis)), kept)
            x /= self.std + 1e-6
        if self.zca_whitening:
            flat = np.reshape(x, (len(x), -1))
            u, s, _ = np.linalg.svd(np.dot(flat.T, flat) / len(flat))
            self.principal_components = (u * (1.0 / np.sqrt(s[np.newaxis] + self.zca_epsilon))).dot(u.T)


def _shift(span: Any, size: int) -> Any:
    """A number of pixels: of a list, or up to a part of the size, or up to so many."""
    if not np.any(span):
        return 0
    if np.ndim(span) or isinstance(span, int):
        shift = np.random.choice(span) * np.random.choice([-1, 1])
    else:
        shift = np.random.uniform(-span, span)
    return shift * size if np.max(span) < 1 else shift
