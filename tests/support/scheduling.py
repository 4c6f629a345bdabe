"""Which tests go to which process of `pytest -n`."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

SHARING = {"tests/packaging/": "environments", "tests/e2e/test_ray.py": "ray", "tests/indexing/test_ray.py": "ray"}
"""Tests that share what takes long to make, and those that need a machine for themselves."""


class Scheduling(LoadScopeScheduling):
    """Any process takes the next test, but those that share something stay together, and begin first."""

    def _split_scope(self, nodeid: str) -> str:
        return next((what for path, what in SHARING.items() if nodeid.startswith(path)), nodeid)
