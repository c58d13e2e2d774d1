"""Who is measured, and the Python that each runs in; as a program, installs what is missing.

usage: python -m bench.peers [--force] [NAME...]

TensorFlow 1.15.5 needs Python 3.7: it is looked for on the path and under pyenv, or TENSORFLOW_PYTHON names one that
imports TensorFlow 1.15.5.  BENCH_ENVIRONMENTS is the folder of the environments.  What cannot be installed is
reported and left out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

FOLDER = Path(os.environ.get("BENCH_ENVIRONMENTS", Path(__file__).parent / ".environments"))


@dataclass(frozen=True)
class Environment:
    """A virtual environment: what goes into it (one call of pip each), and what shows that it works."""

    installs: tuple[tuple[str, ...], ...]
    check: str
    python: str = "3.11"  # or later; "3.7" is exact


@dataclass(frozen=True)
class Peer:
    """One column of the results."""

    label: str
    environment: str | None  # None: the Python that runs this
    function: str  # the function of a workload's module that is its program; "process": runs whole processes
    colour: str
    variables: dict[str, str] = field(default_factory=dict)  # its environment variables


JAX = version("jax")  # the one that retrograd runs on, so that the two differ in what they ask of XLA alone

ENVIRONMENTS = {
    "tf1": Environment(
        (("tensorflow==1.15.5", "protobuf<3.21", "numpy<1.19"),),
        "import tensorflow as tf; assert tf.__version__ == '1.15.5'",
        python="3.7",
    ),
    # tf_keras holds tf.layers and the recurrent cells; it asks for the build with CUDA, so it comes alone
    "tf2": Environment(
        (("tensorflow-cpu==2.21.*",), ("--no-deps", "tf_keras==2.21.*")),
        "import tensorflow as tf; assert tf.__version__.startswith('2.21')",
    ),
    "torch": Environment((("torch==2.13.0", "numpy"),), "import torch; assert torch.__version__.startswith('2.13.0')"),
    "jax": Environment(((f"jax=={JAX}", "numpy"),), f"import jax; assert jax.__version__ == {JAX!r}"),
    "plot": Environment((("matplotlib",),), "import matplotlib"),
}

PEERS = {
    "retrograd": Peer("retrograd", None, "in_tensorflow", "#d1495b"),
    "interpreter": Peer("retrograd, interpreter", None, "in_tensorflow", "#edae49", {"RETROGRAD_JIT": "never"}),
    "always": Peer("retrograd, compiled at once", None, "in_tensorflow", "#9b2335", {"RETROGRAD_JIT": "always"}),
    "lowered": Peer("retrograd, its bare XLA calls", None, "in_tensorflow", "#e8998d", {"RETROGRAD_JIT": "always"}),
    "cold": Peer("retrograd, cold cache", None, "process", "#f4b6a6"),
    "warm": Peer("retrograd, warm cache", None, "process", "#d1495b"),
    "tf1": Peer("TensorFlow 1.15.5", "tf1", "in_tensorflow", "#30638e"),
    "tf2": Peer("TensorFlow 2.21 compat.v1", "tf2", "in_tensorflow", "#8db9de", {"TF_USE_LEGACY_KERAS": "1"}),
    "torch": Peer("PyTorch 2.13", "torch", "in_torch", "#e09f3e"),
    "torch-last": Peer("PyTorch 2.13, channels last", "torch", "in_torch_channels_last", "#9c6615"),
    "jax": Peer("JAX", "jax", "in_jax", "#2a9d3f"),
    "jax-packed": Peer("JAX, state in one buffer", "jax", "in_jax_packed", "#8fd19e"),
}
USUAL = ("retrograd", "lowered", "cold", "warm", "tf1", "tf2", "torch", "torch-last", "jax", "jax-packed")
OURS = tuple(name for name, peer in PEERS.items() if peer.environment is None)


def python_of(environment: str | None) -> str | None:
    """The interpreter of an environment, if there is one."""
    if environment is None:
        return sys.executable
    if environment == "tf1" and os.environ.get("TENSORFLOW_PYTHON"):
        return os.environ["TENSORFLOW_PYTHON"]
    path = FOLDER / environment / "bin" / "python"
    return str(path) if path.exists() else None


def environment_variables(peer: Peer) -> dict[str, str]:
    """What a process of ``peer`` is started with: the CPU alone, quiet."""
    quiet = {"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
    if peer.environment is None:
        quiet["PYTHONPATH"] = str(Path(__file__).parents[1])  # the retrograd beside this folder
    return {**os.environ, "JAX_PLATFORMS": "cpu", **quiet, **peer.variables}


def works(environment: str) -> bool:
    """Whether the environment is there and imports what it is for."""
    python = python_of(environment)
    if python is None:
        return False
    command = [python, "-W", "ignore", "-c", ENVIRONMENTS[environment].check]
    return subprocess.run(command, capture_output=True, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""}).returncode == 0


def pythons(wanted: str) -> Iterator[str]:
    """Interpreters that can make an environment for Python ``wanted``."""
    if wanted != "3.7":
        yield sys.executable
        return
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [shutil.which("python3.7"), *map(str, sorted(root.glob("versions/3.7*/bin/python")))]
    check = "import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 7))"
    for python in filter(None, found):
        if subprocess.run([python, "-c", check], capture_output=True).returncode == 0:
            yield python


def installed(name: str, force: bool = False) -> str:
    """Make the environment ``name`` unless it works; says in a few words how that went."""
    if not force and works(name):
        return "there"
    environment = ENVIRONMENTS[name]
    python = next(pythons(environment.python), None)
    if python is None:
        return f"missing: no Python {environment.python} was found"
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    commands = [[python, "-m", "venv", str(folder)]]
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in [*commands, *([*pip, *install] for install in environment.installs)]:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return "missing: " + (done.stderr.strip().splitlines() or ["it cannot be installed"])[-1]
    return "installed" if works(name) else "missing: it was installed and does not import"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which of {', '.join(ENVIRONMENTS)} (default: all)")
    parser.add_argument("--force", action="store_true", help="make them anew")
    args = parser.parse_args()
    for name in args.names or ENVIRONMENTS:
        if name not in ENVIRONMENTS:
            parser.error(f"{name!r} is none of {', '.join(ENVIRONMENTS)}")
        print(f"{name:6}", end=" ", flush=True)
        print(installed(name, args.force), flush=True)


if __name__ == "__main__":
    main()
