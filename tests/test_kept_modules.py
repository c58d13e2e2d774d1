"""Compiled modules are kept in the cache where Python keeps none, and are compiled anew when a source has changed."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from retrograd import kept_modules
from retrograd.kept_modules import KeptModule
from retrograd.run.xla import KeptComputations

ROOT = Path(__file__).parent.parent


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "some.py"
    path.write_text("answer = 42\n")
    return path


def answer(source: Path) -> object:
    found: dict[str, object] = {}
    exec(KeptModule("some", str(source)).get_code("some"), found)
    return found["answer"]


def kept(source: Path) -> list[Path]:
    return list((source.parent / "cache" / "modules").rglob("some*"))


def test_a_module_is_compiled_once(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(source) == 42
    (_,) = kept(source)
    with monkeypatch.context() as patched:
        patched.setattr(KeptModule, "source_to_code", None)
        assert answer(source) == 42
    source.write_text("answer = 'another'\n")
    assert answer(source) == "another"


def test_a_damaged_file_is_written_again(source: Path) -> None:
    answer(source)
    (file,) = kept(source)
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[-3] ^= 1
    for damaged in (whole[:20], whole[:-1], b"", b"x" * len(whole), bytes(flipped)):
        file.write_bytes(damaged)
        assert answer(source) == 42
        assert file.read_bytes() == whole


def test_what_cannot_be_written_leaves_nothing(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(partial: str, path: str) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        assert answer(source) == 42
    assert not [path for path in (source.parent / "cache").rglob("*") if path.is_file()]


def test_a_damaged_computation_is_compiled_again(tmp_path: Path) -> None:
    cache = KeptComputations(str(tmp_path))
    assert cache.get("some") is None
    cache.put("some", b"machine code")
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    assert cache.get("some") == b"machine code"
    for damaged in (whole[:-1], b"", whole[:-1] + b"f"):
        file.write_bytes(damaged)
        assert cache.get("some") is None
        cache.put("some", b"machine code")
        assert file.read_bytes() == whole


def test_jax_keeps_its_computations_so(tmp_path: Path) -> None:
    program = """
from retrograd.run.xla import start
start()
import jax
from jax._src import compilation_cache
jax.jit(lambda x: x * 2 + 1)(3.0)
print(type(compilation_cache._cache).__name__)
"""
    env = {**os.environ, "RETROGRAD_CACHE": str(tmp_path)}
    kept: list[bytes] = []
    for damage in (False, True):
        for file in tmp_path.glob("*-cache") if damage else ():
            file.write_bytes(file.read_bytes()[:-5])
        done = subprocess.run(
            [sys.executable, "-c", program], env=env, cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == ["KeptComputations"]
        (file,) = tmp_path.glob("*-cache")
        kept.append(file.read_bytes())
    assert len(kept[0]) == len(kept[1])


def test_nothing_is_kept_where_python_keeps_it_or_the_user_forbids_it(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    py_compile.compile(str(source))
    assert answer(source) == 42
    assert not kept(source)
    monkeypatch.setattr(kept_modules, "_is_beside", lambda source: False)
    monkeypatch.setenv("RETROGRAD_CACHE", "off")
    assert answer(source) == 42
    assert not kept(source)


@pytest.mark.parametrize(("flag", "loader"), [("1", "KeptModule"), ("", "SourceFileLoader")])
def test_modules_are_kept_if_python_keeps_none(flag: str, loader: str) -> None:
    program = "import retrograd.cli, retrograd.graph.text as m; print(type(m.__loader__).__name__, m.__file__)"
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": flag}
    said = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True).stdout
    assert said.split()[0] == loader
    assert said.strip().endswith("text.py")
