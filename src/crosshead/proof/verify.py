"""An answer and the documents that it cites -> a proof.

1. find each cited span: unchanged, moved, changed, or not there
2. compare the facts of each sentence with the text of all spans that it cites
3. compare its words with theirs, and with those of the rest of the document
4. a sentence without a citation needs none if it claims nothing: a heading, or words that only connect
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from crosshead.errors import OptionsError
from crosshead.language.detection import detect_language
from crosshead.proof.cited_numbers import cited_numbers
from crosshead.proof.comparing import CheckedFact, compare
from crosshead.proof.evidence import CitedEvidence
from crosshead.proof.folding import fold
from crosshead.proof.overlap import LEAST_SHARE, better_place, content_words
from crosshead.proof.sentences import split_sentences
from crosshead.proof.spans import FoundSpan, Locate, find_span
from crosshead.types import Answer, Doubt, DoubtKind, Proof, Sentence, SentenceProof, StoredDocument, Verdict

_LOST: Final = ("changed", "not found")
_SOURCES: Final = r"(?:sources?|documents?|passages?|context|quellen?|dokumente?n?|fuentes?|источник\w*|документ\w*)"
_NOT: Final = r"(?:not|no|n['’]t|nothing|neither|nicht|keine?|nichts|ne|pas|aucune?|ninguna?|не|нет)"
_NO_ANSWER: Final = re.compile(
    rf"\b{_SOURCES}\b.{{0,40}}\b{_NOT}\b|\b{_NOT}\b.{{0,40}}\b{_SOURCES}\b"
    r"|(?:文書|資料|文档|来源).{0,30}(?:ない|ません|没有|未)",
    re.I | re.S,
)
_CONNECTS: Final = re.compile(
    r"\W*(?:here (?:is|are)|here's|in (?:short|summary)|to (?:sum up|summarize)|i hope|hope this|let me know|"
    r"feel free|hier (?:ist|sind)|zusammenfassend|kurz gesagt|ich hoffe|voici|en (?:bref|résumé)|j'espère|"
    r"aquí (?:está|están|tiene)|en resumen|espero que|вот\b|итак|кратко|надеюсь|以下|まとめると|总之|综上)",
    re.I,
)
_FEWEST_WORDS: Final = 2
"""A sentence with fewer words that carry meaning only connects."""
_DELIMITER_ROW: Final = re.compile(r"\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\||\n|$)")


def verify(answer: Answer, documents: Mapping[str, StoredDocument], locate: Locate) -> Proof:
    """Check an answer against its documents, by source; `locate` finds what a citation without offsets leads to."""
    return _Verification(answer, documents, locate).proof()


class _Verification:
    """The check of one answer; what several sentences need is made once."""

    def __init__(self, answer: Answer, documents: Mapping[str, StoredDocument], locate: Locate) -> None:
        self.answer = answer
        self.found: dict[int, list[FoundSpan]] = {}
        for span in answer.citations:
            self.found.setdefault(span.n, []).append(find_span(span, documents, locate))
        self.language = detect_language(answer.text)
        self.evidence: dict[tuple[int, ...], CitedEvidence] = {}

    def proof(self) -> Proof:
        """Return the verdicts on all sentences, and the state of all cited spans."""
        spans = tuple(proof for found in self.found.values() for proof, _ in found)
        return Proof(self.answer.question, tuple(map(self._judge, _located(self.answer))), spans)

    def _judge(self, sentence: Sentence) -> SentenceProof:
        text = _without_numbers(sentence.text)
        if _is_frame(self.answer.text, sentence):
            return _result(sentence, "no claim")
        if not sentence.citations:
            return _result(sentence, "no claim" if self._only_connects(text) else "no citation")
        lost = [*self._lost(sentence)]
        evidence = self._evidence(sentence.citations)
        if not evidence.spans:
            return _result(sentence, "not found", lost)
        facts = [*compare(text, self.language, evidence, self._is_name)]
        doubts = [self._doubt(sentence, fact) for fact in facts if fact.reason]
        doubts += self._words(sentence, text, evidence)
        return _result(sentence, "not found" if lost or doubts else "proved", [*lost, *doubts], len(facts))

    def _evidence(self, numbers: tuple[int, ...]) -> CitedEvidence:
        if numbers not in self.evidence:
            found = (text for number in numbers for _, text in self.found.get(number, ()) if text)
            self.evidence[numbers] = CitedEvidence([*found])
        return self.evidence[numbers]

    def _lost(self, sentence: Sentence) -> Iterator[Doubt]:
        """Yield a doubt for each citation that leads nowhere."""
        for number in sentence.citations:
            found = self.found.get(number)
            reasons = [proof.note for proof, _ in found if proof.state in _LOST] if found else ["it has no source"]
            yield from (self._whole(sentence, "citation", f"[{number}]: {reason}") for reason in reasons)

    def _doubt(self, sentence: Sentence, fact: CheckedFact) -> Doubt:
        start = (sentence.start or 0) + fact.start
        end = (sentence.start or 0) + fact.end
        text = self.answer.text[start:end]
        reason = fact.reason.format(self._cited(sentence))
        if fact.reason.startswith("not ") and fold(text) in fold(self.answer.question):
            reason += ", only in the question"
        return Doubt(fact.kind, text, start, end, reason)

    def _words(self, sentence: Sentence, text: str, evidence: CitedEvidence) -> Iterator[Doubt]:
        """Doubt a sentence whose words are rather elsewhere; not if it is in another language than its sources."""
        if self.language != evidence.language or text.startswith(("```", "~~~")):
            return
        share, elsewhere = better_place(text, self.language, evidence)
        if elsewhere:
            span, at = elsewhere
            line = span.document.text.count("\n", 0, at) + 1
            where = f"{span.document.source}, near line {line} of its Markdown,"
            yield self._whole(sentence, "words", f"{where} has more of its words than {self._cited(sentence)}")
        elif share < LEAST_SHARE:
            yield self._whole(sentence, "words", f"hardly any of its words are in {self._cited(sentence)}")

    def _whole(self, sentence: Sentence, kind: DoubtKind, reason: str) -> Doubt:
        return Doubt(kind, sentence.text, sentence.start or 0, sentence.end or 0, reason)

    def _cited(self, sentence: Sentence) -> str:
        """Return what a sentence cites, for people."""
        found = [text.citation for n in sentence.citations for _, text in self.found.get(n, ()) if text]
        return ", ".join(dict.fromkeys(found))

    def _is_name(self, word: str) -> bool:
        """Return whether the cited documents write a word with a capital inside sentences, and never without."""
        texts = {text.document.text for found in self.found.values() for _, text in found if text}
        return any(_is_inside(text, word) for text in texts) and not any(word.lower() in text for text in texts)

    def _only_connects(self, text: str) -> bool:
        """Return whether a sentence without citation claims nothing that a source could prove."""
        if text.startswith(("```", "~~~", ">")):
            return False
        if text.rstrip(" *_").endswith((":", "：", "?", "？")) or _NO_ANSWER.search(text):
            return True
        facts = compare(text, self.language, CitedEvidence([]), self._is_name)
        has_few_words = len(content_words(text, self.language)) < _FEWEST_WORDS
        return not any(facts) and (has_few_words or bool(_CONNECTS.match(text)))


def _result(sentence: Sentence, verdict: Verdict, doubts: Iterable[Doubt] = (), checked: int = 0) -> SentenceProof:
    start, end = sentence.start or 0, sentence.end or 0
    return SentenceProof(sentence.text, sentence.citations, start, end, verdict, tuple(doubts), checked)


def _located(answer: Answer) -> Iterator[Sentence]:
    """Yield the sentences with their offsets; if the answer names none, those of its text."""
    at = 0
    for sentence in answer.sentences or split_sentences(answer.text):
        start = sentence.start
        if start is None or answer.text[start : sentence.end] != sentence.text:
            start = answer.text.find(sentence.text, at)
        if start < 0:
            raise OptionsError(f"the text of the answer does not have the sentence {sentence.text[:60]!r}")
        at = start + len(sentence.text)
        yield replace(sentence, start=start, end=at)


def _without_numbers(text: str) -> str:
    """Return a sentence with blanks where it cites."""
    for _, start, end in cited_numbers(text, 0):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _is_frame(text: str, sentence: Sentence) -> bool:
    """Return whether a sentence is a heading, or the head of a table."""
    if sentence.text.startswith("#") or not any(map(str.isalnum, sentence.text)):
        return True
    end = sentence.end or 0
    return sentence.text.startswith("|") and bool(_DELIMITER_ROW.match(text, end))


def _is_inside(text: str, word: str) -> bool:
    """Return whether a text has a word after another one of the same sentence."""
    at = text.find(f" {word}")
    while at > 0:
        if text[at - 1].islower() and not text[at + 1 + len(word) : at + 2 + len(word)].isalnum():
            return True
        at = text.find(f" {word}", at + 1)
    return False
