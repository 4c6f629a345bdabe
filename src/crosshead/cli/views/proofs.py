"""The proof of an answer: its sentences with their verdicts, what was not found underlined, and what they cite."""

from __future__ import annotations

from typing import Final, get_args

from rich.console import Console
from rich.text import Text

from crosshead.cli.terminal.output import one_line
from crosshead.cli.views.citations import CitationLines
from crosshead.cli.views.layout import DOT, make_console, print_hanging
from crosshead.types import Proof, SentenceProof, SpanProof, SpanState, Verdict

_STYLES: Final[dict[Verdict, str]] = {
    "proved": "green", "not found": "bold red", "no citation": "yellow", "no claim": "dim",
}  # fmt: skip
_WIDTH: Final = max(map(len, get_args(Verdict))) + 2
_BAD: Final[tuple[SpanState, ...]] = ("changed", "not found")


def show_proof(proof: Proof, citations: CitationLines) -> None:
    """Print verdicts, doubts and cited spans, and a summary."""
    console = make_console()
    for sentence in proof.sentences:
        _show_sentence(console, sentence)
    console.print()
    for span in proof.citations:
        _show_span(console, span, citations)
    console.print(_summary(proof))


def show_doubts(proof: Proof) -> None:
    """Print the sentences that are not proved, and a summary."""
    console = make_console()
    console.print()
    for sentence in proof.sentences:
        if sentence.verdict in ("not found", "no citation"):
            _show_sentence(console, sentence)
    console.print(_summary(proof), style="dim")


def _summary(proof: Proof) -> str:
    verdicts = [verdict for verdict in get_args(Verdict) if verdict != "no claim"]
    return DOT.join(f"{count} {verdict}" for verdict in verdicts if (count := proof.count(verdict))) or "no claims"


def _show_sentence(console: Console, sentence: SentenceProof) -> None:
    text = Text(one_line(sentence.text), style="dim" if sentence.verdict == "no claim" else "")
    for doubt in sentence.doubts:
        if doubt.text != sentence.text:
            text.stylize("underline red", doubt.start - sentence.start, doubt.end - sentence.start)
    verdict = "" if sentence.verdict == "no claim" else sentence.verdict
    print_hanging(console, Text(verdict.ljust(_WIDTH), style=_STYLES[sentence.verdict]).append_text(text), "")
    for doubt in sentence.doubts:
        what = "" if doubt.text == sentence.text else f"{one_line(doubt.text)}: "
        print_hanging(console, Text(f"{what}{one_line(doubt.reason)}", style="red"), " " * _WIDTH)


def _show_span(console: Console, span: SpanProof, citations: CitationLines) -> None:
    state = (span.state, "red" if span.state in _BAD else "dim")
    line = Text.assemble(f"[{span.n}] ", (citations.of(span), "cyan"), "  ", state)
    if span.note:
        line.append(f": {one_line(span.note)}", style="dim")
    console.print(line, soft_wrap=True)
