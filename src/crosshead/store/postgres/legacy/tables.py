"""Find what in the older tables would refuse rows that Crosshead writes.

1. The columns that Crosshead writes: their type, and whether they may be NULL.
2. Columns that only the older program has: new rows have no value for them.
3. Constraints: they may stay if no row that Crosshead writes can violate them. A check of levels and states is tried on
   all of their values; a check of texts or lines may refuse a document.
4. Rules: their effect on a row cannot be known. That of triggers cannot either, but most are harmless: they are named
   and stay.

Each obstacle is a line that names the object and says what to do with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any, NamedTuple

from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.legacy.text_search import find_triggers
from crosshead.store.postgres.rows import conversion as rows

LEVELS = (*(f"H{level}" for level in range(1, 7)), *(f"H{level}-chunk" for level in range(7)))
STATES = (rows.NO_VECTOR, rows.TO_EMBED, rows.EMBEDDED, rows.FAILED)


class Written(NamedTuple):
    """A column as Crosshead writes it."""

    type: str
    longest: int | None = None
    """Most characters of a text; None if any number is possible."""
    may_be_null: bool = False


_INTEGER = Written("integer")
WRITTEN: Mapping[str, Mapping[str, Written]] = {
    "works": {"id": _INTEGER, "title": Written("text")},
    "chunks": {
        "id": _INTEGER,
        "parent_id": Written("integer", may_be_null=True),
        "work_id": _INTEGER,
        "level": Written("text", max(map(len, LEVELS))),
        "content": Written("text"),
        "heading_breadcrumbs": Written("text", 0, may_be_null=True),  # the migration makes it longer
        "embedding": Written("vector", may_be_null=True),
        "start_line": _INTEGER,
        "end_line": _INTEGER,
        "vector_status": Written("text", max(map(len, STATES))),
        "content_tsvector": Written("tsvector", may_be_null=True),
    },
}
_REPLACED = "content_tsvector"
"""The column that Crosshead drops and recreates."""
_TEXTS = ("text", "character varying")

_TABLE = """
SELECT CASE relkind WHEN 'r' THEN '' ELSE pg_describe_object('pg_class'::regclass, pg_class.oid, 0) END,
    relpersistence = 'p', row_security_active(pg_class.oid),
    EXISTS (
        SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attname = 'id'
        WHERE indrelid = pg_class.oid AND indisunique AND indimmediate AND indisvalid AND attnotnull
            AND indkey::text = attnum::text AND indpred IS NULL
    ),
    (relreplident = 'n' OR relreplident = 'd'
        AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary))
        AND EXISTS (SELECT FROM pg_publication_tables WHERE tablename = relname AND schemaname = current_schema())
FROM pg_class WHERE pg_class.oid = %s::regclass
"""
_COLUMNS = """
SELECT attname, format_type(atttypid, NULL), format_type(atttypid, atttypmod), atttypmod - 4,
    attnotnull OR typnotnull, atthasdef OR attidentity <> '', attgenerated::text
FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_CHILDREN = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = %s::regclass ORDER BY 1"
_NAMED = (
    "(SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = {table} AND attnum = ANY ({keys}))"
)
_CHECKS = f"""
SELECT quote_ident(conname), pg_get_constraintdef(oid), pg_get_expr(conbin, conrelid),
    CASE WHEN 0 = ANY (conkey) THEN %(written)s::name[] ELSE {_NAMED.format(table="conrelid", keys="conkey")} END
FROM pg_constraint WHERE contype = 'c' AND conrelid = %(table)s::regclass ORDER BY 1
"""
# A key that is never the same twice cannot be broken: it holds an id, or a column that new rows leave empty.
_UNIQUE = """
SELECT CASE WHEN conname IS NULL THEN indexrelid::regclass::text ELSE quote_ident(conname) END,
    COALESCE(pg_get_constraintdef(pg_constraint.oid), pg_get_indexdef(indexrelid)), conname IS NOT NULL
FROM pg_index LEFT JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u', 'x') AND conrelid = indrelid
WHERE indrelid = %(table)s::regclass AND (indisunique OR indisexclusion) AND NOT EXISTS (
    SELECT FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = indrelid AND attnum = ANY ((indkey::int2[])[0:indnkeyatts - 1])
        AND (attname = 'id' OR attidentity <> '' OR pg_get_expr(adbin, adrelid) ~ '(nextval|uuid[a-z0-9_]*)\\('
            OR attname <> ALL (%(written)s) AND NOT attnotnull AND adbin IS NULL
                AND (to_jsonb(pg_index) -> 'indnullsnotdistinct') IS DISTINCT FROM 'true')
)
ORDER BY 1
"""
_FOREIGN_KEYS = f"""
SELECT quote_ident(conname), pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint
WHERE contype = 'f' AND conrelid = %(table)s::regclass
    AND {_NAMED.format(table="conrelid", keys="conkey")} && %(written)s::name[]
    AND NOT (conrelid = 'chunks'::regclass AND confrelid = 'chunks'::regclass
        AND {_NAMED.format(table="conrelid", keys="conkey")} = '{{parent_id}}')
    AND NOT (confrelid = 'works'::regclass
        AND {_NAMED.format(table="conrelid", keys="conkey")} = '{{work_id}}')
ORDER BY 1
"""
_TRIGGERS = """
SELECT tgname, quote_ident(tgname) FROM pg_trigger
WHERE tgrelid = %s::regclass AND NOT tgisinternal AND tgenabled <> 'D' ORDER BY 1
"""
_BREAKS = """
SELECT EXISTS (
    SELECT FROM unnest(%s::varchar[]) AS levels (level), unnest(%s::varchar[]) AS states (vector_status)
    WHERE NOT ({check})
)
"""
_RULES = (
    "SELECT quote_ident(rulename) FROM pg_rewrite WHERE ev_class = %s::regclass AND rulename <> '_RETURN' ORDER BY 1"
)


def find_unfit(connection: Connection, table: str) -> Iterator[str]:
    """Return what of a table Crosshead cannot work with."""
    yield from _unfit_table(connection, table)
    yield from _unfit_columns(connection, table)
    yield from _constraints(connection, table)
    yield from find_rules(connection, table)


def find_rules(connection: Connection, table: str) -> Iterator[str]:
    """Return the rules that change what happens to rows."""
    for (name,) in connection.execute(_RULES, [table]):
        drop = f"run DROP RULE {name} ON {table}, and create it again afterwards"
        yield f"rule {name} of table {table} is applied to rows that change: {drop}"


def describe_triggers(connection: Connection, table: str) -> Iterator[str]:
    """Return what to know about triggers, except those that write text search vectors, which are replaced."""
    known = [trigger.name for trigger in find_triggers(connection)] if table == "chunks" else []
    for name, quoted in connection.execute(_TRIGGERS, [table]):
        if name not in known:
            yield (
                f"trigger {quoted} of table {table} fires for every row that changes: if it should not, run ALTER"
                f" TABLE {table} DISABLE TRIGGER {quoted}, and enable it again afterwards"
            )


def _unfit_table(connection: Connection, table: str) -> Iterator[str]:
    kind, is_logged, is_secured, has_key, lacks_identity = connection.execute(_TABLE, [table]).fetchone() or (
        ("", True, False, True, False)
    )
    if kind:
        yield f"{kind} is no plain table: copy its rows into one of that name"
    if not is_logged:
        yield f"table {table} is unlogged: run ALTER TABLE {table} SET LOGGED"
    if is_secured:
        yield f"row security hides rows of table {table}: run ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY"
    if not has_key:
        yield f"column {table}.id has no unique index, or may be NULL: run ALTER TABLE {table} ADD PRIMARY KEY (id)"
    elif lacks_identity:
        yield f"table {table} is published without a key: run ALTER TABLE {table} REPLICA IDENTITY FULL"
    for (child,) in connection.execute(_CHILDREN, [table]):
        yield f"table {child} inherits from {table}: run ALTER TABLE {child} NO INHERIT {table}"


def _unfit_columns(connection: Connection, table: str) -> Iterator[str]:
    found = {name: rest for name, *rest in connection.execute(_COLUMNS, [table])}
    alter = f"run ALTER TABLE {table} ALTER"
    if table == "works" and "title" not in found:
        yield "column works.title is missing: run ALTER TABLE works ADD title TEXT, and say there what works are called"
    for name, (kind, full, length, not_null, has_default, generated) in found.items():
        column, written = f"column {table}.{name}", WRITTEN[table].get(name)
        if written is None:
            if not_null and not has_default:
                yield f"{column} must not be NULL and has no default: {alter} {_quoted(connection, name)} DROP NOT NULL"
        elif not _fits(kind, length, written):
            drops = name == _REPLACED
            yield f"{column} is {full}: " + (
                f"run ALTER TABLE {table} DROP COLUMN {name}" if drops else f"{alter} {name} TYPE {written.type}"
            )
        elif generated and name != _REPLACED:
            yield f"{column} is generated: {alter} {name} DROP EXPRESSION"
        elif not_null and written.may_be_null:
            yield f"{column} must not be NULL: {alter} {name} DROP NOT NULL"


def _fits(kind: str, length: int, written: Written) -> bool:
    if written.type != "text":
        return kind == written.type
    is_long_enough = length < 0 if written.longest is None else length < 0 or length >= written.longest
    return kind in _TEXTS and is_long_enough


def _constraints(connection: Connection, table: str) -> Iterator[str]:
    asked = {"table": table, "written": [*WRITTEN[table]]}
    for name, definition, expression, columns in connection.execute(_CHECKS, asked):
        if _may_break(connection, expression, {*(columns or ())}, WRITTEN[table].keys() - {_REPLACED}):
            yield _refusing(table, name, definition)
    for name, definition, is_constraint in connection.execute(_UNIQUE, asked):
        yield _refusing(table, name, definition, "" if is_constraint else f"run DROP INDEX {name}")
    for name, definition in connection.execute(_FOREIGN_KEYS, asked):
        yield _refusing(table, name, definition)


def _may_break(connection: Connection, check: str, columns: set[str], written: Set[str]) -> bool:
    """Return whether a check refuses a row that Crosshead may write."""
    from psycopg import Error

    if not columns & written:
        return False
    if not columns <= {"level", "vector_status"}:
        return True
    query = _BREAKS.format(check=check.replace("%", "%%"))
    try:
        return connection.execute(query, [list(LEVELS), list(STATES)]).fetchone() == (True,)
    except Error:
        return True


def _refusing(table: str, name: str, definition: str, advice: str = "") -> str:
    kind = "index" if advice else "constraint"
    drop = advice or f"run ALTER TABLE {table} DROP CONSTRAINT {name}"
    return f"{kind} {name} of table {table}, {definition}, may refuse what Crosshead writes: {drop}"


def _quoted(connection: Connection, name: str) -> Any:
    return (connection.execute("SELECT quote_ident(%s)", [name]).fetchone() or (name,))[0]
