"""What a module shows, and when it is read.

``tensorflow.python.util.all_util``, with which libraries hide what they import, and ``lazy_loader``, with which they
put off an import.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from retrograd.graph import log

_HIDDEN: dict[str, dict[str, Any]] = {}
# a line of a module's text that begins with @@ shows a name
_SHOWN = re.compile(r"^@@(\w+)$", re.MULTILINE)


def make_all(module_name: str, doc_string_modules: Sequence[ModuleType] | None = None) -> list[str]:
    """The names that the texts of modules show with ``@@``; of the module itself, if no others are given."""
    modules = [sys.modules[module_name]] if doc_string_modules is None else doc_string_modules
    return [name for module in modules for name in _SHOWN.findall(module.__doc__ or "")]


def remove_undocumented(
    module_name: str,
    allowed_exception_list: Iterable[str] | None = None,
    doc_string_modules: Sequence[ModuleType] | None = None,
) -> None:
    """Take from a module every public name that no text shows, and that is no exception.

    Names that begin with an underscore stay.
    """
    shown = {*make_all(module_name, doc_string_modules), *(allowed_exception_list or ())}
    module = sys.modules[module_name]
    for name in dir(module):
        if name in shown or name.startswith("_"):
            continue
        _HIDDEN.setdefault(module_name, {})[name] = getattr(module, name)
        delattr(module, name)


def reveal_undocumented(symbol_name: str, target_module: ModuleType | None = None) -> None:
    """Put back what ``remove_undocumented`` took: ``package.module.name``.

    Raises:
      LookupError: nothing of that name was taken.
    """
    module_name, _, name = symbol_name.rpartition(".")
    if name not in _HIDDEN.get(module_name, {}):
        raise LookupError(f"Symbol {symbol_name} is not a hidden symbol")
    value = _HIDDEN[module_name][name]
    if inspect.ismodule(value):
        sys.modules.setdefault(symbol_name, value)
    setattr(target_module or sys.modules[module_name], name, value)


class LazyLoader(ModuleType):
    """A module that is imported when it is first asked for a name; then it takes its own place among ``globals``.

    Args:
      local_name: the name by which the importing module knows it.
      parent_module_globals: ``globals()`` of that module.
      name: the module's full name.
      warning: what is logged, once, as the module is imported.
    """

    def __init__(
        self, local_name: str, parent_module_globals: dict[str, Any], name: str, warning: str | None = None
    ) -> None:
        super().__init__(str(name))
        self._local_name, self._parent_module_globals, self._warning = local_name, parent_module_globals, warning

    def _load(self) -> ModuleType:
        module = import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        if self._warning:
            log.warning(self._warning)
            self._warning = None
        self.__dict__.update(module.__dict__)  # whoever holds this object has the module's names too
        return module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(), name)

    def __dir__(self) -> list[str]:
        return dir(self._load())
