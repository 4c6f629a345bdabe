"""Databases of the older layout, and what moving their breadcrumbs must make of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import psycopg
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from crosshead.store.postgres.database import revisions
from crosshead.store.postgres.legacy import migrate

EMBEDDING = "[" + ",".join(["0.5"] * 768) + "]"
STATUSES = ("no_vec", "to_vec", "vec", "vec_err", None)
TITLES = (
    "Guide", "Install", "Ключи и доступ", "Use a > b", "", " padded ", "it's 100 % \\ \"quoted\"", "# Not a heading",
    "鍵 🔑", None, "long " * 390, "Two\nlines", "tab\t", "Use `pip` **now**", "C#", "Closing ##",
)  # fmt: skip
BODIES = (
    "An ordinary sentence.", "# A heading\n\nwith text", "```py\nprint('x')\n```", "Ключи обновляются.\n\nКаждый день.",
    "", "\n", "\n\nafter blank lines", "Guide > Install\nlooks like a breadcrumb", "line\r\nline", "a" * 3_000,
    "|a|b|\n|-|-|\n|1|2|", "ends with newline\n",
)  # fmt: skip
KINDS = {
    "bare": lambda level, title: title,
    "markdown": lambda level, title: f"{'#' * level} {title}",
    "closed": lambda level, title: f"{'#' * level} {title} ##",
    "section": lambda level, title: f"{'#' * level} {title}\n\nAll of its text.\n\n## Even this\n",
}
"""How programs wrote heading rows."""
SHAPES = ("breadcrumb", "breadcrumb twice", "plain", "other", "padded", "prefix", "only", "crlf", "empty", "null")


class Row(NamedTuple):
    """A row of `chunks`."""

    id: int
    parent_id: int | None
    work_id: int | None
    level: str
    content: str | None
    embedding: str | None
    start_line: int | None
    end_line: int | None
    vector_status: str | None


class Moved(NamedTuple):
    """What is to be seen of a row after the move."""

    id: int
    parent_id: int | None
    work_id: int | None
    level: str
    content: str | None
    breadcrumb: str | None
    embedded: bool
    start_line: int | None
    end_line: int | None
    vector_status: str | None


@st.composite
def legacy_rows(draw: st.DrawFn, most: int = 40) -> list[Row]:
    """Rows with all kinds of contents, in trees of headings."""
    return build_rows(draw(st.integers(0, most)), lambda values: draw(st.sampled_from(values)))


def random_rows(count: int, seed: int) -> list[Row]:
    """The same by chance, where there are too many to draw."""
    return build_rows(count, random.Random(seed).choice)


def build_rows(count: int, choose: Any) -> list[Row]:
    """Rows hang below some earlier one, mostly a heading."""
    rows: list[Row] = []
    headings: list[int] = []
    paths: dict[int | None, tuple[str, ...]] = {None: ()}
    first, write = choose((1, -500, 2_000_000_000)), choose([*KINDS.values()])
    for number in range(first, first + count):
        parent = choose((None, *headings[-6:], *[row.id for row in rows[-1:]]))
        status = choose(STATUSES)
        if choose((True, False, False)):
            depth, title = choose((1, 2, 3, 5)), choose(TITLES)
            level, content = f"H{depth}", None if title is None else write(depth, title)
            paths[number] = paths[parent] if title is None else (*paths[parent], title)
            headings.append(number)
        else:
            level, content = (
                choose(("H1-chunk", "H2-chunk", "H5-chunk", "H2-table")),
                make_content(choose(SHAPES), " > ".join(paths[parent]), choose(BODIES)),
            )
            paths[number] = paths[parent]
        embedding = EMBEDDING if status == "vec" else None
        lines = choose(((number % 1_000, number % 1_000 + 3), (None, None)))
        rows.append(Row(number, parent, choose((1, 2, None, 77)), level, content, embedding, *lines, status))
    return rows


def make_content(shape: str, breadcrumb: str, body: str) -> str | None:
    match shape:
        case "breadcrumb":
            return f"{breadcrumb}\n{body}"
        case "breadcrumb twice":
            return f"{breadcrumb}\n{breadcrumb}\n{body}"
        case "other":
            return f"{breadcrumb} > Other\n{body}"
        case "padded":
            return f"{breadcrumb} \n{body}"
        case "prefix":
            return f"{breadcrumb[:-1]}\n{body}"
        case "only":
            return breadcrumb
        case "crlf":
            return f"{breadcrumb}\r\n{body}"
        case "empty":
            return ""
        case "null":
            return None
    return body


def expect_moved(rows: Sequence[Row]) -> list[Moved]:
    """Say what the rows must be afterwards, by other means than SQL."""
    by_id = {row.id: row for row in rows}
    return [_moved(row, _breadcrumbs(row, by_id)) for row in sorted(rows)]


def _breadcrumbs(row: Row, by_id: dict[int, Row]) -> set[str]:
    """Return the lines that may be the breadcrumb of a row."""
    titles: list[tuple[str, str, str]] = []
    parent = row.parent_id
    while parent is not None:
        above = by_id[parent]
        if "-" not in above.level and above.content is not None:
            titles.insert(0, _read_title(above.content))
        parent = above.parent_id
    forms = {" > ".join(form) for form in zip(*titles, strict=True)} - {""}
    return {form for form in forms if len(titles) > 1 or not form.startswith(("# ", "## ", "### ", "##### "))}


def _read_title(content: str) -> tuple[str, str, str]:
    """Return a title as it is written, without marks of a heading, and as it is read."""
    line = content.partition("\n")[0]
    tokens = MarkdownIt().parse(line)
    if not tokens:
        return line, "", ""
    plain = "".join(child.content for child in tokens[1].children or ())
    return line, tokens[1].content if tokens[0].type == "heading_open" else line.strip(), " ".join(plain.split())


def _moved(row: Row, breadcrumbs: set[str]) -> Moved:
    content, found = row.content, None
    if "-" in row.level and content:
        first, newline, rest = content.partition("\n")
        if newline and first in breadcrumbs:
            content, found = rest, first
    status = "to_vec" if row.vector_status == "vec" else row.vector_status
    return Moved(
        row.id, row.parent_id, row.work_id, row.level, content, found, False, row.start_line, row.end_line, status
    )


def reset(rows: Iterable[Row]) -> list[Row]:
    """Return rows as they are when they went up and down: nothing is embedded."""
    return [
        row._replace(embedding=None, vector_status="to_vec") if row.vector_status == "vec" else row
        for row in sorted(rows)
    ]


def write_legacy(url: str, rows: Sequence[Row], titles: tuple[str, str] = ("Guide", "Другая книга")) -> None:
    """Make a database of the older layout, as another program did: without a version of ours."""
    migrate.upgrade(url, "0001")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP TABLE {revisions.VERSION_TABLE}")
        connection.execute("INSERT INTO works VALUES (1, %s), (2, %s)", titles)
        connection.execute("CREATE TEMP TABLE given AS SELECT * FROM chunks")
        columns = ", ".join(Row._fields)
        with connection.cursor() as cursor, cursor.copy(f"COPY given ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        connection.execute(f"INSERT INTO chunks ({columns}) SELECT {columns} FROM given")


def read_legacy(url: str) -> list[Row]:
    """Return the rows of the older layout."""
    with psycopg.connect(url) as connection:
        found = connection.execute(f"SELECT {', '.join(Row._fields)} FROM chunks ORDER BY id").fetchall()
    return [Row(*row) for row in found]


def read_moved(url: str) -> list[Moved]:
    """Return the rows of the newer layout."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT id, parent_id, work_id, level, content, heading_breadcrumbs, embedding IS NOT NULL, "
            "start_line, end_line, vector_status FROM chunks ORDER BY id"
        ).fetchall()
    return [Moved(*row) for row in found]


def read_all(url: str, table: str = "chunks") -> list[tuple[Any, ...]]:
    """Return all that a table holds, as text."""
    with psycopg.connect(url) as connection:
        return connection.execute(f"SELECT {table}::text FROM {table} ORDER BY id").fetchall()


def chain(content: str | None, level: str = "H2-chunk", status: str | None = "to_vec") -> list[Row]:
    """Two headings and a content row below them."""
    return [
        Row(1, None, 1, "H1", "Guide", None, 1, 1, "no_vec"),
        Row(2, 1, 1, "H2", "Install", None, 3, 3, "no_vec"),
        Row(3, 2, 1, level, content, EMBEDDING if status == "vec" else None, 4, 9, status),
    ]


def movable_rows(count: int) -> list[Row]:
    """Rows that all have a breadcrumb to move, except the two headings."""
    content = chain("Guide > Install\ntext", status="vec")[2]
    return [*chain(None)[:2], *(content._replace(id=id) for id in range(3, count + 1))]


ROWS = [
    Row(1, None, 1, "H1", "Guide", None, 1, 1, "no_vec"),
    Row(2, 1, 1, "H2", "Install", None, 3, 3, "no_vec"),
    Row(3, 2, 1, "H2-chunk", "Guide > Install\nRunning the pips.", EMBEDDING, 4, 9, "vec"),
    Row(4, 2, 1, "H2-chunk", "# Install\nIts own heading.", EMBEDDING, 4, 9, "vec"),
    Row(5, 1, 1, "H1-chunk", "# Guide\nIts own heading.", None, 4, 9, "to_vec"),
    Row(6, None, 1, "H1-chunk", "No heading above.\nNone.", EMBEDDING, 4, 9, "vec"),
]
