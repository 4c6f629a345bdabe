"""Joining a Ray cluster, and leaving it.

Ray says much on standard error, waits long for what is not there, and tells its makers that it is used. None of this is
what somebody who indexes documents wants.
"""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from warnings import catch_warnings, simplefilter

from crosshead.errors import IngestError, MissingExtra

QUIET: Final = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal", "RAY_DEDUP_LOGS_SKIP_REGEX": "."}
"""So that Ray tells nothing to anybody, and prints no lines of its own between ours, as it does for lost workers."""
LOOPBACK: Final = "127.0.0.1"
HERE: Final = "local"
"""An address that starts a cluster on this machine."""
ANSWER_SECONDS: Final = 10.0


@contextmanager
def connected(ray: Any, address: str | None, jobs: int | None) -> Iterator[None]:
    """Join a cluster by its address, or one that lives here meanwhile."""
    address = address or os.environ.get("RAY_ADDRESS") or HERE
    here: dict[str, Any] = {"num_cpus": jobs, "include_dashboard": False, "_node_ip_address": LOOPBACK}
    try:
        _check_answers(address)
        with catch_warnings(), _muted():
            simplefilter("ignore")  # Lance warns of forks, but Ray runs programs of its own in them
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **(here if address == HERE else {}))
    except (OSError, RuntimeError, ValueError) as error:
        reason = reason_of(error)
        raise IngestError(f"Ray at {address}: {reason}: `ray start --head` starts a cluster") from error
    try:
        yield
    finally:
        gc.collect()  # objects of the next cluster have the same names as those of this one
        ray.shutdown()


@contextmanager
def _muted() -> Iterator[None]:
    """Print nothing on standard error: Ray says there, past Python, that it was told to say little."""
    sys.stderr.flush()
    shown = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(shown, 2)
        os.close(shown)


def _check_answers(address: str) -> None:
    """Raise an error at once where nothing listens: Ray itself would try for a quarter of an hour."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS).close()
    elif address != HERE:
        os.environ.setdefault("RAY_gcs_server_port_wait_time_s", "1")  # it tries that often


@contextmanager
def told(ray: Any) -> Iterator[None]:
    """Errors of Ray are told in one line; of faults in a task it says what there is to say by itself."""
    logger = logging.getLogger("ray.data")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # what goes wrong is told here
    try:
        yield
    except ray.exceptions.RayTaskError:
        raise
    except ray.exceptions.RayError as error:
        raise IngestError(f"Ray: {reason_of(error)}") from error
    finally:
        logger.setLevel(level)


def reason_of(error: Exception) -> str:
    """Return the last line of what Ray says, which names the cause."""
    return str(error).strip().rpartition("\n")[2].strip().rstrip(".")


def import_ray() -> Any:
    """Return the package; how quiet it is, it decides when it is imported for the first time."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray.data
    except ImportError as error:
        raise MissingExtra("ray", "The engine ray") from error
    return ray
