"""Compare Crosshead's MDX blocks with remark-mdx.

usage: python -m tests.long.remark_mdx [--held-out] [--show N] [--only LABEL] [FOLDER ...]

Reads every .mdx below the folders (default: the corpus; --held-out: only the documents that the parser was not written
against), prints how many differ and in what, and shows N samples. Needs node and npm: the reference parser is installed
into tests/long/mdx/node_modules once. Exit code 1 if anything differs, 0 with a note where node is missing.

Compared: kind, line range, heading level, language of code. JSX elements are entered on both sides, so their tags are
not compared, what stands between them is; neither are flow expressions. Imports and link definitions are compared line
by line. A formula on one line is a paragraph to remark-math, a heading written as an element is one to remark-mdx: both
are counted, not a difference.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.lib import corpus

from crosshead.markdown.blocks import scan_blocks

ORACLE = Path(__file__).parent / "mdx"
KINDS = {
    "heading": "heading",
    "paragraph": "paragraph",
    "code": "code",
    "list": "list",
    "table": "table",
    "blockquote": "quote",
    "thematicBreak": "rule",
    "yaml": "front_matter",
    "toml": "front_matter",
    "mdxjsEsm": "import",
    "definition": "definition",
    "footnoteDefinition": "footnote",
    "math": "math",
    "html": "html",
}
NOT_COMPARED = ("component", "expression", "mdxFlowExpression")
LINE_BY_LINE = ("definition", "import")
CONTEXT_LINES = 6


class Fact(NamedTuple):
    start_line: int
    end_line: int
    kind: str
    detail: str = ""


class Tally:
    """What was found over all documents."""

    def __init__(self) -> None:
        self.documents = self.differing = self.refused = self.blocks = self.missing = 0
        self.labels: Counter[str] = Counter()
        self.apart: Counter[str] = Counter()
        """What was set apart: counted, not compared."""


def install_oracle() -> str | None:
    """Make sure that the reference parser is there; a message if it cannot be."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "node and npm are needed for the reference parser: nothing was compared"
    if not (ORACLE / "node_modules" / "remark-mdx").is_dir():
        command = ["npm", "install", "--silent", "--no-package-lock", "--no-audit", "--no-fund"]
        if subprocess.run(command, cwd=ORACLE, check=False).returncode != 0:
            return "npm could not install the reference parser: nothing was compared"
    return None


def oracle_results(paths: Sequence[Path]) -> Iterator[tuple[Path, list[Fact] | None]]:
    """What remark-mdx makes of each document; None where it refuses one."""
    done = subprocess.run(
        ["node", str(ORACLE / "oracle.mjs")],
        input="\n".join(str(path.resolve()) for path in paths),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    for path, line in zip(paths, done.stdout.splitlines(), strict=True):
        result = json.loads(line)
        yield path, _oracle_facts(result["blocks"], _lines(path)) if "blocks" in result else None


def our_facts(path: Path) -> list[Fact]:
    lines = _lines(path)
    blocks = scan_blocks("\n".join(lines), mdx=True)
    return [
        fact
        for block in blocks
        if block.kind not in NOT_COMPARED
        for fact in _per_line(lines, block.kind, block.start_line, block.end_line, str(block.level or block.lang))
    ]


def compare(tally: Tally, path: Path, expected: list[Fact]) -> list[str]:
    """Add one document to the tally; its differences as sentences."""
    mine = our_facts(path)
    tally.documents += 1
    tally.blocks += len(expected)
    missing, extra = _by_line(set(expected) - set(mine)), _by_line(set(mine) - set(expected))
    for line in [*extra]:
        if extra[line].kind == "math" and line in missing and missing[line][:2] == extra[line][:2]:
            tally.apart["a formula on one line"] += 1
            del extra[line], missing[line]
    lines = _lines(path)
    for line, fact in [*extra.items()]:
        if fact.kind == "heading" and lines[line - 1].lstrip().startswith("<h"):
            tally.apart["a heading written as an element"] += 1
            del extra[line]
            missing = {at: other for at, other in missing.items() if not line <= at <= fact.end_line}
    tally.missing += len(missing)
    tally.differing += bool(missing or extra)
    found = []
    for line in sorted({*missing, *extra}):
        theirs, ours = missing.get(line), extra.get(line)
        label = (
            f"{_kind(theirs)} as {_kind(ours)}" if _kind(theirs) != _kind(ours) else f"{_kind(ours)} range or detail"
        )
        tally.labels[label] += 1
        found.append(f"{label}: line {line}: remark {_show(theirs)} | crosshead {_show(ours)}")
    return found


def _oracle_facts(blocks: Iterable[tuple[str, int, int, object]], lines: list[str]) -> list[Fact]:
    facts: list[Fact] = []
    for kind, first, last, detail in blocks:
        if kind not in NOT_COMPARED:
            word = (str(detail).split() or [""])[0] if kind in ("heading", "code") else ""
            facts += _per_line(lines, KINDS.get(kind, kind), first, last, word)
    return facts


def _per_line(lines: list[str], kind: str, first: int, last: int, detail: str) -> Iterator[Fact]:
    while last > first and not lines[last - 1].strip():
        last -= 1
    if kind not in LINE_BY_LINE:
        yield Fact(first, last, kind, detail)
        return
    for number in range(first, last + 1):
        if lines[number - 1].strip():
            yield Fact(number, number, kind)


def _lines(path: Path) -> list[str]:
    return corpus.read_text(path).split("\n")


def _by_line(facts: set[Fact]) -> dict[int, Fact]:
    return {fact.start_line: fact for fact in sorted(facts, reverse=True)}


def _kind(fact: Fact | None) -> str:
    return fact.kind if fact else "-"


def _show(fact: Fact | None) -> str:
    return f"{fact.kind} {fact.start_line}-{fact.end_line} {fact.detail}".strip() if fact else "-"


def _print_sample(path: Path, found: list[str]) -> None:
    print(f"{corpus.short_name(path)}: {found[0]}" + (f" (and {len(found) - 1} more)" if len(found) > 1 else ""))
    line = int(found[0].split("line ")[1].split(":")[0])
    first = max(line - 2, 0)
    for number, text in enumerate(_lines(path)[first : first + CONTEXT_LINES], first + 1):
        print(f"  {number:5} {text[:110]!r}")


def _print_tally(tally: Tally) -> None:
    share = 100 / max(tally.documents, 1), 100 / max(tally.blocks, 1)
    print(
        f"{tally.documents:,} documents (remark-mdx refused {tally.refused}): "
        f"{tally.differing} differ ({tally.differing * share[0]:.1f} %); "
        f"{tally.blocks:,} blocks, {tally.missing} missing ({tally.missing * share[1]:.2f} %)"
    )
    for label, number in [*tally.labels.most_common(), *(("set apart: " + k, n) for k, n in tally.apart.items())]:
        print(f"  {number:6,}  {label}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--held-out", action="store_true", help="the documents that the parser was not written against")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="samples to show (default: none)")
    parser.add_argument("--only", metavar="LABEL", help="show only samples of this class of difference")
    arguments = parser.parse_args()

    problem = install_oracle()
    if problem:
        print(problem)
        return 0
    folders = arguments.folders or corpus.mdx_folders(held_out=arguments.held_out)
    paths = corpus.documents(folders, suffixes=(".mdx",))
    tally, shown = Tally(), 0
    for path, expected in oracle_results(paths):
        if expected is None:
            tally.refused += 1
            continue
        found = compare(tally, path, expected)
        samples = [each for each in found if arguments.only is None or each.startswith(f"{arguments.only}:")]
        if samples and shown < arguments.show:
            shown += 1
            _print_sample(path, samples)
    _print_tally(tally)
    return 1 if tally.differing else 0


if __name__ == "__main__":
    sys.exit(main())
