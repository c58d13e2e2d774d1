"""What keeps a value from run to run: here as an array, or in a device's buffer together with others."""

from __future__ import annotations

from typing import Any, Protocol


class Home(Protocol):
    """A buffer of the device that holds the values of some ``Kept``."""

    pending: set[Any]  # those whose value the buffer does not hold yet

    def value_of(self, member: Any) -> Any:
        """The value of ``member`` as an array of its own, which nobody may change."""

    def dims_of(self, member: Any) -> tuple[int, ...]:
        """The shape of the value of ``member``."""

    def left(self, member: Any, value: Any) -> None:
        """Take note that ``member`` has got ``value``."""


class Kept:
    """A value that lasts.

    While a compiled plan runs again and again the value lives in a ``home`` and is an array only when asked for.
    """

    __slots__ = ("_value", "home")

    def __init__(self, value: Any = None) -> None:
        self._value = value
        self.home: Home | None = None

    @property
    def is_here(self) -> bool:
        """Whether the array that it holds is the value."""
        return self.home is None or self in self.home.pending

    @property
    def value(self) -> Any:
        """The value; of what lives in a home, a copy."""
        home = self.home
        return self._value if home is None or self in home.pending else home.value_of(self)

    @value.setter
    def value(self, value: Any) -> None:
        self._value = value
        if self.home is not None:
            self.home.left(self, value)
