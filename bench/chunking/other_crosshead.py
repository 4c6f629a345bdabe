"""Crosshead from another folder, so that two versions take turns over the same texts in one run.

It runs in a separate process, which chunks all texts whenever it reads a line and answers with its CPU seconds and
the number of chunks.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class OtherCrosshead:
    """Chunks texts with the package in a folder."""

    def __init__(self, folder: Path, texts: list[tuple[str, bool]], max_tokens: int) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8") as file:
            json.dump(texts, file)
        self._texts = Path(file.name)
        self._process = subprocess.Popen(
            [sys.executable, __file__, file.name, str(max_tokens)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(folder)},
        )

    def measure(self) -> tuple[float, int]:
        """Return CPU seconds and chunks of one round."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        seconds, chunks = self._process.stdout.readline().split()
        return float(seconds), int(chunks)

    def close(self) -> None:
        self._process.communicate()
        self._texts.unlink()


def main(path: str, max_tokens: int) -> None:
    import crosshead

    texts = json.loads(Path(path).read_text("utf-8"))
    crosshead.chunk(texts[0][0], max_tokens=max_tokens)
    gc.collect()
    gc.freeze()
    for _ in sys.stdin:
        started = time.process_time()
        chunks = sum(len(crosshead.chunk(text, max_tokens=max_tokens, mdx=is_mdx)) for text, is_mdx in texts)
        print(time.process_time() - started, chunks, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
