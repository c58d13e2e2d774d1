"""The names of ``tensorflow.python.platform.gfile``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.io.gfile import (
    FastGFile,
    GFile,
)
from retrograd.io.gfile import (
    FileIO as _FileIO,
)
from retrograd.io.gfile import (
    GFile as Open,
)
from retrograd.io.gfile import (
    copy as Copy,
)
from retrograd.io.gfile import (
    create_dir as MkDir,
)
from retrograd.io.gfile import (
    delete_file as Remove,
)
from retrograd.io.gfile import (
    delete_recursively as DeleteRecursively,
)
from retrograd.io.gfile import (
    file_exists as Exists,
)
from retrograd.io.gfile import (
    get_matching_files as Glob,
)
from retrograd.io.gfile import (
    is_directory as IsDirectory,
)
from retrograd.io.gfile import (
    list_directory as ListDirectory,
)
from retrograd.io.gfile import (
    recursive_create_dir as MakeDirs,
)
from retrograd.io.gfile import (
    rename as Rename,
)
from retrograd.io.gfile import (
    stat as Stat,
)
from retrograd.io.gfile import (
    walk as Walk,
)

__getattr__ = missing(__name__)
