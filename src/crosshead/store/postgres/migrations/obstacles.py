"""What would make a migration fail, to be told before anything is changed.

Each is a line that names the object and says what to do with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crosshead.store.postgres.database import Connection
from crosshead.store.postgres.migrations.older_search import find_triggers
from crosshead.store.postgres.migrations.versions import r0002_breadcrumbs as breadcrumbs
from crosshead.store.postgres.migrations.versions import r0003_index as index
from crosshead.store.postgres.migrations.versions import r0006_filters as filters

_OWN_RELATION = "to_regclass(quote_ident(current_schema()) || '.' || %s)"
_TABLE = """
SELECT CASE relkind WHEN 'r' THEN '' ELSE pg_describe_object('pg_class'::regclass, pg_class.oid, 0) END,
    pg_has_role(relowner, 'USAGE'),
    EXISTS (
        SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attname = 'id'
        WHERE indrelid = pg_class.oid AND indisunique AND indkey::text = attnum::text AND indpred IS NULL
    )
FROM pg_class WHERE pg_class.oid = %s::regclass
"""
_COLUMNS = """
SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
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
_VIEWS = """
SELECT DISTINCT pg_describe_object('pg_class'::regclass, ev_class, 0)
FROM pg_depend JOIN pg_rewrite ON pg_rewrite.oid = objid
WHERE classid = 'pg_rewrite'::regclass AND refobjid = %s::regclass ORDER BY 1
"""

TYPES = {
    "works": {"id": "integer"},
    "chunks": dict.fromkeys(("id", "parent_id", "work_id", "start_line", "end_line"), "integer")
    | {"embedding": "vector"},
}
"""What rows are written with."""
NEW_TABLES = ("windows", "index_settings")
NEW_INDEXES = (*index.INDEXES, "chunks_waiting", "chunks_words", "chunks_titles", "works_source")


def of_upgrade(connection: Connection, after: str) -> Iterator[str]:
    """Return what is in the way of an upgrade from the older layout."""
    for table in ("works", "chunks"):
        yield from _unfit_table(connection, table)
    if _types(connection, "chunks").get("heading_breadcrumbs", "text") != "text":
        yield from _dependents(connection, "chunks", ["heading_breadcrumbs"])
    if after >= index.revision:
        yield from _taken_names(connection)
        yield from _dependents(connection, "chunks", ["content_tsvector"])


def of_downgrade(connection: Connection, before: str, after: str) -> Iterator[str]:
    """Return what is in the way of a downgrade: all that holds on to what it drops."""
    if after < filters.revision <= before:
        yield from _dependents(connection, "chunks", ["title_keys"])
    if after < index.revision <= before:
        yield from _dependents(connection, "works", index.WORKS)
        yield from _dependents(connection, "chunks", index.CHUNKS)
        for table in NEW_TABLES:
            for (view,) in connection.execute(_VIEWS, [table]):
                yield _in_the_way(view, table)
    if after < breadcrumbs.revision <= before:
        yield from _dependents(connection, "chunks", ["heading_breadcrumbs"])


def _unfit_table(connection: Connection, table: str) -> Iterator[str]:
    kind, is_owner, is_unique = connection.execute(_TABLE, [table]).fetchone() or ("", True, False)
    types = _types(connection, table)
    if kind:
        yield f"{kind} is no plain table: copy its rows into one of that name"
    if not is_owner:
        yield f"table {table} belongs to another user: connect as its owner"
    if table == "works" and "title" not in types:
        yield "column works.title is missing: run ALTER TABLE works ADD title TEXT, and say there what works are called"
    for column, wanted in TYPES[table].items():
        if types.get(column) != wanted:
            yield f"column {table}.{column} is of another type: run ALTER TABLE {table} ALTER {column} TYPE {wanted}"
    if not is_unique:
        yield f"column {table}.id has no unique index: run ALTER TABLE {table} ADD PRIMARY KEY (id)"


def _taken_names(connection: Connection) -> Iterator[str]:
    for table, added in (("works", index.WORKS), ("chunks", index.CHUNKS | {"title_keys": ""})):
        query = "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attname = ANY (%s) ORDER BY 1"
        for (name,) in connection.execute(query, [table, sorted(added.keys() - {"content_tsvector"})]):
            yield f"column {table}.{name} is in the way of a column of Crosshead: rename it"
    for name in (*NEW_TABLES, *NEW_INDEXES):
        if connection.execute(f"SELECT {_OWN_RELATION} IS NOT NULL", [name]).fetchone() == (True,):
            yield f"{name} is in the way of a table or index of Crosshead: rename it"


def _dependents(connection: Connection, table: str, columns: Iterable[str]) -> Iterator[str]:
    """Return objects that hold on to columns which are dropped, or get another type."""
    triggers = [trigger.name for trigger in find_triggers(connection)]
    asked = {"table": table, "columns": list(columns), "triggers": triggers}
    for column, dependent in connection.execute(_DEPENDENTS, asked):
        yield _in_the_way(dependent, f"{table}.{column}")


def _in_the_way(dependent: str, on: str) -> str:
    return f"{dependent} depends on {on}, which is made anew or dropped: drop it, and create it again afterwards"


def _types(connection: Connection, table: str) -> dict[str, str]:
    return dict(connection.execute(_COLUMNS, [table]).fetchall())
