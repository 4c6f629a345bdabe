"""All that a database says about its tables, to compare one state with another."""

from __future__ import annotations

from typing import Any

import psycopg

from crosshead.store.postgres.database.revisions import VERSION_TABLE

_OURS = f"relnamespace = current_schema()::regnamespace AND relname NOT LIKE '{VERSION_TABLE}%'"
_QUERIES = {
    "tables": f"SELECT relname, relkind, relpersistence, reloptions FROM pg_class WHERE {_OURS} AND relkind <> 'i'",
    "columns": f"""
        SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid),
            attidentity, attgenerated, COALESCE(attstattarget, -1), attstorage, attcompression
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE {_OURS} AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    """,
    "constraints": f"""
        SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid), convalidated
        FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE {_OURS}
    """,
    "indexes": f"""
        SELECT relname, pg_get_indexdef(indexrelid), indisvalid
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE {_OURS}
    """,
    "triggers": f"""
        SELECT relname, tgname, pg_get_triggerdef(pg_trigger.oid), tgenabled
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE {_OURS} AND NOT tgisinternal
    """,
    "functions": """
        SELECT proname, pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'
            AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    """,
    "sequences": f"""
        SELECT relname, seqtypid::regtype::text, seqstart, seqincrement, seqmin, seqmax, seqcycle,
            (SELECT refobjid::regclass || '.' || refobjsubid FROM pg_depend
                WHERE objid = seqrelid AND deptype IN ('a', 'i') AND refobjsubid > 0)
        FROM pg_sequence JOIN pg_class ON pg_class.oid = seqrelid WHERE {_OURS}
    """,
}


def describe(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return tables, columns, constraints, indexes, triggers, functions and sequences, each in order."""
    with psycopg.connect(url) as connection:
        return {
            name: sorted(connection.execute(query).fetchall(), key=repr)  # type: ignore[call-overload]
            for name, query in _QUERIES.items()
        }
