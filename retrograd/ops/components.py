"""What queues and staging areas say of the tensors that make up an element."""

from __future__ import annotations

from typing import Any

from retrograd.graph.shapes import TensorShape


class OfComponents:
    """Holds elements of several tensors: of these there are dtypes, shapes as far as they are known, maybe names."""

    _dtypes: list[Any]
    _shapes: list[TensorShape]
    _names: Any

    def _describe(self, dtypes: list[Any], shapes: Any, names: Any, unequal: str) -> None:
        """Raises ``ValueError`` with the words ``unequal`` where there are not as many shapes or names as dtypes."""
        for what, listed in (("shapes", shapes), ("names", names)):
            if listed is not None and len(listed) != len(dtypes):
                raise ValueError(unequal.format(what))
        self._dtypes = dtypes
        self._shapes = [TensorShape(s) for s in ([None] * len(dtypes) if shapes is None else shapes)]
        self._names = names

    @property
    def dtypes(self) -> list[Any]:
        """The dtypes of the components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shapes of the components."""
        return self._shapes

    @property
    def names(self) -> Any:
        """The names of the components, or None."""
        return self._names
