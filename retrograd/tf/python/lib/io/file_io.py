"""The names of ``tensorflow.python.lib.io.file_io``."""

from retrograd.faces import missing
from retrograd.io.gfile import (
    FileIO,
    atomic_write_string_to_file,
    copy,
    copy_v2,
    create_dir,
    create_dir_v2,
    delete_file,
    delete_file_v2,
    delete_recursively,
    delete_recursively_v2,
    file_crc32,
    file_exists,
    file_exists_v2,
    filecmp,
    get_matching_files,
    get_matching_files_v2,
    is_directory,
    is_directory_v2,
    list_directory,
    list_directory_v2,
    read_file_to_string,
    recursive_create_dir,
    recursive_create_dir_v2,
    rename,
    rename_v2,
    stat,
    stat_v2,
    walk,
    walk_v2,
    write_string_to_file,
)

__getattr__ = missing(__name__)
