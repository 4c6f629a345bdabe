"""The text search vector of the older layout, and what keeps it up to date.

Usually that is a trigger, of any name, function and language; it may also be a generated column, or the older program
itself. Its definition is noted in `older_layout`, and restored from there. A trigger updates the vectors of rows that
change. If it fails, because a vector holds at most a megabyte, the vector is made from the beginning of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from crosshead.store.postgres.database.pool import Connection

OLDER_LAYOUT: Final = "CREATE TABLE IF NOT EXISTS older_layout (name TEXT PRIMARY KEY, definition TEXT NOT NULL)"
FITTING_VECTOR: Final = "pg_temp.fitting_vector"
"""The function that makes the vector of a text in a language; from its beginning if the whole is too long."""

_CREATE_FITTING_VECTOR: Final = f"""
CREATE OR REPLACE FUNCTION {FITTING_VECTOR}(language regconfig, content TEXT) RETURNS tsvector LANGUAGE plpgsql AS $$
BEGIN
    RETURN to_tsvector(language, COALESCE(content, ''));
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN {FITTING_VECTOR}(language, left(content, length(content) / 2));
END
$$
"""
_TRIGGERS: Final = """
SELECT tgname, pg_get_triggerdef(pg_trigger.oid), tgenabled::text, tgfoid::regproc::text,
    CASE WHEN pronamespace <> 'pg_catalog'::regnamespace THEN pg_get_functiondef(tgfoid) END
FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE tgrelid = 'chunks'::regclass AND NOT tgisinternal
    AND (prosrc LIKE '%content_tsvector%' OR encode(tgargs, 'escape') LIKE '%content_tsvector%')
ORDER BY tgname
"""
_COLUMN: Final = """
SELECT attgenerated::text, pg_get_expr(adbin, adrelid) FROM pg_attribute
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attrelid = 'chunks'::regclass AND attname = 'content_tsvector' AND NOT attisdropped
"""
# The language that the vectors of some rows were made in; no row if there are no vectors.
_LANGUAGE: Final = """
WITH sample AS MATERIALIZED (
    SELECT content, content_tsvector FROM chunks WHERE content_tsvector <> '' AND length(content) < 10000 LIMIT 50
)
SELECT pg_ts_config.oid::regconfig::text FROM pg_ts_config WHERE EXISTS (SELECT FROM sample)
ORDER BY (SELECT count(*) FROM sample WHERE to_tsvector(pg_ts_config.oid::regconfig, content) = content_tsvector) DESC,
    cfgname <> 'english', cfgname
LIMIT 1
"""
_TOUCH: Final = "UPDATE chunks SET content = content WHERE id BETWEEN %s AND %s"
_SET_CONTENT: Final = "UPDATE chunks SET content = %s WHERE id = %s"
_STATES: Final = {"O": "ENABLE", "D": "DISABLE", "R": "ENABLE REPLICA", "A": "ENABLE ALWAYS"}

CREATE_FUNCTION: Final = """
CREATE OR REPLACE FUNCTION chunks_tsvector_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.content_tsvector := to_tsvector('english', COALESCE(NEW.content, ''));
    RETURN NEW;
END
$$
"""
_BODY: Final = CREATE_FUNCTION.split("$$")[1]
CREATE_TRIGGER: Final = """
CREATE TRIGGER tsvector_update BEFORE INSERT OR UPDATE ON chunks
FOR EACH ROW EXECUTE FUNCTION chunks_tsvector_update()
"""

MISSING, BY_TRIGGER, BY_PROGRAM = "missing", "by a trigger", "by the program in "
GENERATED: Final = "GENERATED ALWAYS AS "


class Trigger(NamedTuple):
    """What keeps the vector up to date."""

    name: str
    definition: str
    enabled: str
    """As in `pg_trigger.tgenabled`."""
    function: str
    function_definition: str | None
    """None of one that the server brings along."""


def find_triggers(connection: Connection) -> list[Trigger]:
    """Return the triggers that write the vector."""
    return [Trigger(*row) for row in connection.execute(_TRIGGERS)]


def find_upkeep(connection: Connection) -> str:
    """Return what keeps the vector up to date."""
    column = connection.execute(_COLUMN).fetchone()
    if column is None:
        return MISSING
    if column[0]:
        return f"{GENERATED}({column[1]}) STORED"
    if find_triggers(connection):
        return BY_TRIGGER
    (language,) = connection.execute(_LANGUAGE).fetchone() or ("",)
    return f"{BY_PROGRAM}{language}"


def assignment(connection: Connection, upkeep: str, content: str) -> str:
    """Return the value that an update must set the vector to; empty if the database does it, or there is no vector."""
    language = upkeep.removeprefix(BY_PROGRAM)
    if language in ("", upkeep):
        return ""
    connection.execute(_CREATE_FITTING_VECTOR)
    return f"{FITTING_VECTOR}('{language}', {content})"


@contextmanager
def without_triggers(connection: Connection) -> Iterator[None]:
    """Run a transaction whose updates do not change the vectors."""
    with connection.transaction():
        triggers = find_triggers(connection)
        for trigger in triggers:
            _enable(connection, trigger.name, "D")
        yield
        for trigger in triggers:
            _enable(connection, trigger.name, trigger.enabled)


def refresh(connection: Connection, first: int, last: int) -> None:
    """Have triggers rebuild the vectors of all rows from one id to another."""
    from psycopg.errors import ProgramLimitExceeded

    try:
        with connection.transaction():
            connection.execute(_TOUCH, [first, last])
    except ProgramLimitExceeded:
        if first == last:
            _refresh_by_beginning(connection, first)
        else:
            middle = (first + last) // 2
            refresh(connection, first, middle)
            refresh(connection, middle + 1, last)


def _refresh_by_beginning(connection: Connection, row: int) -> None:
    """Halve a text until the trigger accepts it, then restore the text without the trigger."""
    from psycopg.errors import ProgramLimitExceeded

    (whole,) = connection.execute("SELECT content FROM chunks WHERE id = %s", [row]).fetchone() or ("",)
    beginning = whole
    while True:
        beginning = beginning[: len(beginning) // 2]
        with suppress(ProgramLimitExceeded), connection.transaction():
            connection.execute(_SET_CONTENT, [beginning, row])
            break
    with without_triggers(connection):
        connection.execute(_SET_CONTENT, [whole, row])


def replace_vector(connection: Connection) -> None:
    """Drop the vector with its triggers, and note what is needed to restore them."""
    note(connection, "content_tsvector", find_upkeep(connection))
    for generated, default in connection.execute(_COLUMN).fetchall():
        if default and not generated:
            note(connection, "default of content_tsvector", default)
    for trigger in find_triggers(connection):
        note(connection, f"trigger {trigger.name}", trigger.definition)
        note(connection, f"enabled {trigger.name}", trigger.enabled)
        if trigger.function_definition:
            note(connection, f"function {trigger.function}", trigger.function_definition)
        connection.execute(f"DROP TRIGGER {_quoted(trigger.name)} ON chunks")
        if _BODY in (trigger.function_definition or ""):
            _drop_function(connection, trigger.function)
    connection.execute("ALTER TABLE chunks DROP COLUMN IF EXISTS content_tsvector")


def _drop_function(connection: Connection, function: str) -> None:
    """Drop a function, unless it belongs to another user or has other uses."""
    from psycopg import errors

    with suppress(errors.InsufficientPrivilege, errors.DependentObjectsStillExist), connection.transaction():
        connection.execute(f"DROP FUNCTION {function}()")


def restore_vector(connection: Connection) -> None:
    """Restore the vector and its triggers."""
    (upkeep,) = recall(connection, "content_tsvector").values() or (BY_TRIGGER,)
    if upkeep == MISSING:
        return
    generated = upkeep if upkeep.startswith(GENERATED) else ""
    connection.execute(f"ALTER TABLE chunks ADD COLUMN content_tsvector TSVECTOR {generated}")
    for default in recall(connection, "default of content_tsvector").values():
        connection.execute(f"ALTER TABLE chunks ALTER content_tsvector SET DEFAULT {default}")
    if value := assignment(connection, upkeep, "content"):
        # The database rewrites the table, which takes less time and space than an update of every row.
        connection.execute(f"ALTER TABLE chunks ALTER content_tsvector TYPE TSVECTOR USING {value}")
    if upkeep == BY_TRIGGER:
        _restore_triggers(connection)


def _restore_triggers(connection: Connection) -> None:
    for function, definition in recall(connection, "function ").items():
        if connection.execute("SELECT to_regproc(%s) IS NULL", [function]).fetchone() == (True,):
            connection.execute(definition)
    for definition in recall(connection, "trigger ").values() or (CREATE_FUNCTION, CREATE_TRIGGER):
        connection.execute(definition)
    for first, last in connection.execute("SELECT min(id), max(id) FROM chunks HAVING count(*) > 0").fetchall():
        refresh(connection, first, last)
    for name, enabled in recall(connection, "enabled ").items():
        _enable(connection, name, enabled)


def note(connection: Connection, name: str, definition: str) -> None:
    """Note what a downgrade cannot find out any more."""
    connection.execute(OLDER_LAYOUT)
    connection.execute("INSERT INTO older_layout VALUES (%s, %s) ON CONFLICT DO NOTHING", [name, definition])


def recall(connection: Connection, prefix: str) -> dict[str, str]:
    """Return what was noted under names with a prefix, by the rest of the name."""
    query = "SELECT name, definition FROM older_layout WHERE starts_with(name, %s) ORDER BY name"
    return {name.removeprefix(prefix): definition for name, definition in connection.execute(query, [prefix])}


def _enable(connection: Connection, trigger: str, state: str) -> None:
    connection.execute(f"ALTER TABLE chunks {_STATES[state]} TRIGGER {_quoted(trigger)}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
