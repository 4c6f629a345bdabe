"""Find rows of `chunks` that break the rules of the layout, and say what becomes of them.

They are searched for each time, so that a row that was repaired is no longer reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crosshead.store.postgres.database.pool import Connection

_HEADING: Final = "'^H[1-6]$'"
# The line below a title may be its underline.
_MORE_THAN_TITLE: Final = r"regexp_replace(ltrim(row.content, E'\r\n'), '^[^\n]*(\n[=-]+[ \t\r]*(?=\n|$))?', '') ~ '\S'"
_PARENTS: Final = """
SELECT row.id, parent.id FROM chunks AS row
    JOIN chunks AS parent ON parent.id = row.parent_id AND parent.work_id = row.work_id
"""
_ODD_ROWS: Final = rf"""
SELECT id, reason FROM (
    SELECT row.id, concat_ws('; ',
        CASE
            WHEN row.work_id IS NULL THEN 'it names no work, and is not in the index'
            WHEN works.id IS NULL THEN 'its work ' || row.work_id || ' is gone, and it is not in the index'
        END,
        CASE
            WHEN row.parent_id IS NOT NULL AND parent.id IS NULL
            THEN 'its parent ' || row.parent_id || ' was never stored, and it is at the top of its document'
            WHEN works.id IS NOT NULL AND parent.work_id <> row.work_id
            THEN 'its parent ' || row.parent_id || ' is of another work, and it is at the top of its document'
            WHEN works.id IS NOT NULL AND row.id = ANY (%s)
            THEN 'its parents form a circle, and it is not in the index'
        END,
        CASE WHEN COALESCE(row.level !~ '^(H[1-6](-chunk)?|H0-chunk)$', true)
            THEN 'its level ' || COALESCE(row.level, 'NULL') || ' is unknown, and it counts as text'
        END,
        CASE WHEN row.level ~ {_HEADING} AND with_text.parent_id IS NULL AND {_MORE_THAN_TITLE}
            THEN 'its text below the title is in no content row, and is not in the index'
        END
    ) AS reason
    FROM chunks AS row LEFT JOIN works ON works.id = row.work_id LEFT JOIN chunks AS parent ON parent.id = row.parent_id
        LEFT JOIN (
            SELECT DISTINCT parent_id FROM chunks WHERE COALESCE(level !~ {_HEADING}, true)
        ) AS with_text ON with_text.parent_id = row.id
) AS rows
WHERE reason <> '' ORDER BY id
"""


def read_odd_rows(connection: Connection) -> tuple[tuple[int, str], ...]:
    """Return the ids of such rows, each with all that is wrong with it."""
    circling = find_circling(dict(connection.execute(_PARENTS).fetchall()))
    return tuple(connection.execute(_ODD_ROWS, [sorted(circling)]).fetchall())


def find_circling(parents: Mapping[int, int]) -> set[int]:
    """Return the rows whose parents form a circle, and all their descendants: a document is built from the top.

    >>> sorted(find_circling({2: 1, 3: 2, 5: 6, 6: 5, 7: 6}))
    [5, 6, 7]
    """
    circles: dict[int, bool] = {}
    for id in parents:
        chain: dict[int, None] = {}
        at = id
        while at in parents and at not in circles and at not in chain:
            chain[at] = None
            at = parents[at]
        circles |= dict.fromkeys(chain, at in chain or circles.get(at, False))
    return {id for id, is_circling in circles.items() if is_circling}
