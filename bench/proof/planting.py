"""Answer sentences from passages of documents: right ones, as an assistant may write them, and ones with a fault.

Knows nothing of how Crosshead compares: it has its own patterns, and leaves out a fault that the cited text hides, such
as a wrong number that happens to be in it as well.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
}
OPENINGS = {
    "en": ["According to the documentation, ", "As described there, ", "In short: "],
    "de": ["Laut der Dokumentation gilt: ", "Kurz gesagt: "],
    "fr": ["Selon la documentation : ", "En bref : "],
    "es": ["Según la documentación: ", "En resumen: "],
    "ru": ["Согласно документации: ", "Коротко: "],
}
UNITS = {
    "seconds": "minutes", "minutes": "hours", "hours": "days", "days": "weeks", "weeks": "months", "months": "years",
    "years": "months", "bytes": "kilobytes", "KB": "MB", "MB": "GB", "GB": "TB", "KiB": "MiB", "MiB": "GiB", "kB": "MB",
    "ms": "s", "%": " ms", "Sekunden": "Minuten", "Minuten": "Stunden", "Stunden": "Tage", "Tage": "Wochen",
    "Tagen": "Wochen", "Wochen": "Monate", "Jahre": "Monate", "secondes": "minutes", "heures": "jours", "jours": "mois",
    "segundos": "minutos", "minutos": "horas", "horas": "días", "días": "semanas", "секунд": "минут", "минут": "часов",
    "дней": "недель", "часов": "дней", "秒": "分", "分": "時間", "日間": "週間", "年間": "日間",
}  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.,:/#-])\d+(?:[.,]\d+)*(?![\w./:-])(?![.,]\d)")
_YEAR = re.compile(r"(?<![\w.,:/#-])(?:19|20)\d\d(?![\w:/-]|[.,]\d)")
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)")
_NAME = re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-Þ][a-zà-ÿ]{3,}\b")
_CAPITALS = re.compile(r"(?<![\w-])[A-Z]{3,6}(?![\w-])")
_INSIDE_NAME = re.compile(r"(?<=[a-zа-яё,] )[А-ЯЁ][а-яё]{3,}\b")
_WORD = re.compile(r"[^\W\d_]{5,}")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-ÞА-ЯЁ¿¡«„])|(?<=[。！？])")
_NOT_PROSE = re.compile(r"[|<>{}\[\]\\=*`\"“”«»„「」_~^]|https?:|\.\.\.|…")
_CLAUSE = re.compile(r"(?<=\w), (?=(?:and|but|or|so|which|because|und|oder|aber|et|ou|mais|y|o|pero|и|но|а)\b)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)")


class Passage(NamedTuple):
    """A section of a document, as an answer cites it."""

    set: str
    source: str
    language: str
    start: int
    end: int
    text: str
    document: str


class Planted(NamedTuple):
    """A sentence of an answer, and what is wrong with it."""

    kind: str
    text: str
    passage: Passage
    """What the answer cites."""
    is_right: bool
    later: str = ""
    """A later version of the document, if the fault is that it has changed."""


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences of plain prose in Markdown: without code, links, tables and quotation marks."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)", text):
        if re.match(r"\s*(?:#|\||>|[-*+]\s|\d+[.)]\s|:|\.|=|    )", paragraph):
            continue
        plain = " ".join(re.sub(r"\*\*|`", "", _LINK.sub(r"\1", paragraph)).split())
        for sentence in _SENTENCE_END.split(plain):
            words = len(sentence) / 2 if re.search("[぀-ヿ一-鿿]", sentence) else len(sentence.split())
            if 7 <= words <= 40 and not _NOT_PROSE.search(sentence) and sentence[-1:] in ".!?。！？":
                yield sentence.strip()


# ---------------------------------------------------------------------- right sentences


def cited(sentence: str, n: str = "[1]") -> str:
    """Put a citation before the full stop."""
    return f"{sentence[:-1]} {n}{sentence[-1]}" if sentence[-1] in ".!?" else f"{sentence[:-1]}{n}{sentence[-1]}"


def verbatim(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    return sentence


def opened(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    openings = OPENINGS.get(passage.language)
    return openings and chance.choice(openings) + sentence[0].lower() + sentence[1:]  # type: ignore[return-value]


def reordered(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    parts = sentence[:-1].split(", ")
    if len(parts) != 2 or min(map(len, parts)) < 15 or passage.language == "de":
        return None
    first, second = parts
    return f"{second[0].upper()}{second[1:]}, {first[0].lower()}{first[1:]}{sentence[-1]}"


def shortened(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    cut = _CLAUSE.search(sentence)
    return f"{sentence[: cut.start()]}." if cut and cut.start() > 40 else None


def quoted(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    words = sentence[:-1].split()
    if len(words) < 9:
        return None
    part = " ".join(words[:-2])
    marks = {"de": "„“", "fr": "«»", "es": "«»", "ru": "«»"}.get(passage.language, '""')
    lead = {"de": "Dort steht", "fr": "Il est écrit", "es": "El texto dice", "ru": "Там сказано"}.get(
        passage.language, "The text says"
    )
    return f"{lead}: {marks[0]}{part}{marks[1]}."


def regrouped(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    """Write a number with other separators, in the notation of the language."""
    for found in _NUMBER.finditer(sentence):
        token = found[0]
        if re.fullmatch(r"\d{4,7}", token) and not _YEAR.fullmatch(token):
            mark = {"de": ".", "es": ".", "fr": "\u202f", "ru": "\u00a0"}.get(passage.language, ",")
            new = f"{int(token):,}".replace(",", mark)
        elif re.fullmatch(r"\d{1,3}(?:,\d{3})+", token) and passage.language == "en":
            new = token.replace(",", chance.choice(["", "\u202f"]))
        elif re.fullmatch(r"\d+\.\d{1,2}", token) and passage.language in ("de", "fr", "es"):
            new = token.replace(".", ",")
        else:
            continue
        return sentence[: found.start()] + new + sentence[found.end() :]
    return None


def redated(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    """Write a date in words, or a date in words as digits."""
    months = MONTHS.get(passage.language)
    if not months:
        return None
    if found := _ISO.search(sentence):
        year, month, day = (int(each) for each in found.groups())
        of = {"de": ". ", "es": " de "}.get(passage.language, " ")
        new = f"{day}{of}{months[month - 1]}{' de ' if passage.language == 'es' else ' '}{year}"
        return sentence[: found.start()] + new + sentence[found.end() :]
    names = "|".join(months)
    if found := re.search(rf"\b({names}) (\d{{1,2}}), (\d{{4}})\b", sentence):
        new = f"{int(found[2])} {found[1]} {found[3]}"
        return sentence[: found.start()] + new + sentence[found.end() :]
    if found := re.search(rf"\b(\d{{1,2}})\.? (?:de )?({names}) (?:de )?(\d{{4}})\b", sentence):
        new = f"{found[3]}-{months.index(found[2]) + 1:02}-{int(found[1]):02}"
        return sentence[: found.start()] + new + sentence[found.end() :]
    return None


def spelled_percent(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    word = {"de": "Prozent", "fr": "pour cent", "es": "por ciento", "ru": "процентов"}.get(passage.language, "percent")
    found = re.search(r"(?<=\d)[ \u00a0\u202f]?%", sentence)
    return sentence[: found.start()] + f" {word}" + sentence[found.end() :] if found else None


RIGHT: dict[str, Callable[[str, Passage, random.Random], str | None]] = {
    "verbatim": verbatim,
    "with an opening": opened,
    "reordered": reordered,
    "shortened": shortened,
    "quoted": quoted,
    "number in another notation": regrouped,
    "date in another notation": redated,
    "percent in words": spelled_percent,
}


# ---------------------------------------------------------------------- faults


def wrong_number(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    for found in _NUMBER.finditer(sentence):
        token = found[0]
        if _YEAR.fullmatch(token):
            continue
        at = chance.randrange(len(token))
        while not token[at].isdigit():
            at = chance.randrange(len(token))
        digit = chance.choice([each for each in "123456789" if each != token[at]])
        new = token[:at] + digit + token[at + 1 :]
        if not re.search(rf"(?<!\d){re.escape(new)}(?!\d)", passage.text):
            return sentence[: found.start()] + new + sentence[found.end() :]
    return None


def wrong_year(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    found = _YEAR.search(sentence)
    if not found:
        return None
    new = str(int(found[0]) + chance.choice([-10, -3, -2, -1, 1, 2]))
    return None if new in passage.text else sentence[: found.start()] + new + sentence[found.end() :]


def wrong_unit(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    for unit, other in UNITS.items():
        found = re.search(rf"(?<=\d)([ \u00a0]?){re.escape(unit)}(?![^\W\d_])", sentence)
        if found and other.strip() not in passage.text:
            return sentence[: found.start()] + found[1] + other + sentence[found.end() :]
    return None


def wrong_sign(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    for found in _NUMBER.finditer(sentence):
        before = sentence[: found.start()]
        if before.endswith(("-", "−")):
            return before[:-1] + sentence[found.start() :]
        if before.endswith(" ") and not _YEAR.fullmatch(found[0]):
            return f"{before}-{sentence[found.start() :]}"
    return None


def swapped_name(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    """Put another name of the same document in the place of one; German nouns are no names."""
    patterns = [_CAPITALS] if passage.language == "de" else [_NAME, _CAPITALS, _INSIDE_NAME]
    for pattern in patterns:
        found = pattern.search(sentence)
        others = sorted(set(pattern.findall(passage.document)))
        others = [each for each in others if each.lower() not in passage.text.lower()]
        others = [each for each in others if each.lower() not in passage.document.replace(each, "")]
        if found and others:
            return sentence[: found.start()] + chance.choice(others) + sentence[found.end() :]
    return None


def altered_quote(sentence: str, passage: Passage, chance: random.Random) -> str | None:
    right = quoted(sentence, passage, chance)
    if not right:
        return None
    start = right.index(":") + 3
    inside = [each for each in _WORD.finditer(right, start) if each.end() < len(right) - 2]
    others = [each for each in _WORD.findall(passage.document) if each.islower()]
    if not inside or not others:
        return None
    found, other = chance.choice(inside), chance.choice(others)
    new = right[: found.start()] + other + right[found.end() :]
    return new if other.lower() != found[0].lower() else None


FAULTS: dict[str, Callable[[str, Passage, random.Random], str | None]] = {
    "number": wrong_number,
    "year": wrong_year,
    "unit": wrong_unit,
    "sign": wrong_sign,
    "name": swapped_name,
    "quote": altered_quote,
}


def edited(passage: Passage, chance: random.Random) -> str | None:
    """Return a later version of the document: a number or a word of the passage is another one, and a line is added."""
    found = [*_NUMBER.finditer(passage.text)] or [*_WORD.finditer(passage.text)]
    if not found:
        return None
    place = chance.choice(found)
    new = str(int(re.sub(r"\D", "", place[0])) + 1) if place[0][0].isdigit() else place[0][::-1]
    text = passage.text[: place.start()] + new + passage.text[place.end() :]
    return f"{passage.document[: passage.start]}{text}{passage.document[passage.end :]}"
