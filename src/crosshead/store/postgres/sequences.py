"""Where the integers of new rows come from: an identity, or a sequence that a default names, whoever owns it."""

from __future__ import annotations


def sequence_of(table: str) -> str:
    """Return SQL for the sequence that numbers the rows of a table; NULL if none does.

    The database knows what an identity and what a default depends on. `pg_get_serial_sequence` would tell only of
    sequences that belong to the column.
    """
    column = f"(SELECT attnum FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attname = 'id')"
    return f"""(
        SELECT pg_class.oid::regclass FROM pg_class WHERE relkind = 'S' AND pg_class.oid IN (
            SELECT objid FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND deptype = 'i'
                AND refobjid = '{table}'::regclass AND refobjsubid = {column}
            UNION ALL
            SELECT refobjid FROM pg_depend JOIN pg_attrdef ON pg_attrdef.oid = objid
            WHERE classid = 'pg_attrdef'::regclass AND refclassid = 'pg_class'::regclass
                AND adrelid = '{table}'::regclass AND adnum = {column}
        )
    )"""
