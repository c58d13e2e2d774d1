"""What test cases assert: of values, arrays, errors and protos."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from absl.testing import absltest

from retrograd.graph import errors, nest
from retrograd.graph.devices import canonical
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.graph import Versions
from retrograd.graph.sparse import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue
from retrograd.graph.tensor import TensorLike
from retrograd.ragged.tensor import RaggedTensor, is_ragged


class Assertions(absltest.TestCase):
    """The assertions of ``tf.test.TestCase``."""

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors in any nesting."""
        raise NotImplementedError

    # -- values --------------------------------------------------------------------------------

    def _GetNdArray(self, a: Any) -> Any:
        if isinstance(a, TensorLike):
            a = self.evaluate(a)
        if isinstance(a, np.ndarray):
            return a
        try:
            return np.array(a)
        except ValueError:  # rows of several lengths
            return np.array(a, object)
        except NotImplementedError:  # tensors that have no values yet, in a list or tuple: each is an element
            tensors = nest.flatten(a)
            elements = np.empty(len(tensors), object)
            for i, tensor in enumerate(tensors):
                elements[i] = tensor
            return elements

    def assertNear(self, f1: float, f2: float, err: float, msg: Any = None) -> None:
        """``|f1 - f2| <= err``, or both are the same infinity."""
        text = f"{float(f1):f} != {float(f2):f} +/- {float(err):f}"
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, text + (f" ({msg})" if msg else ""))

    def assertArrayNear(self, farray1: Any, farray2: Any, err: float, msg: Any = None) -> None:
        """Two lists of one length are near, element by element."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2, strict=True):
            self.assertNear(float(f1), float(f2), err, msg)

    def _NDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float) -> bool:
        return bool(np.linalg.norm(ndarray1 - ndarray2) < err)

    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float, msg: Any = None) -> None:
        """The norm of the difference of two arrays is below ``err``."""
        self.assertTrue(self._NDArrayNear(ndarray1, ndarray2, err), msg)

    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None) -> None:
        """``|a - b| <= atol + rtol * |b|`` for every number of two like structures of tensors or values."""
        if is_ragged(a) or is_ragged(b):
            self._assert_same_rows(a, b, msg, (rtol, atol))
            return
        self._assert_close(a, b, rtol, atol, "", msg)

    def _assert_close(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: Any) -> None:
        a, b = _as_structure(a), _as_structure(b)
        text = f" {msg}" if msg else ""
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}.{text}")
        if isinstance(a, Mapping):
            self.assertItemsEqual(
                a.keys(), b.keys(), f"mismatched keys: a{path} has {a.keys()}, but b{path} has {b.keys()}.{text}"
            )
            for key in a:
                self._assert_close(a[key], b[key], rtol, atol, f"{path}[{key}]", msg)
        elif isinstance(a, list | tuple) and not self._is_array(a, b):
            self.assertEqual(
                len(a), len(b), f"Mismatched length: a{path} has {len(a)} items, but b{path} has {len(b)} items.{text}"
            )
            for i, (x, y) in enumerate(zip(a, b, strict=True)):
                self._assert_close(x, y, rtol, atol, f"{path}[{i}]", msg)
        else:
            where = f"Mismatched value: a{path} is different from b{path}.{text}"
            self._assert_arrays_close(
                self._GetNdArray(self._plain(a)), self._GetNdArray(self._plain(b)), rtol, atol, where
            )

    def _is_array(self, *values: Any) -> bool:
        """Whether each value makes an array of numbers."""
        try:
            return all(self._GetNdArray(self._plain(v)).dtype != object for v in values)
        except (ValueError, TypeError):
            return False

    def _plain(self, values: Any) -> Any:
        """A list with its tensors evaluated."""
        return self.evaluate(values) if any(isinstance(v, TensorLike) for v in nest.flatten(values)) else values

    def _assert_arrays_close(self, a: Any, b: Any, rtol: float, atol: float, where: str) -> None:
        if a.shape != b.shape:  # the text is made only where it is read: it may take seconds
            self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape} with contents {b}.")
        if a.dtype == object or b.dtype == object:
            a, b = a.astype(np.float64), b.astype(np.float64)
        if "bfloat16" in (a.dtype.name, b.dtype.name):
            a, b = a.astype(np.float32), b.astype(np.float32)
        with np.errstate(invalid="ignore"):
            off = ~np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
        if not off.any():
            return
        lines = [where, f"not close where = {np.where(off)}"] if a.ndim else [where]
        left, right = a[off] if a.ndim else a, b[off] if a.ndim else b
        for name, value in (
            ("lhs", left),
            ("rhs", right),
            ("dif", np.abs(left - right)),
            ("tol", atol + rtol * np.abs(right)),
        ):
            lines.append(f"not close {name} = {value}")
        lines.append(f"dtype = {a.dtype}, shape = {a.shape}")
        np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg="\n".join(lines), equal_nan=True)

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: Any = None,
    ) -> None:
        """``assertAllClose`` with the tolerance of the less precise dtype."""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        found = {a.dtype.name, b.dtype.name}
        for names, r, t in (
            ({"float32", "complex64"}, float_rtol, float_atol),
            ({"float16"}, half_rtol, half_atol),
            ({"bfloat16"}, bfloat16_rtol, bfloat16_atol),
        ):
            if found & names:
                rtol, atol = max(rtol, r), max(atol, t)
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a: Any, b: Any, **kwargs: Any) -> None:
        """``assertAllClose`` fails."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def _as_list(self, x: Any) -> Any:
        """What is ragged, or an array or a tensor, as lists."""
        if isinstance(x, RaggedTensor):
            x = self.evaluate(x)
        return x.to_list() if is_ragged(x) else x if isinstance(x, list | tuple) else self._GetNdArray(x).tolist()

    def _assert_same_rows(self, a: Any, b: Any, msg: Any, close: tuple[float, float] | None = None) -> None:
        """Two values, one of them ragged, have equal rows, or close ones, and the same ragged rank."""
        lists = [self._as_list(a), self._as_list(b)]
        if close is None:
            self.assertEqual(lists[0], lists[1], msg)
        else:
            self._assert_close_lists(lists[0], lists[1], close[0], close[1], "value", msg)
        if not (isinstance(a, list | tuple) or isinstance(b, list | tuple)):
            ranks = [x.ragged_rank if is_ragged(x) else 0 for x in (a, b)]
            self.assertEqual(ranks[0], ranks[1], msg)

    def _assert_close_lists(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: Any) -> None:
        self.assertEqual(type(a), type(b))
        if isinstance(a, list | tuple):
            self.assertEqual(len(a), len(b), f"Length differs for {path}")
            for i, (x, y) in enumerate(zip(a, b, strict=True)):
                self._assert_close_lists(x, y, rtol, atol, f"{path}[{i}]", msg)
        else:
            self._assert_close(a, b, rtol, atol, path, msg)

    def assertAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Two tensors or values have one shape and equal elements; NaN equals NaN."""
        if is_ragged(a) or is_ragged(b):
            self._assert_same_rows(a, b, msg)
            return
        text = msg or ""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self.assertEqual(
            a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}. Contents: {b}. \n{text}."
        )
        if "V" in a.dtype.kind + b.dtype.kind and a.dtype != b.dtype:  # a quantized number is a record of one field
            a, b = (x[x.dtype.names[0]] if x.dtype.names else x for x in (a, b))
        same = np.asarray(a == b)
        if a.dtype.kind in "fcV" and a.dtype.names is None and as_dtype(a.dtype).is_floating:
            same = same | (np.isnan(a) & np.isnan(b))
        if np.all(same):
            return
        off = ~same
        lines = [str(text), f"not equal where = {np.where(off)}"] if a.ndim else [str(text)]
        lines += [f"not equal lhs = {a[off] if a.ndim else a}", f"not equal rhs = {b[off] if a.ndim else b}"]
        np.testing.assert_array_equal(a, b, err_msg="\n".join(lines))
        self.fail("\n".join(lines))

    def assertNotAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """``assertAllEqual`` fails."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        raise AssertionError(f"The two values are equal at all elements. {msg or ''}")

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        self.assertGreater(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        self.assertLess(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        self.assertGreaterEqual(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        self.assertLessEqual(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Every element lies between the bounds, which count unless they are open; NaN never does."""
        target = self._GetNdArray(target)
        if target.dtype.kind not in "biuf":
            raise AssertionError(
                f"The value of {target} does not have an ordered numeric type, instead it has type: {target.dtype}"
            )
        above = np.greater if open_lower_bound else np.greater_equal
        below = np.less if open_upper_bound else np.less_equal
        off = ~(above(target, lower_bound) & below(target, upper_bound))
        if off.any():
            bounds = f"{'(' if open_lower_bound else '['}{lower_bound}, {upper_bound}{')' if open_upper_bound else ']'}"
            rows = "\n".join(
                f"  [{', '.join(map(str, i))}] : {target[tuple(i)]}" for i in np.argwhere(off)[:10].tolist()
            )
            more = "\n  ..." if off.sum() > 10 else ""
            raise AssertionError(
                f"{off.sum()} of the {target.size} element(s) are outside the range {bounds}. "
                f"Subscript(s) and value(s) of the offending elements:\n{rows}{more}"
            )

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Every element is one of ``expected_set``."""
        values = np.unique(self._GetNdArray(target))
        others = values[~np.isin(values, list(expected_set))]
        if others.size:
            raise AssertionError(f"{others.size} unique element(s) are not in the set {expected_set}: {others}")

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """``target`` is a tensor or array of ``expected_dtype``."""
        found = target.dtype if isinstance(target, TensorLike) else self._GetNdArray(target).dtype
        self.assertEqual(as_dtype(expected_dtype), as_dtype(found))

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: Any = None) -> None:
        """An array has the static shape of a tensor.

        Raises:
          TypeError: they are no array and tensor.
        """
        if not isinstance(np_array, np.ndarray | np.generic):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        if not isinstance(tf_tensor, TensorLike):
            raise TypeError("tf_tensor must be a Tensor")
        tensor: Any = tf_tensor
        self.assertAllEqual(np_array.shape, tensor.get_shape().as_list(), msg)

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: Any = None) -> None:
        """Two device names or specs mean the same device."""
        self.assertEqual(canonical(device1), canonical(device2), msg)

    # -- errors --------------------------------------------------------------------------------

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(  # type: ignore[override]
        self, exception_type: Any, expected_err_re_or_predicate: Any
    ) -> Iterator[None]:
        """The block raises an exception whose text, with its ops' names, matches, or that satisfies the predicate."""
        try:
            yield
        except exception_type as error:
            if callable(expected_err_re_or_predicate):
                matches = expected_err_re_or_predicate(error)
            else:
                matches = re.search(expected_err_re_or_predicate, _text_of(error))
            if not matches:
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        else:
            self.fail(f"{getattr(exception_type, '__name__', exception_type)} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    def assertRaisesRegexp(self, expected_exception: Any, expected_regex: Any, *args: Any, **kwargs: Any) -> Any:
        return self.assertRaisesRegex(expected_exception, expected_regex, *args, **kwargs)

    # -- text and protos -----------------------------------------------------------------------

    def assertStartsWith(self, actual: Any, expected_start: Any, msg: Any = None) -> None:
        if not actual.startswith(expected_start):
            self.fail(f"{actual!r} does not start with {expected_start!r}" + (f" ({msg})" if msg else ""))

    def assertItemsEqual(self, first: Any, second: Any, msg: Any = None) -> None:
        self.assertCountEqual(first, second, msg)

    def assertProtoEquals(self, expected_message_maybe_ascii: Any, message: Any, msg: Any = None) -> None:
        """A proto equals another one, or one in text form, up to the 7th decimal of its numbers."""
        from google.protobuf import text_format

        expected = expected_message_maybe_ascii
        if isinstance(expected, str | bytes):
            text = expected.decode() if isinstance(expected, bytes) else expected
            expected = type(message)()
            text_format.Parse(text, expected, descriptor_pool=message.DESCRIPTOR.file.pool)
        elif not isinstance(expected, type(message)):
            self.fail(f"Can't compare protos of type {type(expected)} and {type(message)}. {msg or ''}")
        self._AssertProtoEquals(expected, message, msg)

    def _AssertProtoEquals(self, a: Any, b: Any, msg: Any = None) -> None:
        if a != b and _rounded(a) != _rounded(b):
            self.assertMultiLineEqual(str(a), str(b), msg)

    def assertProtoEqualsVersion(
        self,
        expected: str,
        actual: Any,
        producer: int = Versions.producer,
        min_consumer: int = Versions.min_consumer,
        msg: Any = None,
    ) -> None:
        """A GraphDef equals one in text form and has these versions."""
        versions = (
            f"versions {{ producer: {producer}" + (f" min_consumer: {min_consumer}" if min_consumer else "") + " }"
        )
        self.assertProtoEquals(f"{versions}\n{expected}", actual, msg)


def _as_structure(value: Any) -> Any:
    """Sparse values by their parts; attrs and named tuples as they are."""
    if isinstance(value, SparseTensor | SparseTensorValue):
        return [value.indices, value.values, value.dense_shape]
    if hasattr(value, "_asdict") and not isinstance(value, IndexedSlicesValue):
        return value._asdict()
    if isinstance(value, IndexedSlices | IndexedSlicesValue):
        return [value.values, value.indices] + ([] if value.dense_shape is None else [value.dense_shape])
    return value


def _text_of(error: BaseException) -> str:
    if not isinstance(error, errors.OpError):
        return str(error)
    text, op = error.message, error.op
    while op is not None:
        text += f"\nCaused by: {op.name}"
        op = op._original_op
    return text


def _rounded(proto: Any) -> Any:
    """A copy of a proto whose floats have 6 decimals, and doubles 7."""
    copy = type(proto)()
    copy.CopyFrom(proto)
    _round(copy)
    return copy


def _round(proto: Any) -> None:
    for field, value in proto.ListFields():
        digits = {field.TYPE_FLOAT: 6, field.TYPE_DOUBLE: 7}.get(field.type)
        if isinstance(value, float) and digits:
            setattr(proto, field.name, round(value, digits))
        elif digits:
            value[:] = [round(x, digits) for x in value]
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for each in [value] if hasattr(value, "ListFields") else value:
                _round(each)
