"""What commands cost, in several checkouts by turns: a cold search, an unchanged folder, an installation."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.storage.costs.contestants import ROOT

from crosshead.indexing.files.hashes import TICK_NS

EXTRAS = "index,server,mcp"
QUESTION = "how are options set in a file"
COUNT_OPENED = """
import os, sys
folder, opened = sys.argv.pop(1), []
sys.addaudithook(lambda event, given: event == "open" and str(given[0]).startswith(folder) and opened.append(given[0]))
from crosshead.cli import main
try:
    main()
finally:
    print(sum(map(os.path.isfile, {*opened})), file=sys.stderr)
"""
ELSEWHERE = """
The other rows are printed by
    python -m bench.storage.cluster FOLDER --embedder minilm      chunks that a CPU second of the committer takes
    python -m bench.chunking.speed [--bytes 1000-5000 ...]         chunking against tiktoken's counting
    python -m bench.embedding.speed                                texts that are embedded in a CPU second"""


class Spent(NamedTuple):
    cpu_seconds: float
    wall_seconds: float


def print_commands(docs: Path, others: Sequence[Path], rounds: int) -> None:
    """Index documents with each checkout, and print what commands over them cost."""
    checkouts = (ROOT, *others)
    with tempfile.TemporaryDirectory() as made:
        folders = {code: Path(made, str(number)) for number, code in enumerate(checkouts)}
        commands = {
            "crosshead search, cold, hybrid": lambda code: ["search", QUESTION, "--index", str(folders[code])],
            "crosshead search, cold, lexical": lambda code: [
                "search", QUESTION, "--mode", "lexical", "--index", str(folders[code])
            ],
            "crosshead index, unchanged folder": lambda code: ["index", str(docs), "--index", str(folders[code])],
            "crosshead --help": lambda code: ["--help"],
        }  # fmt: skip
        time.sleep(TICK_NS / 1e9 + 1)  # files that have just been written are read again
        for code in checkouts:
            run(code, ["index", str(docs), "--index", str(folders[code]), "--root", str(docs)])
        print(f"\nMedian of {rounds} rounds, {docs.name}\n")
        print("| command | checkout | CPU s | wall s |\n|---|---|---:|---:|")
        for title, command in commands.items():
            spent: dict[Path, list[Spent]] = {code: [] for code in checkouts}
            for code in checkouts:
                run(code, command(code))
            for _ in range(rounds):
                for code in checkouts:
                    spent[code].append(run(code, command(code)))
            for code, each in spent.items():
                cpu, wall = map(statistics.median, zip(*each, strict=True))
                print(f"| {title} | {code.name} | {cpu:.2f} | {wall:.2f} |", flush=True)
        print("\n| checkout | files that are opened in an unchanged folder |\n|---|---:|")
        for code in checkouts:
            arguments = commands["crosshead index, unchanged folder"](code)
            print(f"| {code.name} | {opened(code, docs, arguments)} |", flush=True)
    print("\n| checkout | installation | packages | MB | of these the largest |\n|---|---|---|---|---|")
    for code in checkouts:
        print(f"| {code.name} {installation(code)}", flush=True)
    print(ELSEWHERE)


def python_of(code: Path) -> str:
    """The interpreter of a checkout's own environment, if it has one."""
    own = code / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    return str(own) if own.exists() else sys.executable


def run(code: Path, arguments: Sequence[str]) -> Spent:
    """Run a command of a checkout to its end."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [python_of(code), "-m", "crosshead", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=_environment(code),
    )
    assert process.stderr
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{code.name}: {' '.join(arguments)}: {errors.decode()}")
    return Spent(usage.ru_utime + usage.ru_stime, time.perf_counter() - started)


def opened(code: Path, docs: Path, arguments: Sequence[str]) -> str:
    """Count the files of a folder that a command opens."""
    command = [python_of(code), "-c", COUNT_OPENED, str(docs), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=_environment(code))
    return done.stderr.strip().splitlines()[-1]


def installation(code: Path) -> str:
    """The row of `bench.serving.installation`."""
    command = [python_of(code), "-m", "bench.serving.installation", EXTRAS, "--largest", "8"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=code, env=_environment(code))
    return done.stdout.strip().splitlines()[-1]


def _environment(code: Path) -> dict[str, str]:
    """Where modules are compiled once, as an installation does."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(code / "src"), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
