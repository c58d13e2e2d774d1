"""How long programs take to start: medians over whole processes, on this machine.

python bench/startup.py [COMMAND...]      each COMMAND is timed beside ours, in turn with them
"""

import os
import platform
import shlex
import statistics
import subprocess
import sys
import time

ROUNDS = 15
COMMANDS = {
    "python": f"{sys.executable} -c pass",
    "python, import numpy": f"{sys.executable} -c 'import numpy'",
    "retrograd --version": f"{sys.executable} -m retrograd --version",
    "retrograd run (an empty program)": f"{sys.executable} -m retrograd run {os.devnull}",
    "from retrograd import tf": f"{sys.executable} -c 'from retrograd import tf'",
}


def seconds(command: str) -> float:
    start = time.perf_counter()
    subprocess.run(shlex.split(command), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    commands = COMMANDS | {command: command for command in sys.argv[1:]}
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            taken[name].append(seconds(command))
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; {ROUNDS} rounds")
    for name, times in taken.items():
        print(f"{1e3 * statistics.median(times):8.1f} ms  {name}")


if __name__ == "__main__":
    main()
