"""The names of ``tensorflow.compat.v2.io.gfile``."""

from retrograd.faces import missing
from retrograd.io.gfile import (
    GFile,
)
from retrograd.io.gfile import (
    copy_v2 as copy,
)
from retrograd.io.gfile import (
    create_dir_v2 as mkdir,
)
from retrograd.io.gfile import (
    delete_file_v2 as remove,
)
from retrograd.io.gfile import (
    delete_recursively_v2 as rmtree,
)
from retrograd.io.gfile import (
    file_exists_v2 as exists,
)
from retrograd.io.gfile import (
    get_matching_files_v2 as glob,
)
from retrograd.io.gfile import (
    is_directory_v2 as isdir,
)
from retrograd.io.gfile import (
    list_directory_v2 as listdir,
)
from retrograd.io.gfile import (
    recursive_create_dir_v2 as makedirs,
)
from retrograd.io.gfile import (
    rename_v2 as rename,
)
from retrograd.io.gfile import (
    stat_v2 as stat,
)
from retrograd.io.gfile import (
    walk_v2 as walk,
)

__getattr__ = missing(__name__)
