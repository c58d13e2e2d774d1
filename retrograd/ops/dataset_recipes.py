"""What a dataset was made of, and by which transformation: so it can be looked at, and made again of other sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any

from retrograd.graph.errors import InvalidArgumentError

Token = str | Callable[..., str | None]


class Made:
    """A call of the transformation ``by`` that gave a dataset."""

    def __init__(self, by: Callable[..., Any], token: Token, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.by, self._token, self.arguments, self._named = by, token, arguments, named

    @property
    def sources(self) -> list[Any]:
        """The datasets among the arguments."""
        return [x for argument in self.arguments for x in _datasets_in(argument)]

    def again(self, sources: Sequence[Any]) -> Any:
        """The dataset that the transformation makes of other sources."""
        left = iter(sources)
        return self.by(*[_with_datasets(argument, left) for argument in self.arguments], **self._named)

    @property
    def token(self) -> str | None:
        """What TensorFlow calls its iterators; None where they make none of the sources."""
        return self._token if isinstance(self._token, str) else self._token(*self.arguments, **self._named)


def _datasets_in(argument: Any) -> list[Any]:
    items = argument if isinstance(argument, list | tuple) else [argument]
    return [x for x in items if hasattr(x, "made")]


def _with_datasets(argument: Any, left: Iterator[Any]) -> Any:
    if isinstance(argument, list | tuple):
        return [next(left) if hasattr(x, "made") else x for x in argument]
    return next(left) if hasattr(argument, "made") else argument


def recipe(token: Token) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Marks a transformation whose datasets remember how they were made; their iterators are called ``token``."""

    def marked(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def noted(*arguments: Any, **named: Any) -> Any:
            dataset = function(*arguments, **named)
            dataset.made = Made(noted, token, arguments, named)
            dataset.expects = bool(dataset.expected) or any(source.expects for source in dataset.made.sources)
            return dataset

        return noted

    return marked


def check(dataset: Any, following: tuple[str, ...] = ()) -> None:
    """Hold what a program says of the transformations of its pipeline against what they are.

    Args:
      dataset: the end of a pipeline, or of the part before ``following``.
      following: the names of the transformations behind it.

    Raises:
      InvalidArgumentError: another transformation follows, or none.
    """
    made: Made | None = dataset.made
    if made is None or not dataset.expects:
        return
    expected: tuple[str, ...] = dataset.expected
    for i, word in enumerate(expected[: len(following)]):
        if word != following[i]:
            raise InvalidArgumentError(
                None, None, f"Asserted {word} transformation at offset {i} but encountered {following[i]} "
                "transformation instead.",
            )  # fmt: skip
    if len(expected) > len(following):
        text = f"Asserted next {len(expected)} transformations but encountered only {len(following)}."
        raise InvalidArgumentError(None, None, text)
    token = made.token
    for i, source in enumerate(made.sources if token is not None else ()):
        assert token is not None
        own = token.split("|")
        name = own[min(i, len(own) - 1)].replace("*", str(i - len(own) + 1))
        check(source, (name, *following) if name else following)
