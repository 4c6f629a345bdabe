"""Lines of a paragraph -> one line, with broken words joined."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from crosshead.formats.pdf.page.shapes import SOFT_HYPHEN

_HYPHENS = (SOFT_HYPHEN, "\u00ad")


def join_lines(lines: Iterable[str], vocabulary: Collection[str] = ()) -> str:
    """Join lines; `vocabulary`, the words of the document, shows which broken words have a hyphen."""
    text = ""
    for line in lines:
        dropped, between = seam(text, line, vocabulary)
        text = f"{text[: len(text) - dropped]}{between}{line}"
    return plain(text)


def plain(text: str) -> str:
    """Return the text with plain hyphens for those at which it was not joined."""
    return text.replace(SOFT_HYPHEN, "-").replace("\u00ad", "")


def seam(first: str, second: str, vocabulary: Collection[str] = ()) -> tuple[int, str]:
    """Return how many characters to drop at the end of a line, and what to put before the next one."""
    if not first or not second:
        return 0, ""
    if first.endswith(_HYPHENS) or (first.endswith("-") and first[-2:-1].isalpha() and second[:1].islower()):
        return 1, "-" if _keeps_hyphen(first[:-1], second, vocabulary) else ""
    if first.endswith("-") and first[-2:-1].isdecimal() and second[0].isdecimal():
        return 0, ""
    if _is_unspaced(first[-1]) and _is_unspaced(second[0]):
        return 0, ""
    return 0, " "


def _keeps_hyphen(first: str, second: str, vocabulary: Collection[str]) -> bool:
    if not second[:1].islower() or not first[-1:].isalpha():
        return True
    begin = first[first.rfind(" ") + 1 :].lower().lstrip("(\"'“‘[")
    end = second.split(" ", 1)[0].lower().rstrip(".,;:!?)\"'”’]")
    return f"{begin}{end}" not in vocabulary and f"{begin}-{end}" in vocabulary


def _is_unspaced(character: str) -> bool:
    """Return whether a character is Chinese or Japanese, which have no spaces between words."""
    return "\u3000" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"
