"""Engines that take turns: each is built once, and asked the same questions in the same order."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.storage.costs.material import Material, Position
from bench.storage.costs.ours import bytes_of

ROOT = Path(__file__).parents[3]
QUIET = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1",
    "ANONYMIZED_TELEMETRY": "False", "LANCEDB_LOG": "error",
}  # fmt: skip
"""Threads that wait for work burn CPU time of others; nothing goes to the network."""
MODES = ("lexical", "dense", "hybrid")
WARM_UP = 3
"""Questions at the end that are asked first, and not measured."""


class Contestant(NamedTuple):
    """An engine of a table."""

    title: str
    engine: str
    """For `worker.make_engine`."""
    modes: Sequence[str]
    code: Path = ROOT
    """The checkout that it runs."""
    starts_from: str = ""
    """The title of another engine, whose index is copied to make this one."""


class Sizes(NamedTuple):
    """What an index weighs."""

    chunks: int
    bytes: int
    added: int
    """Bytes before `optimize`; 0 if that was not measured."""


class Turn(NamedTuple):
    """A question in a mode."""

    mode: str
    question: str
    is_new: bool
    """Is it asked for the first time? Only then is its time counted, because an engine may remember its words."""


class Answer(NamedTuple):
    turn: Turn
    ms: float
    hits: list[Position]


@contextmanager
def worker(contestant: Contestant, material: Material, folder: Path) -> Iterator[Any]:
    """Start the process of an engine; return a function that sends a request."""
    code = contestant.code
    paths = [str(code / "src"), str(ROOT)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.storage.costs.worker", contestant.engine, str(material.folder), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=code,
        env={**os.environ, **QUIET, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert process.stdin
    assert process.stdout
    sent, received = process.stdin, process.stdout

    def request(**wanted: Any) -> Any:
        sent.write(json.dumps(wanted) + "\n")
        sent.flush()
        line = received.readline()
        if not line:
            raise SystemExit(f"{contestant.title}: its process ended; see above")
        return json.loads(line)

    try:
        yield request
    finally:
        process.communicate()


def build(contestant: Contestant, material: Material, folders: dict[str, Path]) -> Sizes:
    """Make the index of an engine in its folder, unless it is there."""
    folder = folders[contestant.title]
    kept = folder.with_suffix(".json")
    if not kept.exists():
        shutil.rmtree(folder, ignore_errors=True)
        if contestant.starts_from:
            shutil.copytree(folders[contestant.starts_from], folder)
        with worker(contestant, material, folder) as request:
            made = request(do="build")
        kept.write_text(json.dumps([made["chunks"], bytes_of(folder), made.get("added", 0)]), "utf-8")
    return Sizes(*json.loads(kept.read_text("utf-8")))


def ask(
    contestants: Sequence[Contestant], material: Material, folders: dict[str, Path], rounds: Sequence[Sequence[Turn]]
) -> dict[str, list[Answer]]:
    """Let all engines take the turns of each round, in the modes that they have."""
    answers: dict[str, list[Answer]] = {each.title: [] for each in contestants}
    with ExitStack() as stack:
        requests = [stack.enter_context(worker(each, material, folders[each.title])) for each in contestants]
        for turns in (_warm_up(material), *rounds):
            for each, request in zip(contestants, requests, strict=True):
                taken = [turn for turn in turns if turn.mode in each.modes]
                answer = request(do="ask", asked=[turn[:2] for turn in taken])
                hits = [[Position(*hit) for hit in found] for found in answer["hits"]]
                if turns in rounds:
                    answers[each.title] += map(Answer, taken, answer["ms"], hits)
    return answers


def _warm_up(material: Material) -> list[Turn]:
    return [Turn(mode, question, is_new=False) for question in material.questions[-WARM_UP:] for mode in MODES]


def in_rounds(material: Material, rounds: int, limit: int) -> list[list[Turn]]:
    """Divide the questions that are measured; each is asked in all modes, beginning with another one every time."""
    turns = [
        [Turn(MODES[(number + at) % len(MODES)], question, is_new=not at) for at in range(len(MODES))]
        for number, question in enumerate(material.questions[:-WARM_UP][:limit])
    ]
    return [[turn for some in turns[number::rounds] for turn in some] for number in range(rounds)]
