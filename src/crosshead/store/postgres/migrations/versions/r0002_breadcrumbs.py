"""Breadcrumbs move from the first line of the content into a column of their own.

1. The column is added, and a row of `migration_progress` that says how far the work is.
2. One statement takes the next 1,000 rows by their id and commits: it rebuilds the breadcrumb of every content row from
   the headings above it, moves the first line where it is exactly that, notes in `left_alone` every content row where
   it is not, resets what was embedded, and advances the progress. A crash leaves whole batches behind, and the next
   run goes on after the last of them.
3. `migration_progress` is dropped: it exists only between the two revisions, in either direction.

A row whose breadcrumb has been moved is never looked at again, so that an upgrade after an interrupted downgrade cannot
take a second line.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from alembic import op

from crosshead.store.postgres import migrate
from crosshead.store.postgres.migrations.versions.r0001_older_layout import (
    CREATE_FITTING_VECTOR,
    FITTING_VECTOR,
    without_trigger,
)

if TYPE_CHECKING:
    import psycopg

revision = "0002"
down_revision = "0001"

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
CREATE TABLE IF NOT EXISTS left_alone (id INT PRIMARY KEY, reason TEXT NOT NULL);
ALTER TABLE chunks ADD COLUMN IF NOT EXISTS heading_breadcrumbs TEXT;
"""

_READ_TOTALS = "SELECT rows, moved, reset, left_alone FROM migration_progress"
_TOTALS = "breadcrumbs %s: %d rows, %d moved, %d to embed again, %d left alone"

# A run in the other direction begins with the first row again.
_BEGIN = """
DELETE FROM migration_progress WHERE direction <> '{direction}';
DELETE FROM left_alone WHERE NOT EXISTS (SELECT FROM migration_progress);
INSERT INTO migration_progress (revision, direction) VALUES ('0002', '{direction}') ON CONFLICT DO NOTHING;
"""

# What becomes of every row of `batch`: a content row either moves or has a reason not to.
_JUDGED = r"""
climb AS (
    SELECT id, parent_id AS above, ARRAY[]::TEXT[] AS path, ARRAY[id] AS seen FROM batch WHERE may_move
    UNION ALL
    SELECT climb.id, parent.parent_id,
        CASE WHEN parent.level ~ '^H[1-6]$' THEN parent.content || path ELSE path END, seen || parent.id
    FROM climb JOIN chunks parent ON parent.id = climb.above WHERE parent.id <> ALL (seen)
), judged AS (
    SELECT batch.*, breadcrumb, CASE
        WHEN NOT may_move THEN NULL
        WHEN COALESCE(content, '') = '' THEN 'the content is empty'
        WHEN strpos(content, E'\n') = 0 THEN 'the content is a single line'
        WHEN breadcrumb IS NULL THEN 'its parents form a circle'
        WHEN breadcrumb = '' THEN 'there is no heading above it'
        WHEN split_part(content, E'\n', 1) <> breadcrumb THEN 'its first line is not the breadcrumb'
    END AS reason
    FROM batch LEFT JOIN (
        SELECT id, array_to_string(path, ' > ') AS breadcrumb FROM climb WHERE above IS NULL
    ) AS chain USING (id)
)
"""

_COUNTED = """
count(*) AS rows,
count(*) FILTER (WHERE may_move AND reason IS NULL) AS moved,
count(*) FILTER (WHERE embedded) AS reset,
count(reason) AS left_alone
"""

_BATCH = """
SELECT id, parent_id, content, COALESCE(vector_status = 'vec', false) AS embedded,
    COALESCE(right(level, 6) = '-chunk', false) AS may_move
FROM chunks
"""

PREVIEW = f"WITH RECURSIVE batch AS ({_BATCH}), {_JUDGED} SELECT {_COUNTED} FROM judged"
"""What an upgrade of all rows would do."""

PREVIEW_REST = f"""
WITH RECURSIVE batch AS (
    {_BATCH} WHERE heading_breadcrumbs IS NULL
    AND id > COALESCE((SELECT last_id FROM migration_progress WHERE direction = 'up'), {_BEFORE_ALL})
), {_JUDGED} SELECT {_COUNTED} FROM judged
"""
"""What an upgrade that was interrupted would still do."""

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
WITH RECURSIVE batch AS (
    {_BATCH} WHERE heading_breadcrumbs IS NULL AND id > (SELECT last_id FROM migration_progress)
    ORDER BY id LIMIT %s
), {_JUDGED}, moved AS (
    UPDATE chunks SET
        content = substr(chunks.content, length(breadcrumb) + 2),
        heading_breadcrumbs = breadcrumb,
        content_tsvector = {FITTING_VECTOR}(substr(chunks.content, length(breadcrumb) + 2)),
        embedding = CASE WHEN embedded THEN NULL ELSE embedding END,
        vector_status = CASE WHEN embedded THEN 'to_vec' ELSE vector_status END
    FROM judged WHERE judged.id = chunks.id AND may_move AND reason IS NULL
), reset AS (
    UPDATE chunks SET embedding = NULL, vector_status = 'to_vec'
    FROM judged WHERE judged.id = chunks.id AND embedded AND (NOT may_move OR reason IS NOT NULL)
), noted AS (
    INSERT INTO left_alone SELECT id, reason FROM judged WHERE reason IS NOT NULL
)
UPDATE migration_progress AS progress SET
    last_id = batch.last_id,
    rows = progress.rows + batch.rows,
    moved = progress.moved + batch.moved,
    reset = progress.reset + batch.reset,
    left_alone = progress.left_alone + batch.left_alone
FROM (SELECT max(id) AS last_id, {_COUNTED} FROM judged) AS batch
WHERE batch.rows > 0
RETURNING progress.rows, progress.moved, progress.reset, progress.left_alone
"""

_RESTORE_BATCH = rf"""
WITH batch AS (
    SELECT id, heading_breadcrumbs || E'\n' || COALESCE(content, '') AS restored,
        COALESCE(vector_status = 'vec', false) AS embedded
    FROM chunks WHERE heading_breadcrumbs IS NOT NULL AND id > (SELECT last_id FROM migration_progress)
    ORDER BY id LIMIT %s
), restored AS (
    UPDATE chunks SET
        content = restored,
        heading_breadcrumbs = NULL,
        content_tsvector = {FITTING_VECTOR}(restored),
        embedding = CASE WHEN embedded THEN NULL ELSE embedding END,
        vector_status = CASE WHEN embedded THEN 'to_vec' ELSE vector_status END
    FROM batch WHERE batch.id = chunks.id
)
UPDATE migration_progress AS progress SET
    last_id = batch.last_id,
    rows = progress.rows + batch.rows,
    moved = progress.moved + batch.rows,
    reset = progress.reset + batch.reset
FROM (
    SELECT max(id) AS last_id, count(*) AS rows, count(*) FILTER (WHERE embedded) AS reset FROM batch
) AS batch
WHERE batch.rows > 0
RETURNING progress.rows, progress.moved, progress.reset, progress.left_alone
"""


def upgrade() -> None:
    """Move the breadcrumbs out of the content."""
    _run("up", _MOVE_BATCH)
    op.execute("DROP TABLE migration_progress")


def downgrade() -> None:
    """Put the breadcrumbs back."""
    _run("down", _RESTORE_BATCH)
    op.execute("DROP TABLE migration_progress, left_alone")
    op.execute("ALTER TABLE chunks DROP COLUMN heading_breadcrumbs")


def _run(direction: str, batch: str) -> None:
    """Run a statement until it finds no more rows; each time is a commit of its own."""
    context = op.get_context()
    with context.autocommit_block():
        connection: Any = op.get_bind().connection.driver_connection
        connection.execute(_PREPARE + _BEGIN.format(direction=direction))
        connection.execute(CREATE_FITTING_VECTOR)
        while found := _run_batch(connection, batch):
            _log.info(_TOTALS, "so far", *found)
        totals = connection.execute(_READ_TOTALS).fetchone()
    _log.info(_TOTALS, "in all", *totals)
    if context.config:
        context.config.attributes["breadcrumbs"] = migrate.Effect(*totals)


def _run_batch(connection: psycopg.Connection[Any], batch: str) -> tuple[int, ...] | None:
    with without_trigger(connection):
        return connection.execute(batch, [migrate.BATCH_ROWS]).fetchone()
