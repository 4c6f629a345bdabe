"""Breadcrumbs move from the first line of the content into a separate column.

1. The column is added, unless another program did so before, and a row of `migration_progress` that records how far
   the work is.
2. One statement takes the next 1,000 rows by their id and commits: it compares the first line of every content row with
   the breadcrumb that its place gives, moves it where it is exactly that, notes in `left_alone` every content row where
   it is not, resets what was embedded, and advances the progress. A crash leaves whole batches behind, and the next
   run goes on after the last of them.
3. `migration_progress` is dropped: it exists only between the two revisions, in either direction.

A row whose breadcrumb has been moved is never looked at again, so that an upgrade after an interrupted downgrade cannot
take a second line, and a database that another program has moved, wholly or in part, is taken in from there. Of such a
one only those rows are embedded again whose text changes.
"""

from __future__ import annotations

import logging
from typing import Any

from alembic import op

from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.legacy import migrate
from crosshead.store.postgres.legacy import text_search as older_search
from crosshead.store.postgres.legacy.breadcrumbs import write_contexts
from crosshead.store.postgres.migrations.additions import Additions

revision = "0002"
down_revision = "0001"

ADDS = Additions(
    revision,
    tables=("migration_progress", "left_alone", "older_layout"),
    columns={"chunks": ("heading_breadcrumbs",)},
    taken_over=("heading_breadcrumbs",),
)

_log = logging.getLogger("crosshead.migrations")

_BEFORE_ALL = -(2**31) - 1
"""Lower than any id."""

_PREPARE = f"""
CREATE TABLE IF NOT EXISTS migration_progress (
    revision TEXT PRIMARY KEY,
    direction TEXT NOT NULL,
    last_id BIGINT NOT NULL DEFAULT {_BEFORE_ALL},
    rows INT NOT NULL DEFAULT 0,
    moved INT NOT NULL DEFAULT 0,
    reset INT NOT NULL DEFAULT 0,
    left_alone INT NOT NULL DEFAULT 0
);
ALTER TABLE migration_progress ADD COLUMN IF NOT EXISTS lookalikes INT NOT NULL DEFAULT 0;
ALTER TABLE migration_progress ADD COLUMN IF NOT EXISTS headings INT NOT NULL DEFAULT 0;
ALTER TABLE migration_progress ADD COLUMN IF NOT EXISTS all_vectors BOOLEAN NOT NULL DEFAULT true;
CREATE TABLE IF NOT EXISTS left_alone (id INT PRIMARY KEY, reason TEXT NOT NULL);
ALTER TABLE chunks ADD COLUMN IF NOT EXISTS heading_breadcrumbs TEXT;
"""

_TYPE_OF_COLUMN = """
SELECT format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = 'chunks'::regclass AND attname = 'heading_breadcrumbs' AND NOT attisdropped
"""
_LAST_ID = "SELECT last_id FROM migration_progress"
# Where an earlier version of the program was interrupted, there is no such column.
_ALL_VECTORS = """
COALESCE((SELECT (to_jsonb(migration_progress) ->> 'all_vectors')::boolean FROM migration_progress), true)
"""
_TOTALS = "breadcrumbs %s: %d rows, %d moved, %d to embed again, %d left alone"
_FIGURES = ("rows", "moved", "reset", "left_alone", "lookalikes", "headings")
_READ_TOTALS = f"SELECT {', '.join(_FIGURES)} FROM migration_progress"

# A run in the other direction begins with the first row again.
_BEGIN = """
UPDATE migration_progress SET direction = '{direction}', last_id = DEFAULT, rows = 0, moved = 0, reset = 0,
    left_alone = 0, lookalikes = 0, headings = 0
WHERE direction <> '{direction}';
DELETE FROM left_alone WHERE NOT EXISTS (SELECT FROM migration_progress WHERE last_id > {before_all});
INSERT INTO migration_progress (revision, direction, all_vectors) VALUES ('0002', '{direction}', {all_vectors})
ON CONFLICT DO NOTHING;
"""

_BATCH = r"""
SELECT id, parent_id, content, split_part(content, E'\n', 1) AS line,
    COALESCE(vector_status = 'vec', false) AS embedded, COALESCE(level !~ '^H[1-6]$', true) AS may_move
FROM chunks
"""

# What becomes of every row of `batch`: a content row either moves or has a reason not to.
_JUDGED = r"""
judged AS (
    SELECT batch.*, CASE
        WHEN NOT may_move THEN NULL
        WHEN COALESCE(content, '') = '' THEN 'the content is empty'
        WHEN strpos(content, E'\n') = 0 THEN 'the content is a single line'
        WHEN parent_id IS NOT NULL AND places.id IS NULL THEN 'its parent ' || parent_id || ' was never stored'
        WHEN problem IS NOT NULL THEN problem
        WHEN COALESCE(cardinality(breadcrumbs), 0) = 0 THEN 'there is no heading above it'
        WHEN line <> ALL (breadcrumbs) THEN 'its first line is not the breadcrumb'
    END AS reason
    FROM batch LEFT JOIN pg_temp.places ON places.id = parent_id
)
"""

_COUNTED = r"""
count(*) AS rows,
count(*) FILTER (WHERE may_move AND reason IS NULL) AS moved,
count(*) FILTER (WHERE embedded AND (all_vectors OR may_move AND reason IS NULL)) AS reset,
count(reason) AS left_alone,
count(*) FILTER (
    WHERE all_vectors AND reason IS NOT NULL AND strpos(content, E'\n') > 0 AND strpos(line, ' > ') > 1
) AS lookalikes,
count(*) FILTER (WHERE embedded AND all_vectors AND NOT may_move) AS headings
"""

_PREVIEW = f"""
WITH batch AS ({_BATCH} WHERE {{rows}}), {_JUDGED}
SELECT {_COUNTED} FROM judged, (SELECT {{all_vectors}}) AS run (all_vectors)
"""

_PREVIEW_DOWN = """
SELECT count(heading_breadcrumbs) AS rows, count(heading_breadcrumbs) AS moved,
    count(*) FILTER (WHERE vector_status = 'vec' AND ({reset})) AS reset, 0 AS left_alone
FROM chunks
"""
PREVIEW_DOWN = _PREVIEW_DOWN.format(reset="heading_breadcrumbs IS NOT NULL")
"""What a downgrade would do."""

PREVIEW_DOWN_ALL_VECTORS = _PREVIEW_DOWN.format(reset="true")
"""The same where vectors are of a model that the older layout does not know."""

_MOVE_BATCH = rf"""
WITH batch AS (
    {_BATCH} WHERE heading_breadcrumbs IS NULL AND id > (SELECT last_id FROM migration_progress)
    ORDER BY id LIMIT %s
), {_JUDGED}, moved AS (
    UPDATE chunks SET
        content = {{content}}{{vector}},
        heading_breadcrumbs = line,
        embedding = CASE WHEN embedded THEN NULL ELSE embedding END,
        vector_status = CASE WHEN embedded THEN 'to_vec' ELSE vector_status END
    FROM judged WHERE judged.id = chunks.id AND may_move AND reason IS NULL
), reset AS (
    UPDATE chunks SET embedding = NULL, vector_status = 'to_vec'
    FROM judged, migration_progress
    WHERE judged.id = chunks.id AND embedded AND all_vectors AND (NOT may_move OR reason IS NOT NULL)
), noted AS (
    INSERT INTO left_alone SELECT id, reason FROM judged WHERE reason IS NOT NULL
)
{{advance}}
"""
_MOVED_CONTENT = "substr(chunks.content, length(line) + 2)"

_RESTORE_BATCH = r"""
WITH batch AS (
    SELECT id, heading_breadcrumbs || E'\n' || COALESCE(content, '') AS restored,
        COALESCE(vector_status = 'vec', false) AS embedded
    FROM chunks WHERE heading_breadcrumbs IS NOT NULL AND id > (SELECT last_id FROM migration_progress)
    ORDER BY id LIMIT %s
), restored AS (
    UPDATE chunks SET
        content = {content}{vector},
        heading_breadcrumbs = NULL,
        embedding = CASE WHEN embedded THEN NULL ELSE embedding END,
        vector_status = CASE WHEN embedded THEN 'to_vec' ELSE vector_status END
    FROM batch WHERE batch.id = chunks.id
)
{advance}
"""
_RESTORED_COUNTED = """
count(*) AS rows, count(*) AS moved, count(*) FILTER (WHERE embedded) AS reset, 0 AS left_alone, 0 AS lookalikes,
0 AS headings
"""

_ADVANCE = f"""
UPDATE migration_progress AS progress SET
    last_id = batch.last_id, {", ".join(f"{name} = progress.{name} + batch.{name}" for name in _FIGURES)}
FROM (SELECT max(id) AS last_id, {{counted}} FROM {{source}}) AS batch
WHERE batch.rows > 0
RETURNING {", ".join(f"progress.{name}" for name in _FIGURES)}
"""


def upgrade() -> None:
    """Move the breadcrumbs out of the content."""
    advance = _ADVANCE.format(counted=_COUNTED, source="judged, (SELECT all_vectors FROM migration_progress) AS run")
    _run("up", _MOVE_BATCH, _MOVED_CONTENT, advance)
    op.execute("DROP TABLE migration_progress")


def downgrade() -> None:
    """Put the breadcrumbs back."""
    _run("down", _RESTORE_BATCH, "restored", _ADVANCE.format(counted=_RESTORED_COUNTED, source="batch"))
    op.execute("DROP TABLE migration_progress, left_alone")
    op.execute("ALTER TABLE chunks DROP COLUMN heading_breadcrumbs")
    op.execute("DROP TABLE IF EXISTS older_layout")


def preview(connection: Connection, *, is_unfinished: bool) -> migrate.Effect:
    """Return what an upgrade would still do."""
    write_contexts(connection)
    rows = "heading_breadcrumbs IS NULL" if connection.execute(_TYPE_OF_COLUMN).fetchone() else "true"
    all_vectors = str(not _are_moved(connection))
    if is_unfinished:
        rows += f" AND id > COALESCE(({_LAST_ID} WHERE direction = 'up'), {_BEFORE_ALL})"
        all_vectors = _ALL_VECTORS
    query = _PREVIEW.format(rows=rows, all_vectors=all_vectors)
    return migrate.Effect(*connection.execute(query).fetchone() or (0, 0, 0, 0))


def _are_moved(connection: Connection) -> bool:
    """Return whether another program has moved breadcrumbs before."""
    query = "SELECT EXISTS (SELECT FROM chunks WHERE heading_breadcrumbs IS NOT NULL)"
    has_column = connection.execute(_TYPE_OF_COLUMN).fetchone() is not None
    return has_column and connection.execute(query).fetchone() == (True,)


def widen_column(connection: Connection) -> None:
    """Let a column that another program made hold a breadcrumb of any length."""
    row = connection.execute(_TYPE_OF_COLUMN).fetchone()
    if row and row[0] != "text":
        older_search.note(connection, "heading_breadcrumbs", row[0])
        connection.execute("ALTER TABLE chunks ALTER heading_breadcrumbs TYPE TEXT")


def _run(direction: str, batch: str, content: str, advance: str) -> None:
    """Repeat a statement until it finds no more rows; each time is one commit."""
    context = op.get_context()
    with context.autocommit_block():
        connection: Any = op.get_bind().connection.driver_connection
        all_vectors = not _are_moved(connection)
        begin = _BEGIN.format(direction=direction, all_vectors=all_vectors, before_all=_BEFORE_ALL)
        connection.execute(_PREPARE + begin)
        widen_column(connection)
        write_contexts(connection)
        vector = older_search.assignment(connection, older_search.find_upkeep(connection), content)
        set_vector = f", content_tsvector = {vector}" if vector else ""
        statement = batch.format(content=content, vector=set_vector, advance=advance)
        while found := _run_batch(connection, statement):
            _log.info(_TOTALS, "so far", *found[:4])
        totals = connection.execute(_READ_TOTALS).fetchone()
    _log.info(_TOTALS, "in all", *totals[:4])
    if context.config:
        context.config.attributes["breadcrumbs"] = migrate.Effect(*totals)


def _run_batch(connection: Connection, statement: str) -> tuple[int, ...] | None:
    from psycopg.errors import ProgramLimitExceeded

    try:
        return connection.execute(statement, [migrate.BATCH_ROWS]).fetchone()
    except ProgramLimitExceeded:  # of a trigger, which is then asked for fewer and fewer rows
        with connection.transaction():
            (before,) = connection.execute(_LAST_ID).fetchone() or (_BEFORE_ALL,)
            with older_search.without_triggers(connection):
                found = connection.execute(statement, [migrate.BATCH_ROWS]).fetchone()
            (after,) = connection.execute(_LAST_ID).fetchone() or (before,)
            older_search.refresh(connection, before + 1, after)
            return found
