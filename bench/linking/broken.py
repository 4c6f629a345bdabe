"""Which broken links of real documentation does `crosshead links --broken` find, and which right ones does it report?

usage: python -m bench.linking.broken [--targets N] [--seed N] [--list] [--held-out] [FOLDER ...]

Takes the repositories of repositories.toml with pip and npm (or your folders), and plants faults in a copy: half of the
targets are files, which are renamed, half are headings and labels, which get other words. Which links this breaks is
known without Crosshead: markdown-it-py reads those of Markdown, patterns those of reStructuredText and AsciiDoc; paths
with an ending, `:doc:` and labels count. Prints per repository:

    planted     links that the faults break
    found       of these, those that are reported, at their line
    false       links that are reported although neither the faults nor the originals explain it
    original    links that are reported before any fault: --list prints them, for a person to judge

and the CPU time of a check. Exit code 1 if a planted fault is not found or a link is reported falsely.
"""

from __future__ import annotations

import argparse
import posixpath
import random
import re
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from bench.lib import corpus
from markdown_it import MarkdownIt

from crosshead import Index
from crosshead.ids import document_id
from crosshead.types import DocumentLinks, LinkReport, ResolvedLink

T = TypeVar("T")
MANIFEST = Path(__file__).with_name("repositories.toml")
KEPT = corpus.CACHE / "links"
DOCUMENTS = (".md", ".mdx", ".rst", ".txt", ".adoc", ".html", ".ipynb")
SETTINGS = ("conf.py", "mkdocs.yml", "book.toml")
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})

_ROLE = re.compile(r"(?<![\w`]):(ref|doc):`(?:[^`<>]*<)?([^`<>]+)>?`")
_XREF = re.compile(r"(?:xref:|link:)([^\s\[\]]+\.(?:adoc|txt|html))(#[^\s\[\]]*)?\[")
_LITERAL = re.compile(r"^( *)(?:\.\. (?:code|code-block|sourcecode|literalinclude|parsed-literal)::|[^.\s].*::$|::$)")


class Mention(NamedTuple):
    """A link as another reader sees it."""

    source: str
    line: int
    target: str
    """As written."""
    to: str
    """The path or `label:NAME` that it leads to."""
    anchor: str = ""


class Row(NamedTuple):
    """What was measured on one repository."""

    name: str
    documents: int
    links: int
    targets: int
    planted: int
    found: int
    false: int
    original: int
    seconds: float


def mentions(root: Path) -> Iterator[Mention]:
    """Yield the links that are surely links, and surely lead to a file or label."""
    for path in corpus.documents([root], (".md", ".rst", ".adoc")):
        source = path.relative_to(root).as_posix()
        text = corpus.read_text(path)
        if path.suffix == ".md":
            yield from _of_markdown(source, text)
        elif path.suffix == ".rst":
            yield from _of_rst(source, text)
        else:
            for number, line in enumerate(text.split("\n"), 1):
                for found in _XREF.finditer(line):
                    yield _to_path(source, number, found[1] + (found[2] or ""))


def _of_markdown(source: str, text: str) -> Iterator[Mention]:
    """Links of inline tokens; their line is that of the block and the line breaks before them."""
    hidden = re.match(r"---\n.*?\n---\n", text, re.S)
    skipped = hidden[0].count("\n") if hidden else 0
    body = text[hidden.end() :] if hidden else text
    for token in MARKDOWN.parse(body):
        if token.type != "inline" or not token.map:
            continue
        line = token.map[0] + 1 + skipped
        for child in token.children or []:
            line += child.type in ("softbreak", "hardbreak")
            href = str(child.attrGet("href") or "") if child.type == "link_open" else ""
            if re.match(r"(?![a-z]+:|//|/)[^#?]*\.(?:md|rst|adoc)(?:#|$)", href):
                yield _to_path(source, line, unquote(href))


def _of_rst(source: str, text: str) -> Iterator[Mention]:
    margin: int | None = None
    for number, line in enumerate(text.split("\n"), 1):
        indent = len(line) - len(line.lstrip())
        if margin is not None and line.strip() and indent <= margin:
            margin = None
        if margin is None and (literal := _LITERAL.match(line)):
            margin = len(literal[1])
        if margin is not None and indent > margin:
            continue
        for found in _ROLE.finditer(line):
            if found[1] == "ref":
                yield Mention(source, number, found[2], f"label:{' '.join(found[2].split()).lower()}")
            elif not found[2].startswith("/"):
                yield Mention(source, number, found[2], _joined(source, f"{found[2]}.rst"))


def _to_path(source: str, line: int, target: str) -> Mention:
    path, _, anchor = target.partition("#")
    return Mention(source, line, target, _joined(source, path), anchor)


def _joined(source: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path))


# ------------------------------------------------------------------ faults


class Faults:
    """Faults in a copy of a repository, and the links that they break."""

    def __init__(
        self, root: Path, seen: Sequence[Mention], read: Sequence[DocumentLinks], chance: random.Random
    ) -> None:
        self.root = root
        self.moved: dict[str, str] = {}
        self.broken: list[Mention] = []
        self.spoiled: set[tuple[str, str]] = set()
        """Documents with the names of anchors that they no longer have; "" for the whole document."""
        self._read = {each.source: each for each in read}
        self._chance = chance
        self._by_file: defaultdict[str, list[Mention]] = defaultdict(list)
        self._by_anchor: defaultdict[tuple[str, str], list[Mention]] = defaultdict(list)
        for each in seen:
            if each.anchor or each.to.startswith("label:"):
                self._by_anchor[each.to, each.anchor].append(each)
            if not each.to.startswith("label:") and (root / each.to).is_file():
                self._by_file[each.to].append(each)

    def plant(self, count: int) -> int:
        """Plant up to this many faults, half of each kind; return how many there are."""
        anchors = sorted(self._by_anchor)
        self._chance.shuffle(anchors)
        changed = _take(anchors, count - count // 2, self._change_anchor)
        files = sorted(path for path in self._by_file if not any(path == source for source, _ in self.spoiled))
        self._chance.shuffle(files)
        moved = _take(files, count - changed, self._move)
        self.broken = [
            each for each in dict.fromkeys(self.broken) if each.to not in self.moved or each.anchor is not None
        ]
        return changed + moved

    def _move(self, path: str) -> bool:
        new = str(PurePosixPath(path).with_stem(f"{PurePosixPath(path).stem}-zq7"))
        (self.root / path).rename(self.root / new)
        self.moved[path] = new
        self.spoiled.add((path, ""))
        self.broken += self._by_file[path]
        return True

    def _change_anchor(self, target: tuple[str, str]) -> bool:
        """Change the heading or label that an anchor names, if it is the only one of its name."""
        to, anchor = target
        if to.startswith("label:"):
            name = to.removeprefix("label:")
            homes = [
                each for each in self._read.values() if any(a.kind == "label" and a.name == name for a in each.anchors)
            ]
            pattern = rf"^(\s*\.\. _`?){re.escape(name)}(`?:\s*)$"
        else:
            homes = [self._read[to]] if to in self._read else []
            titles = [a.name for each in homes for a in each.anchors if a.kind == "heading"]
            slugs = Counter(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles)
            is_id = any(
                a.kind != "heading" and a.name.lower() == anchor.lower() for each in homes for a in each.anchors
            )
            if is_id or slugs[anchor] != 1 or any(re.fullmatch(rf"{re.escape(anchor)}-\d+", slug) for slug in slugs):
                return False
            title = next(t for t in titles if re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") == anchor)
            pattern = rf"^(#{{1,6}}[ \t]+){re.escape(title)}(\s*)$"
            name = title
        if len(homes) != 1:
            return False
        path = self.root / homes[0].source
        text = path.read_text("utf-8")
        new, changes = re.subn(pattern, lambda found: f"{found[1]}{name} zq7{found[2]}", text, flags=re.M | re.I)
        if changes != 1:
            return False
        path.write_text(new, "utf-8")
        self.spoiled.add((homes[0].source, name if to.startswith("label:") else anchor))
        self.broken += self._by_anchor[target]
        return True


def _take(values: Sequence[T], count: int, work: Callable[[T], bool]) -> int:
    """Work on values until it has succeeded often enough; return how often it has."""
    taken = 0
    for value in values:
        taken += taken < count and work(value)
    return taken


# ------------------------------------------------------------------ measuring


def measure(name: str, root: Path, folder: str, count: int, seed: int, *, lists: bool) -> Row:
    """Plant faults in a copy of a repository and check its links before and after."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, "copy")
        shutil.copytree(root, copy)
        docs = copy / folder
        before, read, _ = check(copy, docs, Path(scratch, "index"))
        original = {(each.source, each.target) for each in before.broken}
        if lists:
            for each in before.broken:
                print(f"  {name}/{each.citation}: {each.target}: {each.problem}")
        prefix = f"{folder}/" if folder else ""
        seen = [
            each._replace(source=prefix + each.source, to=each.to if ":" in each.to else prefix + each.to)
            for each in mentions(docs)
        ]
        seen = [each for each in seen if (each.source, each.target) not in original]
        faults = Faults(copy, seen, read, random.Random(seed))
        targets = faults.plant(count)
        after, _, seconds = check(copy, docs, Path(scratch, "index2"))
        reported = {(each.source, each.target): each for each in after.broken}
        lines = {(each.source, _line_of(each.citation), unquote(each.target)) for each in after.broken}
        expected = {(faults.moved.get(each.source, each.source), each.line, each.target) for each in faults.broken}
        missed = expected - lines
        false = [
            each
            for key, each in reported.items()
            if _origin(key, faults.moved) not in original and not _explained(each, faults, expected)
        ]
        for source, line, target in sorted(missed):
            print(f"  missed: {name}/{source}:{line}: {target}")
        for each in false:
            print(f"  false: {name}/{each.citation}: {each.target}: {each.problem}")
        return Row(name, after.documents, after.links, targets, len(expected), len(expected) - len(missed), len(false),
                   len(before.broken), seconds)  # fmt: skip


def check(root: Path, docs: Path, location: Path) -> tuple[LinkReport, list[DocumentLinks], float]:
    """Index the documents and check their links; return the report, all links, and the CPU seconds of the check."""
    with Index(location, root=root, embedder="static") as index:
        index.add(docs, embed=False, prune=False)
        began = time.process_time()
        report = index.check_links()
        seconds = time.process_time() - began
        ids = [*map(document_id, index.sources())]
        return report, index._store.document_links(ids), seconds


def _line_of(citation: str) -> int:
    found = re.search(r":(\d+)(?:-\d+)?$", citation)
    return int(found[1]) if found else 0


def _origin(key: tuple[str, str], moved: dict[str, str]) -> tuple[str, str]:
    back = {new: old for old, new in moved.items()}
    return back.get(key[0], key[0]), key[1]


def _explained(each: ResolvedLink, faults: Faults, expected: set[tuple[str, int, str]]) -> bool:
    """Return whether a planted fault explains a report: what it names was renamed."""
    if (each.source, _line_of(each.citation), unquote(each.target)) in expected:
        return True
    if each.kind == "label":
        return any(name == " ".join(each.target.split()).lower() for _, name in faults.spoiled)
    named = posixpath.splitext(each.to_source)[0]
    ways = (named, f"{named}/index", f"{named}/README")
    is_moved = any(posixpath.splitext(path)[0].endswith(ways) for path in faults.moved)
    return is_moved or any(each.anchor.lower() == name.lower() for _, name in faults.spoiled if name)


def repositories(*, held_out: bool) -> Iterator[tuple[str, Path, str]]:
    """Yield the repositories with the folders of their documents; fetched first if they are not there."""
    manifest = tomllib.loads(MANIFEST.read_text("utf-8"))
    for registry in ("pypi", "npm"):
        for entry in manifest[registry]:
            if entry.get("held_out", False) is held_out:
                package = corpus.Package(registry, entry["name"], entry["version"])  # type: ignore[arg-type]
                target = KEPT / package.name.removeprefix("@").replace("/", "__")
                if not (target / corpus.STAMP).is_file() and (error := _fetch(package, target)):
                    print(f"{package.name}: {error}")
                    continue
                yield package.name, target, entry["folder"]


def _fetch(package: corpus.Package, target: Path) -> str | None:
    """Unpack a package: documents and settings of sites as they are, everything else as empty files."""
    with tempfile.TemporaryDirectory() as scratch:
        error = corpus.download(package, Path(scratch))
        archive = next(Path(scratch).iterdir(), None)
        if error or archive is None:
            return error or "nothing was downloaded"
        for raw, size, read in corpus._entries(archive):
            inside = PurePosixPath(*PurePosixPath(raw).parts[1:])
            if not inside.parts or ".." in inside.parts or size > corpus.MAX_FILE_BYTES:
                continue
            path = target.joinpath(*inside.parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            is_kept = path.suffix in DOCUMENTS or path.name in SETTINGS or path.name.startswith("docusaurus.config")
            path.write_bytes(read() if is_kept else b"")
    (target / corpus.STAMP).write_text(package.stamp, "utf-8")
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, help="folders of documents, instead of the repositories")
    parser.add_argument("--targets", type=int, default=200, help="targets to remove, in all (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="the repositories that nothing was chosen on")
    parser.add_argument("--list", action="store_true", help="print the links that are broken before any fault")
    arguments = parser.parse_args()

    chosen = [(path.name, path, "") for path in arguments.folders] or [*repositories(held_out=arguments.held_out)]
    each = -(-arguments.targets // max(1, len(chosen)))
    rows: list[Row] = []
    for name, root, folder in chosen:
        rows.append(measure(name, root, folder, each, arguments.seed, lists=arguments.list))
        print(f"  {name}: {rows[-1]}", file=sys.stderr, flush=True)
    print_table(rows)
    return 1 if any(row.false or row.found < row.planted for row in rows) else 0


def print_table(rows: Sequence[Row]) -> None:
    """Print a Markdown table with a row for all."""
    numbers = zip(*(row[1:] for row in rows), strict=True)
    total = Row("all", *(sum(column) for column in numbers))
    print(
        "| repository | documents | links | targets | planted | found | false | original | CPU s per 1,000 documents |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in (*rows, total):
        speed = 1000 * row.seconds / max(1, row.documents)
        print(f"| {row.name} | {' | '.join(f'{each:,}' for each in row[1:-1])} | {speed:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
