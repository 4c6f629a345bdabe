"""Find what would make a migration fail, before it changes anything.

Each obstacle is a line that names the object and says what to do with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.database.revisions import VERSION_TABLE
from crosshead.store.postgres.legacy.tables import describe_triggers, find_rules, find_unfit
from crosshead.store.postgres.legacy.text_search import find_triggers
from crosshead.store.postgres.migrations.additions import Additions, read_additions
from crosshead.store.postgres.migrations.versions import r0002_breadcrumbs as breadcrumbs
from crosshead.store.postgres.migrations.versions import r0003_index as index
from crosshead.store.postgres.migrations.versions import r0004_older_rows as older_rows

_RIGHTS = """
SELECT 'CREATE ON SCHEMA ' || quote_ident(current_schema()) || ' TO ' || quote_ident(current_user)
WHERE NOT has_schema_privilege(current_schema(), 'CREATE')
UNION ALL
SELECT 'TEMPORARY ON DATABASE ' || quote_ident(current_database()) || ' TO ' || quote_ident(current_user)
WHERE NOT has_database_privilege(current_database(), 'TEMPORARY')
"""
_OF_OTHERS = """
SELECT relname FROM pg_class
WHERE relname = ANY (%s) AND relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND NOT pg_has_role(relowner, 'USAGE')
ORDER BY 1
"""
_ENCODING = "SELECT getdatabaseencoding()"
_TAKEN_RELATIONS = """
SELECT name FROM unnest(%s::text[]) WITH ORDINALITY AS names (name, place)
WHERE EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = current_schema()::regnamespace)
    OR EXISTS (SELECT FROM pg_type WHERE typname = name AND typnamespace = current_schema()::regnamespace)
ORDER BY place
"""
_TAKEN_COLUMNS = """
SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attname = ANY (%s) AND NOT attisdropped ORDER BY 1
"""
_TAKEN_CONSTRAINTS = """
SELECT conname FROM pg_constraint WHERE conrelid = 'chunks'::regclass AND conname = ANY (%s) ORDER BY 1
"""
_TYPE = """
SELECT format_type(atttypid, NULL) FROM pg_attribute
WHERE attrelid = 'chunks'::regclass AND attname = 'heading_breadcrumbs' AND NOT attisdropped
"""
_DEPENDENTS = """
SELECT DISTINCT attname, CASE
    WHEN classid = 'pg_rewrite'::regclass
    THEN (SELECT pg_describe_object('pg_class'::regclass, ev_class, 0) FROM pg_rewrite WHERE oid = objid)
    WHEN classid = 'pg_attrdef'::regclass
    THEN (SELECT pg_describe_object('pg_class'::regclass, adrelid, adnum) FROM pg_attrdef WHERE oid = objid)
    ELSE pg_describe_object(classid, objid, objsubid)
END
FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
WHERE refclassid = 'pg_class'::regclass AND refobjid = %(table)s::regclass AND attname = ANY (%(columns)s)
    AND (deptype = 'n' OR classid = 'pg_attrdef'::regclass)
    AND NOT EXISTS (
        SELECT FROM pg_attrdef JOIN pg_attribute AS own ON own.attrelid = adrelid AND own.attnum = adnum
        WHERE pg_attrdef.oid = objid AND adrelid = refobjid AND own.attname = ANY (%(columns)s)
    )
    AND NOT (classid = 'pg_trigger'::regclass
        AND objid IN (SELECT oid FROM pg_trigger WHERE tgrelid = refobjid AND tgname = ANY (%(triggers)s)))
ORDER BY 1, 2
"""
# Views of a table, and keys of other tables that refer to it.
_DEPENDENTS_OF_TABLE = """
SELECT DISTINCT CASE
    WHEN classid = 'pg_rewrite'::regclass
    THEN (SELECT pg_describe_object('pg_class'::regclass, ev_class, 0) FROM pg_rewrite WHERE oid = objid)
    ELSE pg_describe_object(classid, objid, objsubid)
END
FROM pg_depend WHERE refclassid = 'pg_class'::regclass AND refobjid = to_regclass(%(table)s) AND deptype = 'n'
    AND NOT (classid = 'pg_constraint'::regclass
        AND objid IN (SELECT oid FROM pg_constraint WHERE conrelid = to_regclass(%(table)s)))
ORDER BY 1
"""


def of_upgrade(connection: Connection, before: str, after: str, *, is_unfinished: bool) -> Iterator[str]:
    """Yield the obstacles to an upgrade."""
    yield from _missing_rights(connection, before)
    if before < index.revision:
        yield from _unfit_tables(connection, after)
    elif before < older_rows.revision:
        for table in ("works", "chunks"):
            yield from find_rules(connection, table)
    for adds in _between(before, after):
        if not (is_unfinished and adds.revision == breadcrumbs.revision):
            yield from _taken_names(connection, adds)


def of_downgrade(connection: Connection, before: str, after: str) -> Iterator[str]:
    """Yield the obstacles to a downgrade: objects that depend on what it drops, and rules."""
    yield from _missing_rights(connection, before)
    for adds in reversed(_between(after, before)):
        for table, columns in adds.columns.items():
            yield from _dependents(connection, table, columns)
        for table in adds.tables:
            for (dependent,) in connection.execute(_DEPENDENTS_OF_TABLE, {"table": table}):
                yield _in_the_way(dependent, table)
    if after < index.revision:
        for table in ("works", "chunks"):
            yield from find_rules(connection, table)


def find_triggers_that_fire(connection: Connection, before: str, after: str) -> Iterator[str]:
    """Yield notes about triggers of tables whose rows a migration changes."""
    low, high = sorted((before, after))
    if low < older_rows.revision <= high or low < index.revision <= high:
        for table in ("works", "chunks"):
            yield from describe_triggers(connection, table)


def _missing_rights(connection: Connection, revision: str) -> Iterator[str]:
    own = [table for adds in _between("", revision) for table in adds.tables]
    for (table,) in connection.execute(_OF_OTHERS, [["works", "chunks", VERSION_TABLE, *own]]):
        yield f"table {table} belongs to another user: connect as its owner"
    for (right,) in connection.execute(_RIGHTS):
        yield f"this user may not create what is needed: let the owner run GRANT {right}"


def _between(low: str, high: str) -> list[Additions]:
    return [adds for adds in read_additions() if low < adds.revision <= high]


def _unfit_tables(connection: Connection, after: str) -> Iterator[str]:
    (encoding,) = connection.execute(_ENCODING).fetchone() or ("",)
    if encoding != "UTF8":
        yield (
            f"the database is encoded in {encoding}, which does not have every character: restore a backup of it into "
            "one that is made with createdb --encoding=UTF8 --template=template0"
        )
    for table in ("works", "chunks"):
        yield from find_unfit(connection, table)
    if connection.execute(_TYPE).fetchone() not in (None, ("text",)):
        yield from _dependents(connection, "chunks", ["heading_breadcrumbs"])
    if after >= index.revision:
        yield from _dependents(connection, "chunks", ["content_tsvector"])


def _taken_names(connection: Connection, adds: Additions) -> Iterator[str]:
    for table, columns in adds.columns.items():
        own = [name for name in columns if name not in adds.taken_over]
        for (name,) in connection.execute(_TAKEN_COLUMNS, [table, own]):
            yield f"column {table}.{name} is in the way of a column of Crosshead: rename it"
    for (name,) in connection.execute(_TAKEN_RELATIONS, [[*adds.tables, *adds.relations]]):
        yield f"{name} is in the way of a table or index of Crosshead: rename it"
    for (name,) in connection.execute(_TAKEN_CONSTRAINTS, [list(adds.constraints)]):
        yield f"constraint {name} of table chunks is in the way of one of Crosshead: rename it"


def _dependents(connection: Connection, table: str, columns: Iterable[str]) -> Iterator[str]:
    """Yield objects that depend on columns that are dropped or get another type."""
    triggers = [trigger.name for trigger in find_triggers(connection)]
    parameters = {"table": table, "columns": list(columns), "triggers": triggers}
    for column, dependent in connection.execute(_DEPENDENTS, parameters):
        yield _in_the_way(dependent, f"{table}.{column}")


def _in_the_way(dependent: str, on: str) -> str:
    return f"{dependent} depends on {on}, which is rebuilt or dropped: drop it, and create it again afterwards"
