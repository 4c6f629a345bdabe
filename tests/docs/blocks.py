"""The blocks of a page that run: Python, and commands with the output that the page shows for them.

1. `read_blocks` finds the fenced blocks of a page. A comment before a block, `<!-- not run: REASON -->`, leaves it out.
2. `run_page` runs all others in order, in one process and in a temporary copy of `examples`, so that a reader who is in
   that folder can repeat them.
3. `differences` compares what was printed with what the page shows; `with_outputs` writes it there.

    ```console
    $ crosshead status       a command; the lines up to the next one are its output, on both streams
    ```

A block of commands without `$` shows no output; each of its commands must succeed. A Python block prints what the
`text` block right below it shows, on standard output. The folder that a page runs in is shown as `/home/me/examples`.
In an output, `...` stands for text that differs from run to run, and as the last line for more lines.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import metadata
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).parents[2]
EXAMPLES: Final = ("docs", "questions.jsonl", "chroma_store.py", "qdrant_store.py")
"""What a page finds in its folder."""
RUN: Final = ("console", "python")
HOME: Final = "/home/me"
"""What a page shows for the temporary folder above its own."""
LONGEST_SECONDS: Final = 120
ELLIPSIS: Final = "..."
PROMPT: Final = "$ "

PART: Final = re.compile(r"(<!-- made from the source: (\w+) -->\n).*?(<!-- end -->)", re.S)
"""A part of a page that `reference` makes."""
_FENCE: Final = re.compile(
    r"^(?: *<!-- not run: (?P<reason>[^\n]+) -->\n+)?"
    r" *```(?P<language>\w+)\n(?P<body>.*?)^ *```$",
    re.M | re.S,
)
_INSTALLS: Final = re.compile(r"(?:pip|pipx) install '?crosshead(?:\[(?P<extras>[\w,-]+)\])?'?(?: +#.*)?$")
_MAKES: Final = re.compile(r"make (?P<target>[\w-]+)(?: +#.*)?$")
_OWN_PROGRAM: Final = re.compile(r"\S*python (?P<path>(?:tests|bench)/[\w/]+\.py|-m (?:tests|bench)\.[\w.]+)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    body: str
    start: int
    """Offset of `body` in the page."""
    end: int
    reason: str = ""
    """Why it is not run."""
    output: str | None = None
    """What the page shows below a Python block."""

    @property
    def steps(self) -> list[tuple[str, str | None]]:
        """Its commands, or its program, each with the output that is shown; None where none is."""
        if self.language == "python":
            return [(self.body, self.output or "")]
        if not self.body.startswith(PROMPT):
            return [(line, None) for line in self.body.splitlines() if line.strip()]
        parts = re.split(r"^\$ ", self.body, flags=re.M)[1:]
        return [(command, output.rstrip("\n")) for command, _, output in (part.partition("\n") for part in parts)]


def pages() -> list[Path]:
    """Return README and all pages of the documentation."""
    return [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("**/*.md"))]


def read_blocks(page: str) -> list[Block]:
    """Return the Python and command blocks of a page; an output follows its program after blank lines.

    Examples of help texts are left out: their options are looked up by a test of their own.
    """
    page = PART.sub(lambda part: " " * len(part[0]), page)
    fences = [*_FENCE.finditer(page)]
    blocks = []
    for at, fence in enumerate(fences):
        if fence["language"] not in RUN:
            continue
        body, below = fence["body"], fences[at + 1 : at + 2]
        adjacent = below and below[0]["language"] == "text" and not page[fence.end() : below[0].start()].strip()
        output = below[0]["body"].rstrip("\n") if adjacent and fence["language"] == "python" else None
        blocks.append(Block(fence["language"], body, *fence.span("body"), fence["reason"] or "", output))
    return blocks


def run_page(page: str) -> list[list[str]]:
    """Run the blocks of a page and return what each step printed; a command that may not fail and does is an error."""
    blocks = [block for block in read_blocks(page) if not block.reason]
    if not blocks:
        return []
    steps = [[(block.language, source, shown is None) for source, shown in block.steps] for block in blocks]
    with tempfile.TemporaryDirectory(prefix="crosshead-") as folder:
        work = Path(folder) / "examples"
        work.mkdir()
        for name in EXAMPLES:
            copy = shutil.copytree if (REPOSITORY / "examples" / name).is_dir() else shutil.copy
            copy(REPOSITORY / "examples" / name, work / name)
        done = subprocess.run(
            [sys.executable, "-m", "tests.docs.session"],
            check=False, cwd=work, env=_environment(folder), timeout=LONGEST_SECONDS,
            input=json.dumps(steps), capture_output=True, text=True,
        )  # fmt: skip
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1])
    printed: list[list[str]] = json.loads(done.stdout.replace(str(Path(folder).resolve()), HOME))
    return printed


def _environment(folder: str) -> dict[str, str]:
    """What a new user has: no settings and no models; the terminal is 80 columns wide and has no colors."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CROSSHEAD_", "COVERAGE_"))}
    return own | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{own.get('PATH', '')}",
        "PYTHONPATH": str(REPOSITORY),
        "HOME": folder,
        "CROSSHEAD_CACHE": f"{folder}/models",
        "CROSSHEAD_IN_PROCESS": "1",
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }


def is_known(command: str) -> bool:
    """Does a command name something that exists, though it takes too long to run here? Extras, targets, programs."""
    if found := _INSTALLS.match(command):
        extras = set(filter(None, (found["extras"] or "").split(",")))
        return extras <= set(metadata("crosshead").get_all("Provides-Extra") or ())
    if found := _MAKES.match(command):
        return f"\n{found['target']}:" in (REPOSITORY / "Makefile").read_text("utf-8")
    found = _OWN_PROGRAM.match(command)
    if not found:
        return False
    path = found["path"].removeprefix("-m ")
    module = path.replace(".", "/")
    return any((REPOSITORY / name).is_file() for name in (path, f"{module}.py", f"{module}/__main__.py"))


def is_checked_only(command: str) -> bool:
    """Is a command one that is not run but looked up?"""
    return any(pattern.match(command) for pattern in (_INSTALLS, _MAKES, _OWN_PROGRAM))


def is_shown(output: str, shown: str) -> bool:
    """Is an output what a page shows? `...` stands for anything within a line, and as the last line for all others."""
    lines, expected = output.splitlines(), shown.splitlines()
    if expected[-1:] == [ELLIPSIS]:
        expected = expected[:-1]
        lines = lines[: len(expected)]
    pattern = "\n".join(".*".join(map(re.escape, line.split(ELLIPSIS))) for line in expected)
    return re.fullmatch(pattern, "\n".join(lines)) is not None


def differences(page: str) -> Iterator[str]:
    """Yield what a page shows that is not what its blocks print."""
    blocks = [block for block in read_blocks(page) if not block.reason]
    for block, outputs in zip(blocks, run_page(page), strict=True):
        for (source, shown), output in zip(block.steps, outputs, strict=True):
            if shown is not None and not is_shown(output, shown):
                yield f"{source.strip()}\nprints\n{output}\nbut the page shows\n{shown}\n"


def with_outputs(page: str, printed: Sequence[Sequence[str]]) -> str:
    """Return a page with the outputs of its blocks; what `...` stands for stays as it is."""
    blocks = [block for block in read_blocks(page) if not block.reason]
    for block, outputs in reversed([*zip(blocks, printed, strict=True)]):
        new = [_rewritten(output, shown) for (_, shown), output in zip(block.steps, outputs, strict=True)]
        if block.language == "python":
            page = _with_output_below(page, block, new[0])
        elif block.body.startswith(PROMPT):
            sources = [source for source, _ in block.steps]
            shown = [f"{PROMPT}{source}\n{output}".rstrip("\n") for source, output in zip(sources, new, strict=True)]
            page = page[: block.start] + "\n".join(shown) + "\n" + page[block.end :]
    return page


def _rewritten(output: str, shown: str | None) -> str:
    """Return an output as the page shows it from now on: with the dots that it has, as long as they fit."""
    if not shown:
        return output
    if is_shown(output, shown):
        return shown
    lines, expected = output.splitlines(), shown.splitlines()
    if expected[-1] == ELLIPSIS and len(lines) >= len(expected):
        return "\n".join([*lines[: len(expected) - 1], ELLIPSIS])
    return output


def _with_output_below(page: str, block: Block, output: str) -> str:
    below = page[block.end :]
    if block.output is not None:
        old = re.compile(r"(```\n+```text\n).*?\n?(```)", re.S)
        return page[: block.end] + old.sub(lambda found: f"{found[1]}{output}\n{found[2]}", below, count=1)
    return page if not output else f"{page[: block.end]}```\n\n```text\n{output}\n{below}"
