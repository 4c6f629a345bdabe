"""The older layout of the PostgreSQL tables: all about reading and migrating its rows."""
