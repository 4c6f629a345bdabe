"""crosshead search: questions to an index."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from crosshead.cli.default_index import DEFAULT_INDEX
from crosshead.cli.flags import AsJson, IndexFolder, with_search_request
from crosshead.cli.output import print_error, write_json
from crosshead.cli.program import CHECK_FAILED

Query = Annotated[
    list[str],
    typer.Argument(
        metavar="QUERY",
        help='A question, or words. `-word` excludes; `"a phrase"` is required; `a OR b` requires one of them.',
    ),
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


@with_search_request
def search(
    query: Query,
    request: dict[str, Any],
    location: IndexFolder = DEFAULT_INDEX,
    enriched: Enriched = False,
    passages: AsPassages = False,
    scores: Scores = False,
    as_json: AsJson = False,
) -> None:
    """Search an index and show the best sections with their citations."""
    from crosshead.index import Index

    ignored = {
        "--budget": "budget_tokens" in request and not passages,
        "--expand": "expand_context" in request and passages,
        "--enriched": enriched and (passages or not as_json),
    }
    request.pop("expand_context" if passages else "budget_tokens", None)
    words = " ".join(query)
    with Index(location, create=False) as index:
        found: Sequence[Any] = index.passages(words, **request) if passages else index.search(words, **request)
    _show(found, as_json=as_json, passages=passages, scores=scores, enriched=enriched)
    for flag, is_ignored in ignored.items():
        if is_ignored:
            print_error(f"{flag} has no effect {'with' if passages else 'without'} --passages", label="note")
    if not found:
        raise typer.Exit(CHECK_FAILED)


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
