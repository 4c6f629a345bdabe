"""Hits with highlighted words, and passages as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from crosshead.cli.terminal.output import one_line, print_note, print_text
from crosshead.cli.views.citations import CitationLines
from crosshead.cli.views.layout import DOT, MIN_ROOM, SEPARATOR, fit_path, fit_right, make_console, print_hanging
from crosshead.search import chunks_around, describe_weaker, fold_weaker
from crosshead.types import Chunk, Hit, Location, Passage

INDENT: Final = "    "
NEAREST: Final = 3
"""Weak hits to show if there are no others, as on the page."""
AROUND_LINES: Final = 2
"""Lines to show of each chunk around a hit: often a heading and the first line of text."""


def show_best(hits: Sequence[Hit], citations: CitationLines, *, all: bool, scores: bool) -> None:
    """Print hits up to the last good one, or the nearest if none is good, and say how many weaker ones follow."""
    best, weaker = fold_weaker(hits, all=all, nearest=NEAREST)
    if best[0].is_weak:
        print_note("no good match; the closest are:")
    show_hits(best, citations, scores=scores)
    if weaker:
        print_note(f"{describe_weaker(weaker)}: --all")


def show_hits(hits: Sequence[Hit], citations: CitationLines, *, scores: bool) -> None:
    """Print rank, citation, path and snippet of each hit."""
    console = make_console()
    for rank, hit in enumerate(hits, 1):
        if rank > 1:
            console.print()
        _show_hit(console, rank, hit, citations, scores=scores)


def _show_hit(console: Console, rank: int, hit: Hit, citations: CitationLines, *, scores: bool) -> None:
    console.print(Text.assemble((f"{rank:>2}  ", "dim"), (citations.of(hit), "cyan")), soft_wrap=True)
    console.print(Text(INDENT).append_text(fit_path(hit.full_path, console.width - len(INDENT))), style="bold")
    print_hanging(console, highlighted(hit), INDENT)
    for name, chunk in chunks_around(hit):
        _show_around(console, name, chunk, citations)
    if scores:
        print_hanging(console, Text(score_line(hit), style="dim"), INDENT)


def _show_around(console: Console, name: str, chunk: Chunk, citations: CitationLines) -> None:
    place = f"{INDENT}{name:<{len('before')}}  "
    console.print(Text.assemble((place, "dim"), (citations.of(chunk), "dim cyan")), soft_wrap=True)
    for line in [line for line in chunk.content.split("\n") if line.strip()][:AROUND_LINES]:
        room = max(console.width - len(place), MIN_ROOM)
        console.print(Text(" " * len(place) + fit_right(line, room), style="dim"), soft_wrap=True)


def show_boxes(texts: Sequence[Chunk | Passage], locations: Sequence[Location], citations: CitationLines) -> None:
    """Print where pages show texts."""
    console = make_console()
    for text, location in zip(texts, locations, strict=True):
        console.print(Text(citations.of(text), style="cyan"), soft_wrap=True)
        if location.share < 1:
            console.print(Text(f"{INDENT}only {location.share:.0%} of the text was found", style="yellow"))
        for page in location.pages:
            console.print(Text(f"{INDENT}page {page.page}, {page.width:.0f} x {page.height:.0f} points", style="bold"))
            console.print(Text(f"{INDENT}    left      top    width   height", style="dim"))
            for box in page.boxes:
                console.print(Text(INDENT + " ".join([f"{each:8.2f}" for each in box])))


def highlighted(hit: Hit) -> Text:
    """Return the snippet with the words of the query in bold."""
    text, at = Text(), 0
    for start, end in hit.highlights:
        text.append(_printable(hit.snippet[at:start])).append(_printable(hit.snippet[start:end]), "bold yellow")
        at = end
    return text.append(_printable(hit.snippet[at:]))


def _printable(text: str) -> str:
    return "\n".join(map(one_line, text.split("\n")))


def score_line(hit: Hit) -> str:
    """Return the scores of a hit, with its rank in each kind of search."""
    sides = (("lexical", hit.lexical_score, hit.lexical_rank), ("dense", hit.dense_score, hit.dense_rank))
    parts = [f"score {hit.final_score:.3f}"]
    parts += (f"{name} {score:.3f} #{rank}" if score is not None else f"{name} -" for name, score, rank in sides)
    if hit.entity_boost:
        parts.append(f"names +{hit.entity_boost:.3f}")
    if hit.rerank_score is not None:
        parts.append(f"rerank {hit.rerank_score:.3f}")
    if hit.confidence is not None:
        parts.append(f"confidence {hit.confidence:.3f}")
    if hit.is_weak:
        parts.append("weak")
    return DOT.join([*parts, hit.chunk.id])


def show_passages(passages: Sequence[Passage], citations: CitationLines) -> None:
    """Print each passage unchanged below its citation, as for a language model."""
    blocks = [f"[{number}] {_block(each, each.content, citations)}" for number, each in enumerate(passages, 1)]
    print_text("\n".join(blocks))


def show_texts(found: Sequence[Chunk | Passage], citations: CitationLines) -> None:
    """Print chunks or sections under their citations."""
    texts = [each.render() if isinstance(each, Chunk) else each.content for each in found]
    blocks = [_block(each, text, citations) for each, text in zip(found, texts, strict=True)]
    print_text("\n".join(blocks))


def _block(found: Chunk | Passage, text: str, citations: CitationLines) -> str:
    """Return a text below its citation, which may be the path already, and its path."""
    path = one_line(SEPARATOR.join(found.section_path if isinstance(found, Chunk) else found.heading_chain))
    citation = citations.of(found)
    title = f"{citation} ({path})" if path and path not in citation else citation
    return f"{title}\n\n{text}\n"
