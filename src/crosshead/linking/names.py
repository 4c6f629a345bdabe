"""What documents are called in links, so that a store finds both ends by name.

`page:docs/guide` is the name of `docs/guide.md`, `docs/guide/index.md` and `docs/guide.html`: a link may leave out the
ending, the last slash or the index. `label:install` is a label of reStructuredText, MyST or AsciiDoc, `wiki:guide` the
title or file name in a wiki link. A link has a name for every document that it may lead to; `resolving` then decides.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from crosshead.types import Link, StoredLink

ENDINGS: Final = (
    ".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".html", ".htm", ".xhtml", ".ipynb", ".txt", ".org",
    ".tex", ".docx", ".odt", ".rtf", ".pdf", ".pptx", ".epub", ".qmd", ".rmd",
)  # fmt: skip
"""Of documents that links name without them."""
PAGES: Final = (".html", ".htm", ".xhtml")
"""Endings that a site gives its pages, whatever format they are written in."""
MARKDOWN: Final = (".md", ".mdx")
INDEXES: Final = ("index", "readme", "_index")
MAX_DEPTH: Final = 12
"""Folders above a document that may be the root of its site."""

_NUMBER = re.compile(r"(?:^|(?<=/))\d+\s*[-_.]+\s*(?=[^\s\d/-])")
"""Of a file that a site sorts by it and does not show."""
_BETWEEN_WORDS = re.compile(r"[\s_-]+")
_ANTORA = re.compile(r"((?:.*/)?modules/)([^/]+)/pages/")
_RESOURCE = re.compile(
    r"(?:[\w.-]*@)?(?:(?P<component>[\w.-]+):)?(?:(?P<module>[\w.-]*):)?(?P<family>\w+\$)?(?P<page>[^:$]+)$"
)


class LinkTarget(NamedTuple):
    """A target, taken apart."""

    path: str
    """Decoded; empty for a place in the same document."""
    anchor: str

    @property
    def ending(self) -> str:
        """The ending of the file name, if it is one of documents."""
        return ending_of(self.path)


@lru_cache(maxsize=1024)
def parse_target(target: str) -> LinkTarget:
    """Take a target apart, as written: `../a%20b.md?plain=1#c`."""
    path, _, anchor = target.partition("#")
    path = path.partition("?")[0].removeprefix("project:").removeprefix("path:").removeprefix("@site")
    return LinkTarget(_decoded(path).replace("\\", "/"), _decoded(anchor))


def names_of_link(link: Link | StoredLink, source: str) -> tuple[str, ...]:
    """Return the names that a link of a document may mean; none for a place in the same document."""
    if link.kind == "label":
        return label_name(link.target), title_name(link.target)
    target = parse_target(link.target)
    if link.kind == "wiki":
        return (wiki_name(target.path),) if target.path else ()
    names = dict.fromkeys(page_name(path) for path in (*paths_of(link, source), *paths_above(link, source)))
    return (*names, label_name(link.target)) if may_be_label(link.target) else tuple(names)


def paths_of(link: Link | StoredLink, source: str) -> Iterator[str]:
    """Yield the paths that a link may mean, relative to the root, the likeliest first."""
    path = parse_target(link.target).path
    return doc_paths(path, source) if link.kind == "page" else page_paths(path, source)


def paths_above(link: Link | StoredLink, source: str) -> Iterator[str]:
    """Yield the paths that Docusaurus looks for as well: `guide.mdx` also below the folders around a document."""
    path = parse_target(link.target).path
    if link.kind == "path" and path[:1] not in (".", "/", "") and ending_of(path) in MARKDOWN:
        yield from islice(_below_any(path, posixpath.dirname(source)), 1, None)


def may_be_label(target: str) -> bool:
    """Return whether a target may be a label, as MyST lets a link name it: `[text](label)`."""
    return target[0] not in "./#" and "#" not in target and not ending_of(target) and not target.endswith("/")


def page_paths(path: str, source: str) -> Iterator[str]:
    """Yield the paths that a path in a document may mean, relative to the root; those outside begin with `..`."""
    if not path:
        return
    folder = posixpath.dirname(source)
    if path.startswith("/"):
        yield from _below_any(path, folder)
        prefix, _, rest = path.strip("/").partition("/")
        if prefix and rest:  # a site may show its documents below a path that is no folder
            yield from _below_any(rest, folder)
        return
    if antora := _ANTORA.match(source):
        yield from _antora_paths(path, antora)
    yield _join(folder, path)
    if not ending_of(path):  # sites show a page as a folder, and links that they do not change start from there
        name = posixpath.basename(source)
        if name.partition(".")[0].lower() not in INDEXES:
            yield _join(_bare(source), path)


def doc_paths(path: str, source: str) -> Iterator[str]:
    """Yield the paths that `:doc:` may mean."""
    folder = posixpath.dirname(source)
    yield from _below_any(path, folder) if path.startswith("/") else (_join(folder, path),)


def names_of_document(
    source: str,
    front_matter: Mapping[str, Any],
    labels: Iterable[str],
    title: str = "",
    headings: Iterable[str] = (),
) -> tuple[str, ...]:
    """Return the names of a document: of its path, those that its front matter gives it, its labels and its headings,
    if they may serve as labels."""
    source = _normal(source)
    folder, bare = posixpath.dirname(source), _bare(source)
    paths = [source, _join(folder, _NUMBER.sub("", posixpath.basename(source))), _NUMBER.sub("", source)]
    for each in _texts(front_matter, "slug", "id", "permalink", "redirect_from", "aliases"):
        paths += _below_any(each, folder) if each.startswith("/") else [_join(folder, each)]
        if not each.startswith("/"):
            paths.append(_join(_NUMBER.sub("", folder), each))
    wiki = [posixpath.basename(_page(source)) or posixpath.basename(bare), posixpath.basename(bare), title]
    wiki += _texts(front_matter, "aliases", "title")
    names = [
        *map(page_name, paths),
        *(wiki_name(each) for each in wiki if each),
        *map(label_name, labels),
        *map(title_name, headings),
    ]
    return tuple(dict.fromkeys(names))


def page_name(path: str) -> str:
    """Return the name of a page by its path."""
    return f"page:{_page(_normal(path))}"


def wiki_name(title: str) -> str:
    """Return the name of a page in wiki links, which ignore case, folders and the sign between words."""
    bare = _bare(title.rstrip("/")).rpartition("/")[2]
    return f"wiki:{_BETWEEN_WORDS.sub(' ', _normal(bare).casefold()).strip()}"


def label_name(label: str) -> str:
    """Return the name of a label."""
    return f"label:{' '.join(label.split()).lower()}"


def title_name(label: str) -> str:
    """Return the name of a section of reStructuredText by its title, before which a label may have its document."""
    return f"title:{' '.join(label.rpartition(':')[2].split()).lower()}"


def ending_of(path: str) -> str:
    """Return the ending of a file name, if it is one of documents."""
    dot = path.rfind(".")  # `splitext` takes five times as long
    ending = path[dot:].lower() if dot >= 0 else ""
    return ending if ending in ENDINGS else ""


def leaves_root(path: str) -> bool:
    """Return whether a path, relative to the root, leads out of it."""
    return path == ".." or path.startswith("../")


def _page(path: str) -> str:
    """Return a path without its ending and its index."""
    bare = _bare(path).rstrip("/")
    folder, _, last = bare.rpartition("/")
    return folder if last.lower() in INDEXES else bare


def _bare(path: str) -> str:
    ending = ending_of(path)
    return path[: -len(ending)] if ending else path


def _below_any(path: str, folder: str) -> Iterator[str]:
    """Yield a path from the root of the site, below every folder that may be that root, the nearest first."""
    parts = folder.split("/") if folder else []
    for depth in range(min(len(parts), MAX_DEPTH), -1, -1):
        yield _join("/".join(parts[:depth]), path.lstrip("/") or ".")


def _antora_paths(path: str, antora: re.Match[str]) -> Iterator[str]:
    """Yield the path of a page of Antora: `page.adoc`, `module:page.adoc` or `component:module:page.adoc`."""
    found = _RESOURCE.match(path)
    if not found or not path.lower().endswith((".adoc", ".asciidoc")) or path.startswith("."):
        return
    module = found["module"] if found["module"] is not None else found["component"]
    yield _join(f"{antora[1]}{module or antora[2]}/pages", found["page"])


def _join(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined


def _texts(front_matter: Mapping[str, Any], *names: str) -> list[str]:
    found: list[str] = []
    for name in names:
        value = front_matter.get(name)
        found += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str) and each]
    return found[:100]


def _decoded(text: str) -> str:
    return _normal(unquote(text) if "%" in text else text)


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
