"""crosshead search: questions to an index."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from crosshead.cli.flags import AsJson, IndexFolder
from crosshead.cli.nearest import DEFAULT_INDEX
from crosshead.cli.plain import print_error, write_json
from crosshead.cli.program import CHECK_FAILED
from crosshead.errors import OptionsError

Query = Annotated[
    list[str],
    typer.Argument(
        metavar="QUERY",
        help='A question, or words to look for. `-word` leaves out; `"a phrase"` has to be there, and of `a OR b` one.',
    ),
]
Limit = Annotated[
    int | None,
    typer.Option("-k", "-n", "--limit", "--top-k", metavar="N", help="Hits to show; by default 10, for passages 30."),
]
Mode = Annotated[
    str,
    typer.Option("--mode", metavar="NAME", help="`lexical` compares words, `dense` vectors, `hybrid` both."),
]
Section = Annotated[
    str | None,
    typer.Option("--section", metavar="GLOB", help="Only sections with such a title or breadcrumb, as in `Install*`."),
]
Source = Annotated[
    str | None, typer.Option("--source", metavar="GLOB", help="Only documents with such a source, as in `docs/*.md`.")
]
FormatName = Annotated[str | None, typer.Option("--format", metavar="NAME", help="Only documents of this format.")]
Where = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="KEY=VALUE", help="Only documents whose metadata says so. May be repeated."),
]
Since = Annotated[
    str | None, typer.Option("--since", metavar="DAY", help="Only documents of this day or later: 2026-01-31.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="DAY", help="Only documents of this day or earlier.")]
PerDocument = Annotated[
    int | None, typer.Option("--per-document", metavar="N", help="Most hits of one document; by default no limit.")
]
MinScore = Annotated[
    float,
    typer.Option("--min-score", metavar="X", help="Leave out what scores less: 0 to 1, as shown by --scores."),
]
Expand = Annotated[
    bool,
    typer.Option("--expand", metavar="", help="Show with each hit what is around it: the chunks above and beside it."),
]
Enriched = Annotated[
    bool,
    typer.Option(
        "--enriched",
        metavar="",
        help="Add to the JSON of each hit `enriched_content`: its path, its heading and its content as one text.",
    ),
]
AsPassages = Annotated[
    bool, typer.Option("--passages", metavar="", help="Print whole sections for a reader or a language model.")
]
Budget = Annotated[
    int | None,
    typer.Option("--budget", metavar="N", help="Tokens that the passages may have in all; by default 2000."),
]
RerankerName = Annotated[
    str | None,
    typer.Option(
        "--rerank",
        metavar="NAME",
        help="Let a model judge the first hits anew: `maxsim`, `sentence-transformers:MODEL`, `http:MODEL`, or `none`.",
    ),
]
Scores = Annotated[bool, typer.Option("--scores", metavar="", help="Show how each hit got its place.")]

_IS_LEFT_OUT: Final = re.compile(r"-(?:[^\W\d_](?!\d*$)|[\"“])").match
"""An option of one letter stands alone, or with its number."""


class SearchCommand(TyperCommand):
    """Takes `-word` for a part of the query."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put what the query leaves out behind all options; its place in the query says nothing."""
        end = args.index("--") if "--" in args else len(args)
        before, after = args[:end], args[end + 1 :]
        left_out = [each for each in before if _IS_LEFT_OUT(each)]
        others = [each for each in before if not _IS_LEFT_OUT(each)]
        return super().parse_args(ctx, [*others, "--", *after, *left_out])


def search(
    query: Query,
    location: IndexFolder = DEFAULT_INDEX,
    limit: Limit = None,
    mode: Mode = "hybrid",
    section: Section = None,
    source: Source = None,
    format: FormatName = None,
    where: Where = None,
    since: Since = None,
    until: Until = None,
    per_document: PerDocument = None,
    min_score: MinScore = 0.0,
    expand: Expand = False,
    enriched: Enriched = False,
    passages: AsPassages = False,
    budget: Budget = None,
    rerank: RerankerName = None,
    scores: Scores = False,
    as_json: AsJson = False,
) -> None:
    """Search an index and show the best places with their citations."""
    from crosshead.index import Index

    asked: dict[str, Any] = {
        "mode": mode,
        "section_filter": section,
        "source": source,
        "format": format,
        "metadata": read_pairs(where or []),
        "since": since,
        "until": until,
        "per_document": per_document,
        "min_score": min_score,
        "rerank": rerank,
    }
    if limit is not None:
        asked["limit"] = limit
    words = " ".join(query)
    with Index(location, create=False) as index:
        if passages:
            found: Sequence[Any] = index.passages(
                words, **asked, **({} if budget is None else {"budget_tokens": budget})
            )
        else:
            found = index.search(words, expand_context=expand, **asked)
    _show(found, as_json=as_json, passages=passages, scores=scores, enriched=enriched)
    ignored = {
        "--budget": budget is not None and not passages,
        "--expand": expand and passages,
        "--enriched": enriched and (passages or not as_json),
    }
    for flag, is_ignored in ignored.items():
        if is_ignored:
            print_error(f"{flag} has no effect {'with' if passages else 'without'} --passages", label="note")
    if not found:
        raise typer.Exit(CHECK_FAILED)


def read_pairs(pairs: Sequence[str]) -> dict[str, Any]:
    """Read `key=value`; a value is read as front matter is, so that `draft=true` finds what says `draft: true`."""
    import yaml

    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise OptionsError(f"--where {pair!r} says nothing: write KEY=VALUE, as in team=infra")
        try:
            read = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError):
            read = value
        found[key.strip()] = read if isinstance(read, bool | int | float | str) else value
    return found


def _show(found: Sequence[Any], *, as_json: bool, passages: bool, scores: bool, enriched: bool) -> None:
    if as_json and enriched and not passages:
        write_json(*(each.to_json(enriched=True) for each in found))
    elif as_json:
        write_json(*(each.to_json() for each in found))
    elif not found:
        print_error("nothing found that fits the budget" if passages else "nothing found", label="note")
    else:
        from crosshead.cli.views.hits import show_hits, show_passages

        if not passages and found[0].is_weak:
            print_error("no good match; the nearest are:", label="note")
        show_passages(found) if passages else show_hits(found, scores=scores)
