"""Record what the rows of public functions give in TensorFlow 1.15.5: ``python record_function_rows.py [NAME]...``.

It runs in an environment that has TensorFlow 1.15.5; rows are read from ``tests/functions``, and in them ``tf`` is
TensorFlow.  With names, rows of which the name is a part are recorded anew, the others stay.
"""

import gzip
import json
import sys
import warnings
from importlib.machinery import ModuleSpec
from pathlib import Path
from unittest import mock

warnings.simplefilter("ignore")
import tensorflow as tf  # noqa: E402

HERE = Path(__file__).resolve().parent


class Nothing:
    """In the place of what the checks import, which are not used here."""

    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] == "retrograd" else None

    def create_module(self, spec):
        module = mock.MagicMock(name=spec.name)
        module.__path__, module.tf = [], tf
        return module

    def exec_module(self, module):
        pass


def begin():
    """``retrograd.tf`` is TensorFlow, and what the checks import is nothing."""
    sys.meta_path.insert(0, Nothing())
    sys.modules["retrograd.tf"] = tf
    sys.path.insert(0, str(HERE.parent))


def record(name, rows, measured):
    """Write what is ``measured`` of each row to ``NAME.json.gz``."""
    place = HERE / f"{name}.json.gz"
    old = json.loads(gzip.decompress(place.read_bytes())) if place.exists() else {}
    found = {}
    for row in rows:
        if sys.argv[1:] and str(row) in old and not any(word in str(row) for word in sys.argv[1:]):
            found[str(row)] = old[str(row)]
            continue
        print(row, flush=True)
        try:
            found[str(row)] = measured(row)
        except Exception as error:
            print(f"{row}: {type(error).__name__}: {str(error)[:300]}")
    with open(place, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(json.dumps(found).encode())
    print(len(found), "rows,", place.stat().st_size, "bytes")


if __name__ == "__main__":
    begin()
    from function_table import measured
    from functions import ROWS

    record("function_rows", ROWS, lambda row: measured(tf, row))
