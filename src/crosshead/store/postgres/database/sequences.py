"""Find the sequence that generates a table's ids, from its identity column or its column default."""

from __future__ import annotations


def sequence_of(table: str) -> str:
    """Return SQL for the sequence that generates the ids of a table; NULL if there is none.

    It follows the dependencies of the column: `pg_get_serial_sequence` knows only sequences that the column owns.
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
