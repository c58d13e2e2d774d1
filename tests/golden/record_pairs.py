"""Write ``pairs.mdb.gz``, a database of LMDB, by the package ``lmdb``: python record_pairs.py"""

import gzip
import os
import tempfile

import lmdb

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pairs.mdb")
        database = lmdb.open(path, subdir=False, map_size=1 << 24)
        with database.begin(write=True) as writer:
            for i in range(700):
                writer.put(b"key %04d" % i, b"value %d " % i * (i % 7))
            writer.put(b"large", bytes(range(256)) * 50)
            writer.put(b"gone", b"x")
        with database.begin(write=True) as writer:
            writer.delete(b"gone")
        database.close()
        with open(path, "rb") as file:
            data = gzip.compress(file.read(), mtime=0)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pairs.mdb.gz"), "wb") as file:
        file.write(data)
