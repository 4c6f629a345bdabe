"""The routes, one file per kind of resource."""
