"""Record what each public name of TensorFlow 1.15.5 is: kind, arguments, plain defaults, the methods of classes.

usage: python record_public.py     under a real TensorFlow 1.15.5, after record_names.py; writes public.json.gz

  what      the descriptions, each once: ["module"], ["constant", type, plain value or null],
            ["function", arguments], ["class", arguments, {name: ["method", arguments] or ["property"]}]
  names     module -> name -> place in ``what``

Arguments stand as Python would write them: ``a``, ``b=1``, ``c=?`` (a default that is no plain value), ``*rest``,
``*, d=None``, ``**more``; null where Python has none to tell.
"""

import functools
import gzip
import importlib
import inspect
import json
import os
import types

import tensorflow as tf
from tensorflow.python.util import tf_inspect

HERE = os.path.dirname(os.path.abspath(__file__))
PLAIN = (bool, int, float, str, bytes, type(None))
MODULES = ("TFModuleWrapper", "LazyLoader", "KerasLazyLoader")
SHOWN = ("__init__", "__call__", "__enter__", "__exit__", "__iter__", "__len__", "__getitem__")


def plain(value):
    return isinstance(value, PLAIN) or (isinstance(value, (tuple, list)) and all(map(plain, value)))


def default(value):
    return repr(value) if plain(value) else "?"


def arguments_of(function, skip=0):
    try:
        spec = tf_inspect.getfullargspec(function)
    except TypeError:
        return None
    first = len(spec.args) - len(spec.defaults or ())
    words = [a if i < first else "%s=%s" % (a, default(spec.defaults[i - first])) for i, a in enumerate(spec.args)]
    words = words[skip:]
    words += ["*" + spec.varargs] if spec.varargs else ["*"] if spec.kwonlyargs else []
    for name in spec.kwonlyargs:
        given = (spec.kwonlydefaults or {}).get(name, PLAIN)
        words.append(name if given is PLAIN else "%s=%s" % (name, default(given)))
    return words + (["**" + spec.varkw] if spec.varkw else [])


def members_of(cls):
    found = {}
    for name in dir(cls):
        if name.startswith("_") and name not in SHOWN:
            continue
        raw = next((c.__dict__[name] for c in cls.__mro__ if name in c.__dict__), None)
        owner = next((c for c in cls.__mro__ if name in c.__dict__), object)
        if owner.__module__ in ("builtins", "abc", "typing"):
            continue
        if isinstance(raw, property):
            found[name] = ["property"]
        elif isinstance(raw, staticmethod):
            found[name] = ["method", arguments_of(raw.__func__)]
        elif isinstance(raw, classmethod):
            found[name] = ["method", arguments_of(raw.__func__, 1)]
        elif isinstance(raw, (type, functools.partial)) or not callable(raw):
            continue
        else:
            found[name] = ["method", arguments_of(raw, 1)]
    return found


def described(value):
    if isinstance(value, types.ModuleType) or type(value).__name__ in MODULES:
        return ["module"]
    if inspect.isclass(value):
        if hasattr(value, "DESCRIPTOR"):
            return ["proto"]
        ours = value.__module__.startswith("tensorflow")
        init = value.__init__ if value.__init__ is not object.__init__ else None
        if issubclass(value, tuple) and hasattr(value, "_fields") and value.__new__ is not tuple.__new__:
            init = value.__new__
        return ["class", arguments_of(init, 1) if init and ours else None, members_of(value) if ours else {}]
    if callable(value):
        return ["function", arguments_of(value)]
    return ["constant", type(value).__name__, repr(value) if plain(value) else None]


def main():
    what, places, names = [], {}, {}
    for line in open(os.path.join(HERE, "names.tsv")):
        path, name, _ = line.rstrip("\n").split("\t")
        if path.startswith("compat.v2"):
            module = tf
            for part in path.split("."):
                module = getattr(module, part)
        else:
            try:
                module = importlib.import_module(("tensorflow." + path).rstrip("."))
            except ImportError:
                module = tf
                for part in path.split("."):
                    module = getattr(module, part)
        try:
            row = described(getattr(module, name))
        except Exception as error:
            print("left", path, name, repr(error)[:80])
            continue
        key = json.dumps(row, sort_keys=True)
        if key not in places:
            places[key] = len(what)
            what.append(row)
        names.setdefault(path, {})[name] = places[key]
    text = json.dumps({"what": what, "names": names}, sort_keys=True, separators=(",", ":"))
    with open(os.path.join(HERE, "public.json.gz"), "wb") as f:
        with gzip.GzipFile(fileobj=f, mode="wb", mtime=0, filename="") as zipped:
            zipped.write(text.encode())
    print(len(what), sum(map(len, names.values())), len(text))


main()
