"""An answer as it comes, and its sources."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from crosshead.cli.terminal.output import print_note, print_text
from crosshead.cli.views.citations import CitationLines
from crosshead.cli.views.layout import DOT, count, fit_path, make_console, number
from crosshead.types import Answer, Passage

GAP: Final = "  "


def print_part(text: str) -> None:
    """Print a part of the answer at once."""
    print_text(text)
    sys.stdout.buffer.flush()


def show_sources(answer: Answer, passages: Sequence[Passage], citations: CitationLines) -> None:
    """Print the sources that an answer cites below its text, and what it took."""
    console = make_console()
    console.print("\n")
    for cited in answer.citations:
        passage = passages[cited.n - 1]
        line = Text.assemble((f"[{cited.n}] ", "dim"), (citations.of(passage), "cyan"), GAP)
        path = fit_path(passage.heading_chain or (passage.title,), max(console.width - line.cell_len, 20))
        console.print(line.append_text(path), soft_wrap=True)
    print_note(describe_usage(answer))


def describe_usage(answer: Answer) -> str:
    """Return the model, the tokens and the time that an answer took."""
    usage = answer.usage
    tokens = f"{number(usage.prompt_tokens)} + {count(usage.answer_tokens, 'token')}" if usage.answer_tokens else ""
    return DOT.join(filter(None, [answer.model, tokens, f"{usage.seconds:.1f} s"]))
