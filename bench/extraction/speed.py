"""Measure extraction: speed against other converters, format by format.

usage: python -m bench.extraction.speed [--rounds N] [--seconds N] [--only FORMAT] FOLDER ...

Reads the documents below the folders and prints a Markdown table for every format. Times are CPU time of this process,
the contestants taking turns on every document; of all rounds the fastest counts. Read ratios, not absolute figures.
A converter that is not installed is left out, and so is a format that Crosshead does not read. One that needs more than
--seconds for its first round runs no other. The peers live in an environment of their own: bench/constraints.txt.
"""

from __future__ import annotations

import argparse
import gc
import logging
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from bench.chunking.chunkers import installed_version

import crosshead
from crosshead.errors import UnsupportedFormat
from crosshead.formats.registry import format_of, get_format

Converter = Callable[[bytes], str]


class Peer(NamedTuple):
    """Another converter: the formats that it reads, and what makes it ready for one of them."""

    title: str
    package: str
    formats: tuple[str, ...]
    make: Callable[[str], Converter]


class Contestant(NamedTuple):
    title: str
    version: str
    convert: Converter


class Result(NamedTuple):
    seconds: dict[int, float]
    """The fastest time for each document that was converted, by its number."""
    errors: int


def decode(data: bytes) -> str:
    """What a caller does before a function that takes text only."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def html_to_markdown(_format: str) -> Converter:
    from html_to_markdown import convert

    return lambda data: convert(decode(data)).content or ""


def markdownify(_format: str) -> Converter:
    from markdownify import markdownify as convert

    return lambda data: str(convert(decode(data), heading_style="ATX", strip=["script", "style"]))


def html2text(_format: str) -> Converter:
    from html2text import HTML2Text

    def convert(data: bytes) -> str:
        reader = HTML2Text()
        reader.body_width = 0
        return str(reader.handle(decode(data)))

    return convert


def markitdown(format: str) -> Converter:
    from markitdown import MarkItDown, StreamInfo

    reader, info = MarkItDown(), StreamInfo(extension=f".{format}")
    return lambda data: str(reader.convert_stream(BytesIO(data), stream_info=info).text_content)


def mammoth(_format: str) -> Converter:
    from mammoth import convert_to_markdown

    return lambda data: str(convert_to_markdown(BytesIO(data)).value)


def docx2md(_format: str) -> Converter:
    from tempfile import NamedTemporaryFile

    from docx2md import do_convert

    def convert(data: bytes) -> str:
        with NamedTemporaryFile(suffix=".docx") as file:
            file.write(data)
            file.flush()
            return str(do_convert(file.name, use_md_table=True))

    return convert


def pdfminer(_format: str) -> Converter:
    from pdfminer.high_level import extract_text

    return lambda data: str(extract_text(BytesIO(data)))


def liteparse(_format: str) -> Converter:
    from liteparse import LiteParse

    reader = LiteParse(ocr_enabled=False, output_format="markdown", quiet=True)
    return lambda data: str(reader.parse(data).text)


PEERS = (
    Peer("html-to-markdown", "html-to-markdown", ("html",), html_to_markdown),
    Peer("markdownify", "markdownify", ("html",), markdownify),
    Peer("html2text", "html2text", ("html",), html2text),
    Peer("markitdown", "markitdown", ("html", "docx", "pdf", "pptx", "xlsx", "epub", "ipynb", "csv"), markitdown),
    Peer("mammoth", "mammoth", ("docx",), mammoth),
    Peer("docx2md", "docx2md", ("docx",), docx2md),
    Peer("pdfminer.six", "pdfminer.six", ("pdf",), pdfminer),
    Peer("liteparse", "liteparse", ("pdf",), liteparse),
)


def find_documents(folders: Iterable[Path]) -> dict[str, list[bytes]]:
    """The files below the folders that Crosshead converts, by format."""
    found: defaultdict[str, list[bytes]] = defaultdict(list)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            try:
                format = format_of(path.name)
            except UnsupportedFormat:
                continue
            if path.is_file() and format not in ("markdown", "mdx"):
                found[format].append(path.read_bytes())
    return found


def contestants(format: str) -> list[Contestant]:
    """Crosshead, and the peers that are installed."""
    found = [Contestant("crosshead", installed_version("crosshead"), lambda data: crosshead.extract(data, format))]
    get_format(format).load_reader()
    for peer in PEERS:
        if format not in peer.formats:
            continue
        try:
            convert = peer.make(format)
        except ImportError:
            print(f"not installed: {peer.title}")
            continue
        found.append(Contestant(peer.title, installed_version(peer.package), convert))
    return found


def measure(documents: Sequence[bytes], found: list[Contestant], *, rounds: int, seconds: float) -> list[Result]:
    """Let the contestants take turns on every document."""
    results = [Result({}, 0) for _ in found]
    for contestant in found:
        _run(contestant, min(documents, key=len))  # what is loaded once is not counted
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        running = [number == 0 or sum(result.seconds.values()) <= seconds for result in results]
        for index, document in enumerate(documents):
            for place, contestant in enumerate(found):
                if running[place]:
                    results[place] = _add_time(results[place], index, _run(contestant, document))
    return results


def _run(contestant: Contestant, document: bytes) -> float | None:
    started = time.process_time()
    try:
        contestant.convert(document)
    except Exception:  # other people's converters raise what they like
        return None
    return time.process_time() - started


def _add_time(result: Result, index: int, seconds: float | None) -> Result:
    if seconds is None:
        return result._replace(errors=result.errors + 1)
    result.seconds[index] = min(seconds, result.seconds.get(index, seconds))
    return result


def print_table(format: str, documents: Sequence[bytes], found: list[Contestant], results: list[Result]) -> None:
    """Speed, and how much faster Crosshead is on the documents that both could convert."""
    megabytes = sum(map(len, documents)) / 1e6
    print(f"\n{format}: {len(documents):,} documents, {megabytes:.1f} MB\n")
    print("| converter | version | MB per CPU s | crosshead is faster by | not converted |\n|---|---|---|---|---|")
    own = results[0].seconds
    for contestant, result in zip(found, results, strict=True):
        size = sum(len(documents[index]) for index in result.seconds) / 1e6
        shared = own.keys() & result.seconds.keys()
        speed = size / max(sum(result.seconds.values()), 1e-9)
        ratio = sum(result.seconds[index] for index in shared) / max(sum(own[index] for index in shared), 1e-9)
        failed = len(documents) - len(result.seconds)
        print(f"| {contestant.title} | {contestant.version} | {speed:.2f} | {ratio:.2f} | {failed} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", metavar="FORMAT")
    given = parser.parse_args()
    logging.disable(logging.WARNING)  # notes about odd documents
    warnings.simplefilter("ignore")
    documents = find_documents(given.folders)
    for format in sorted(documents):
        if given.only in (None, format):
            found = contestants(format)
            results = measure(documents[format], found, rounds=given.rounds, seconds=given.seconds)
            print_table(format, documents[format], found, results)


if __name__ == "__main__":
    main()
