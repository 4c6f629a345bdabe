"""One engine in a process of its own, so that its CPU time is its own, with all threads that it starts.

A line of JSON on standard input asks, a line answers: `{"do": "build"}` with sizes, `{"do": "ask", "asked":
[[mode, question], ...]}` with CPU milliseconds and hits of each question.
"""

from __future__ import annotations

import gc
import json
import logging
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from bench.storage.costs import ours
from bench.storage.costs.material import Material
from bench.storage.costs.peers import PEERS

logging.disable(logging.WARNING)

TOKENS = "tokens"
OURS = "crosshead"
EMBEDDING = "embedding"


def make_engine(name: str, material: Material, folder: Path) -> Any:
    """Return the engine with a name: of a peer, or `crosshead`, `crosshead+tokens`, `embedding`, `embedding+tokens`."""
    kind, _, tokens = name.partition("+")
    if kind == OURS:
        return ours.make_engine(material, folder, tokens=tokens == TOKENS)
    if kind == EMBEDDING:
        return ours.Embedding(material, tokens=tokens == TOKENS)
    return ours.Peer(material, folder, PEERS[kind])


def ask(engine: Any, asked: list[tuple[str, str]]) -> dict[str, Any]:
    spent, found = [], []
    for mode, question in asked:
        started = time.process_time()
        found.append(engine.ask(mode, question))
        spent.append(1000 * (time.process_time() - started))
    return {"ms": spent, "hits": found}


def main(name: str, material: str, folder: str) -> None:
    answers = sys.stdout
    with redirect_stdout(sys.stderr):
        engine = make_engine(name, Material(Path(material)), Path(folder))
        is_open = False
        for line in sys.stdin:
            request = json.loads(line)
            if request["do"] == "build":
                answer = engine.build()
            else:
                if not is_open:
                    engine.open()
                    gc.collect()
                    gc.freeze()
                    is_open = True
                answer = ask(engine, request["asked"])
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
