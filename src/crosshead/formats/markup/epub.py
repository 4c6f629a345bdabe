"""EPUB -> Markdown: the documents of the book in reading order, each read as HTML.

A document without a heading gets the title that the table of contents has for it. Notes are footnotes of the whole
book, wherever they stand. Author and description are front matter.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import unquote

from lxml import etree

from crosshead.errors import CorruptFile, EncryptedFile, ExtractError
from crosshead.formats.base import Extracted
from crosshead.formats.markup.html import parse_page, write_pages
from crosshead.formats.shared import gfm
from crosshead.formats.shared.containers.archive import Archive
from crosshead.formats.shared.omissions import PICTURES, RECORDINGS, LeftOut
from crosshead.options import ExtractOptions

CONTAINER: Final = "META-INF/container.xml"
ENCRYPTION: Final = "META-INF/encryption.xml"
_PAGES: Final = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "")
_HEADING = re.compile(r"^#{1,6} ", re.M)
_MARKUP = re.compile(rb"<head\b.*?</head>|<style\b.*?</style>|<[^>]{0,10000}>", re.S | re.I)
_TAG = re.compile(r"<[^<>]{0,1000}>")
_PICTURE = re.compile(r'<img (?![^>]{0,2000}\balt=")|<image ')
_RECORDING = re.compile("<(?:audio|video)[ >]")
_OPF: Final = "{http://www.idpf.org/2007/opf}"


def read_epub(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a book."""
    book = _Book(Archive(data, what="EPUB"))
    pages = dict(_parse_pages(book))
    _count_left_out(pages, book.left_out)
    blocks = []
    for name, text in write_pages(pages, options):
        title = book.titles.get(name, "")
        if text and title and not _HEADING.search(text):
            blocks.append(gfm.heading(1, gfm.escape(title)))
        blocks.append(text)
    if any(blocks):
        blocks.insert(0, gfm.front_matter({"author": book.authors(), "description": book.description()}))
    return Extracted(gfm.join_blocks(blocks), title=book.title, warnings=book.left_out.warnings())


def open_book(data: bytes) -> dict[str, str]:
    """Return the documents of a book that have text, as parsed HTML, by name in reading order."""
    return dict(_parse_pages(_Book(Archive(data, what="EPUB"))))


def _parse_pages(book: _Book) -> Iterator[tuple[str, str]]:
    """Yield the documents that have text, by name."""
    for name in book.spine():
        page = book.archive.read(name)
        if not _MARKUP.sub(b"", page).strip():
            continue
        warnings: list[str] = []
        try:
            yield name, parse_page(page, warnings)
        except ExtractError as error:
            warnings.append(f"{name} is unreadable and left out: {error}")
        book.left_out.warn(*warnings)


def _count_left_out(pages: dict[str, str], left_out: LeftOut) -> None:
    for html in pages.values():
        left_out.add(PICTURES, len(_PICTURE.findall(html)))
        left_out.add(RECORDINGS, len(_RECORDING.findall(html)))


class _Book:
    """The package of a book: what is in it and in which order."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.left_out = LeftOut()
        self.path = self._package_path()
        root = archive.xml(self.path)
        if root is None:
            raise CorruptFile(f"the EPUB file has no part {self.path}: download it again")
        self.root: etree._Element = root
        self.title = " ".join((root.findtext(".//{*}metadata/{*}title") or "").split())
        self.items = {each.get("id"): each for each in root.iterfind("{*}manifest/{*}item")}
        self.titles = dict(self._titles())
        self._refuse_encrypted()

    def authors(self) -> str | list[str]:
        """Return the authors, without illustrators and translators."""
        roles = {each.get("refines"): each.text for each in self.root.iterfind(".//{*}meta[@property='role']")}
        found = [
            " ".join((each.text or "").split())
            for each in self.root.iterfind(".//{*}metadata/{*}creator")
            if (each.get(f"{_OPF}role") or roles.get(f"#{each.get('id')}") or "aut").strip() == "aut"
        ]
        names = [name for name in dict.fromkeys(found) if name]
        return names[0] if len(names) == 1 else names

    def description(self) -> str:
        """Return the description, which is often HTML."""
        text = self.root.findtext(".//{*}metadata/{*}description") or ""
        return " ".join(unescape(_TAG.sub(" ", unescape(text))).split())

    def spine(self) -> Iterator[str]:
        """Yield the names of the documents in reading order."""
        for reference in self.root.iterfind("{*}spine/{*}itemref"):
            item = self.items.get(reference.get("idref"))
            if item is None or (item.get("media-type") or "") not in _PAGES:
                continue
            name = self._resolve(self.path, item.get("href") or "")
            if name not in self.archive:
                self.left_out.warn(f"{name} is missing from the book and left out")
            elif not _is_navigation(item):
                yield name

    def _package_path(self) -> str:
        root = self.archive.xml(CONTAINER)
        found = root.find(".//{*}rootfile") if root is not None else None
        if found is not None and found.get("full-path"):
            return found.get("full-path") or ""
        packages = [name for name in self.archive.names if name.lower().endswith(".opf")]
        if not packages:
            raise CorruptFile("not an EPUB file, because it does not name its contents: download it again")
        return packages[0]

    def _titles(self) -> Iterator[tuple[str, str]]:
        """Yield the titles of documents, of the older table of contents first, so that the newer one wins."""
        for item in sorted(self.items.values(), key=_is_navigation):
            name, is_new = self._resolve(self.path, item.get("href") or ""), _is_navigation(item)
            if not is_new and item.get("media-type") != "application/x-dtbncx+xml":
                continue
            try:
                root = self.archive.xml(name)
            except CorruptFile as error:
                self.left_out.warn(f"the table of contents is left out: {error}")
                continue
            if root is not None:
                yield from self._new_titles(name, root) if is_new else self._old_titles(name, root)

    def _new_titles(self, name: str, root: etree._Element) -> Iterator[tuple[str, str]]:
        for link in reversed(root.findall(".//{*}nav//{*}a")):  # the first link to a document names it
            yield self._resolve(name, link.get("href") or ""), " ".join("".join(link.itertext()).split())

    def _old_titles(self, name: str, root: etree._Element) -> Iterator[tuple[str, str]]:
        for point in reversed(root.findall(".//{*}navPoint")):
            content = point.find("{*}content")
            if content is not None:
                text = point.findtext("{*}navLabel/{*}text") or ""
                yield self._resolve(name, content.get("src") or ""), " ".join(text.split())

    def _resolve(self, base: str, target: str) -> str:
        path = unquote(target.partition("#")[0])
        return posixpath.normpath(posixpath.join("/", posixpath.dirname(base), path)).lstrip("/")

    def _refuse_encrypted(self) -> None:
        """Fonts are often scrambled, which does no harm; a document that is encrypted cannot be read."""
        root = self.archive.xml(ENCRYPTION)
        if root is None:
            return
        hidden = {unquote(each.get("URI") or "") for each in root.iter("{*}CipherReference")}
        if hidden & set(self.spine()):
            raise EncryptedFile("the book is copy-protected (DRM): only its own reading app can open it")


def _is_navigation(item: etree._Element) -> bool:
    return "nav" in (item.get("properties") or "").split()
