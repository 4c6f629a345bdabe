"""Which documents there are: every kind in several looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from .business import annual_report, form, invoice, letter, long_statement, statements
from .layouts import Part, printed
from .look import Look
from .model import Document
from .prose import Writer
from .technical import handbook, manual, paper, two_column_paper

Build = Callable[[Writer], Document]

OFFICE = "libreoffice"
PLAN: tuple[tuple[Build, tuple[Look, ...]], ...] = (
    (
        statements,
        (
            Look("serif", 10, "rules", "bold", signs_apart=True),
            Look("sans", 9, "none", "centered", signs_apart=True),
            Look("serif", 11, "full", "bold"),
            Look("sans", 10, "none", "regular"),
            Look("serif", 9, "none", "bold", signs_apart=True, outline=True),
            Look("serif", 10, "rules", "bold", renderer=OFFICE),
            Look("sans", 10, "full", "colored", renderer=OFFICE),
            Look("serif", 10, "none", "bold", renderer=OFFICE),
        ),
    ),
    (
        long_statement,
        (
            Look("serif", 10, "rules", "bold", repeats_labels=False),
            Look("sans", 9, "none", "bold", signs_apart=True),
            Look("sans", 10, "full", "regular"),
            Look("serif", 10, "none", "bold", renderer=OFFICE, repeats_labels=False),
            Look("serif", 10, "full", "bold", renderer=OFFICE),
        ),
    ),
    (
        annual_report,
        (
            Look("serif", 10, "rules", "bold", signs_apart=True),
            Look("serif", 10, "none", "bold", signs_apart=True, outline=True),
            Look("sans", 9.5, "rules", "colored"),
            Look("serif", 10, "none", "regular"),
            Look("serif", 11, "rules", "weight only", signs_apart=True),
            Look("serif", 10, "rules", "bold", renderer=OFFICE),
            Look("sans", 10, "none", "colored", renderer=OFFICE, outline=True),
        ),
    ),
    (
        invoice,
        (
            Look("sans", 10, "full", "bold"),
            Look("sans", 9, "rules", "regular"),
            Look("serif", 10, "none", "small-caps"),
            Look("sans", 10, "rules", "colored", tagged=True),
            Look("sans", 10, "full", "bold", renderer=OFFICE),
        ),
    ),
    (
        paper,
        (
            Look("serif", 10, "rules", "bold"),
            Look("serif", 11, "none", "small-caps"),
            Look("sans", 10, "full", "weight only"),
            Look("serif", 10, "rules", "bold", outline=True),
            Look("serif", 10, "rules", "centered", renderer=OFFICE),
        ),
    ),
    (
        two_column_paper,
        (
            Look("serif", 9, "rules", "bold"),
            Look("serif", 9.5, "none", "centered"),
            Look("sans", 9, "full", "colored"),
            Look("serif", 9, "rules", "weight only"),
            Look("serif", 9, "rules", "bold", outline=True, tagged=True),
            Look("serif", 9, "rules", "bold", renderer=OFFICE),
            Look("serif", 9, "none", "bold", renderer=OFFICE),
        ),
    ),
    (
        manual,
        (
            Look("sans", 10, "full", "bold"),
            Look("sans", 10, "rules", "weight only"),
            Look("serif", 11, "none", "space only"),
            Look("sans", 9.5, "rules", "colored", outline=True),
            Look("sans", 10, "full", "bold", renderer=OFFICE),
            Look("serif", 10, "rules", "regular", renderer=OFFICE, outline=True),
        ),
    ),
    (
        handbook,
        (
            Look("serif", 10, "rules", "regular"),
            Look("serif", 10, "rules", "small-caps"),
            Look("sans", 10, "rules", "bold", tagged=True),
            Look("serif", 11, "rules", "regular", renderer=OFFICE),
        ),
    ),
    (
        form,
        (
            Look("sans", 10, "full", "bold"),
            Look("serif", 9, "full", "regular"),
            Look("sans", 10, "full", renderer=OFFICE),
        ),
    ),
    (letter, (Look("serif", 11), Look("sans", 10, headings="weight only"), Look("serif", 11, renderer=OFFICE))),
)


class Planned(NamedTuple):
    name: str
    layout: str
    document: Document
    look: Look


def plan(seed: int, part: Part = "tune") -> Iterator[Planned]:
    """Return every document with its name and look; another seed writes other documents."""
    for layout, renderer in printed(part):
        name = f"{layout.name}-{renderer}"
        yield Planned(name, layout.name, layout.report(f"{seed} {name}"), replace(layout.look, renderer=renderer))
    if part == "held-out":
        return
    for build, looks in PLAN:
        for number, look in enumerate(looks, 1):
            name = f"{build.__name__}-{number}"
            yield Planned(name, build.__name__, build(Writer(f"{seed} {name}")), look)
