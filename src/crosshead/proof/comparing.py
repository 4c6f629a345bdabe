"""The facts of a sentence, compared with the text of the spans that it cites: what is not there is a doubt.

Characters belong to one fact: to a quotation, else a date, an identifier, a number or a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from crosshead.proof.evidence import CitedEvidence
from crosshead.proof.facts.dates import DateMention, find_dates, says
from crosshead.proof.facts.identifiers import find_identifiers, is_version
from crosshead.proof.facts.names import find_names
from crosshead.proof.facts.number_words import NUMBER_WORDS
from crosshead.proof.facts.numbers import Quantity, find_quantities, same_measure, shares_family, shares_unit
from crosshead.proof.facts.quotes import Quotation, find_quotations
from crosshead.proof.folding import fold, squeeze
from crosshead.types import DoubtKind

_DECLINE: Final = re.compile(
    r"\b(?:f[ae]ll|falling|declin|decreas|drop|down\b|loss|lost|lower|negativ|minus|below zero|shr[aiu]nk|reduc|"
    r"deficit|verlust|unter null|gesunken|sank|sink|rückg|gefallen|fiel|perte|baiss|recul|dimin|pérdida|caída|cay[óe]|"
    r"baj[óa]\b|disminu|сни[жз]|упа|убыт|потер|минус|ниже нуля|减|減|下降|低下|损失|損失|赤字|マイナス|负|零下)",
    re.I,
)
_IS_VERSION: Final = re.compile(r"v\d").match
_STEP: Final = re.compile(
    r"(?:\bstep|\bitem|\bpoint|schritt|punkt|étape|paso|шаг\w*|пункт\w*|手順|ステップ|步骤|第) ?$", re.I
)
_ENUMERATOR: Final = re.compile(r"\((\d{1,2})\)")


class CheckedFact(NamedTuple):
    """A fact of a sentence; `reason` says what is wrong with it, and is empty if nothing is."""

    kind: DoubtKind
    start: int
    end: int
    reason: str


def compare(text: str, language: str, evidence: CitedEvidence, is_name: Callable[[str], bool]) -> Iterator[CheckedFact]:
    """Yield the facts of a sentence, whose citations are blank, with what is wrong with them."""
    taken: list[tuple[int, int]] = []
    for quotation in find_quotations(text):
        taken.append((quotation.start, quotation.end))
        yield from _check_quotation(quotation, text, evidence)
    for date in find_dates(text):
        if _is_free(date.start, date.end, taken):
            taken.append((date.start, date.end))
            yield CheckedFact("date", date.start, date.end, "" if has_date(date, evidence) else "not in {}")
    for start, end in find_identifiers(text):
        if _is_free(start, end, taken):
            taken.append((start, end))
            yield CheckedFact("identifier", start, end, "" if _has_code(text[start:end], evidence) else "not in {}")
    taken += [
        found.span() for found in _ENUMERATOR.finditer(text) if f"({int(found[1]) - 1})" in text or found[1] == "1"
    ]
    for quantity in [*find_quantities(text, taken)]:
        taken.append((quantity.start, quantity.end))
        yield CheckedFact("number", quantity.start, quantity.end, check_number(quantity, text, evidence))
    for start, end in find_names(text, language, is_name):
        if _is_free(start, end, taken) and (evidence.language == language or text[start:end].isupper()):
            yield CheckedFact("name", start, end, "" if evidence.has_name(text[start:end]) else "not in {}")


def _is_free(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    return not any(first < end and start < last for first, last in taken)


# ---------------------------------------------------------------------- quotations and identifiers


def _check_quotation(quotation: Quotation, text: str, evidence: CitedEvidence) -> Iterator[CheckedFact]:
    kind: DoubtKind = "identifier" if quotation.is_code else "quote"
    missing = [part for part in quotation.parts if not _has_code(part, evidence)]
    at = quotation.start
    for part in missing:
        found = text.find(part, at, quotation.end)
        start, end = (found, found + len(part)) if found >= 0 else (quotation.start, quotation.end)
        yield CheckedFact(kind, start, end, "not word for word in {}")
    if not missing:
        yield CheckedFact(kind, quotation.start, quotation.end, "")


def _has_code(text: str, evidence: CitedEvidence) -> bool:
    """Return whether a text is there as it is, punctuation at its end aside."""
    folded = fold(text).strip(" .,;:")
    if not folded or evidence.has_phrase(folded):
        return True
    others = [folded.removesuffix("()"), f"v{folded}" if folded[0].isdigit() else folded]
    if _IS_VERSION(folded):
        others.append(folded[1:])
    if any(evidence.has_phrase(other) for other in others if other != folded):
        return True
    return any(map(str.isdigit, folded)) and " " not in folded and _has_squeezed(squeeze(folded), evidence)


def _has_squeezed(squeezed: str, evidence: CitedEvidence) -> bool:
    """Return whether a name is there with other separators: `gpt4` for `gpt-4`."""
    at = evidence.squeezed.find(squeezed)
    while at >= 0:
        end = at + len(squeezed)
        if not evidence.squeezed[end : end + 1].isdigit() and not evidence.squeezed[max(0, at - 1) : at].isdigit():
            return squeezed[:1].isalpha()
        at = evidence.squeezed.find(squeezed, at + 1)
    return False


# ---------------------------------------------------------------------- dates


def has_date(date: DateMention, evidence: CitedEvidence) -> bool:
    """Return whether a date is there in any notation; its year may be elsewhere, as in a heading."""
    if date.minutes:
        return any(not date.minutes.isdisjoint(each.minutes) for each in evidence.dates) or evidence.has_phrase(
            fold(date.text)
        )
    known = [reading for each in evidence.dates for reading in each.readings]
    for wanted in date.readings:
        if any(says(wanted, each) for each in known):
            return True
        undated = [each for each in known if not each.year and says(wanted._replace(year=0), each)]
        if undated and Decimal(wanted.year) in evidence.quantities:
            return True
    return False


# ---------------------------------------------------------------------- numbers


def check_number(quantity: Quantity, text: str, evidence: CitedEvidence) -> str:
    """Return what is wrong with a number; nothing if the cited spans have it, with its unit and sign."""
    digits = re.search(r"\d[\d.,]*", quantity.text)
    if digits and not quantity.is_negative and is_version(text, quantity.start, digits[0]):
        return "" if evidence.has_phrase(digits[0].rstrip(".,")) else "not in {}"
    same = [each for value in quantity.values for each in evidence.quantities.get(value, ())]
    if not same and quantity.is_about:
        same = [*_rounded(quantity, evidence)]
    if not same:
        is_there = (
            _is_measured(quantity, evidence) or _is_spelled(quantity, evidence) or _is_step(quantity, text, evidence)
        )
        return "" if is_there else "not in {}"
    named = [each for each in same if shares_family(quantity, each)]
    with_unit = [each for each in named or same if _has_unit(quantity, each, evidence)]
    if not with_unit:
        if _is_measured(quantity, evidence):
            return ""
        return f"{{}} has {' '.join(same[0].text.split())}" if same[0].units else "its unit is not in {}"
    if not any(_has_sign(quantity, each, text, evidence) for each in with_unit):
        return "its sign is another one in {}"
    return ""


def _has_unit(wanted: Quantity, known: Quantity, evidence: CitedEvidence) -> bool:
    if not wanted.units or shares_unit(wanted.units, known.units) or same_measure(wanted, known):
        return True
    return not known.units and not evidence.families.isdisjoint(unit.family for unit in wanted.units)


def _has_sign(wanted: Quantity, known: Quantity, text: str, evidence: CitedEvidence) -> bool:
    if wanted.is_negative == known.is_negative or known.may_be_negative or wanted.may_be_negative:
        return True
    return bool(_DECLINE.search(evidence.near(known) if wanted.is_negative else text))


def _is_measured(wanted: Quantity, evidence: CitedEvidence) -> bool:
    """Return whether the same measure is there in another unit."""
    return bool(wanted.units) and any(
        same_measure(wanted, each) for found in evidence.quantities.values() for each in found if each.units
    )


def _is_spelled(wanted: Quantity, evidence: CitedEvidence) -> bool:
    """Return whether a number is there as a word."""
    return any(word in evidence.words for word, number in NUMBER_WORDS.items() if number == wanted.values[0])


def _is_step(wanted: Quantity, text: str, evidence: CitedEvidence) -> bool:
    """Return whether "step 3" is there as the third item of a list."""
    return wanted.values[0] in evidence.markers and bool(_STEP.search(text[: wanted.start]))


def _rounded(wanted: Quantity, evidence: CitedEvidence) -> Iterator[Quantity]:
    for value, found in evidence.quantities.items():
        if any(abs(value - each) <= precision for each, precision in wanted.rounded()):
            yield from found
