"""Connections to a database, its catalog, and the revisions of its tables."""
