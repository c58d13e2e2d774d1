"""Record what the programs in command_line/ print, with these arguments.

usage: python record_command_line.py     under a real TensorFlow 1.15.5; writes command_line.json
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = [
    ["log.py"],
    ["flags.py"],
    ["flags.py", "--name", "bob", "--steps=5", "--notrain", "--test", "--mode=b", "rest", "--old=no"],
    ["flags.py", "--unknown=1", "--steps=2"],
    ["flags.py", "--steps=many"],
    ["early.py", "--steps=4"],
    ["logs_in_main.py"],
    ["logs_in_main.py", "root"],
]
found = []
for run in RUNS:
    done = subprocess.run([sys.executable, "-W", "ignore"] + run, cwd=os.path.join(HERE, "command_line"), stdout=-1, stderr=-1)
    lines = [line for line in done.stderr.decode().splitlines() if ":tensorflow:" in line and "deprecated" not in line]
    found.append({"run": run, "code": done.returncode, "stdout": done.stdout.decode(), "log": lines})
with open(os.path.join(HERE, "command_line.json"), "w") as f:
    json.dump(found, f, indent=1)
    f.write("\n")
