"""Joining a Ray cluster, and leaving it.

By default Ray prints a lot on standard error, waits long for a cluster that does not exist, and sends usage statistics.
All of this is switched off here.
"""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from warnings import catch_warnings, simplefilter

from crosshead.errors import CrossheadError, IngestError, MissingExtra

QUIET: Final = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal", "RAY_DEDUP_LOGS_SKIP_REGEX": "."}
"""No usage statistics, and no lines of Ray between ours, as it prints them for lost workers."""
LOOPBACK: Final = "127.0.0.1"
HERE: Final = "local"
"""The address that starts a temporary cluster on this machine."""
CONNECTED: Final = "auto"
"""The cluster that this process is connected to, or this machine belongs to."""
ANSWER_SECONDS: Final = 10.0
MOST_TEMPORARY_CHARACTERS: Final = 18
"""Maximum length of the parent of the cluster's folder, because paths of sockets must be short."""
OR_LOCALLY: Final = "or do without Ray: --engine local"


def cluster_address(given: str | None) -> str:
    """Return the address to join, or `HERE`."""
    return given or os.environ.get("RAY_ADDRESS") or HERE


def advice(address: str) -> str:
    """Return what to do if a cluster does not start or does not answer."""
    if address == HERE:
        return f"free memory, cores, and space in {cluster_parent()} and /dev/shm, {OR_LOCALLY}"
    return f"`ray status` shows whether it runs, `ray start --head` starts a cluster, {OR_LOCALLY}"


def cluster_parent() -> Path:
    """Return the parent of the folder of a cluster on this machine."""
    parent = os.environ.get("RAY_TMPDIR") or tempfile.gettempdir()
    is_short = len(os.path.abspath(parent)) <= MOST_TEMPORARY_CHARACTERS
    return Path(parent if is_short or not os.path.isdir("/tmp") else "/tmp").absolute()


@contextmanager
def connected(ray: Any, address: str, jobs: int | None, folder: str) -> Iterator[None]:
    """Join a cluster by its address, or start a temporary one with its files in a folder."""
    here: dict[str, Any] = {
        "num_cpus": jobs, "include_dashboard": False, "_node_ip_address": LOOPBACK, "_temp_dir": folder,
    }  # fmt: skip
    try:
        _check_answers(address)
        with catch_warnings(), _muted():
            simplefilter("ignore")  # Lance warns of forks, but Ray only starts programs in them
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **(here if address == HERE else {}))
    except Exception as error:  # Ray raises bare ones, too
        raise IngestError(f"Ray at {address}: {reason_of(error)}: {advice(address)}") from error
    try:
        yield
    finally:
        gc.collect()  # objects of the next cluster have the same names as those of this one
        ray.shutdown()


@contextmanager
def _muted() -> Iterator[None]:
    """Discard standard error: Ray writes to it directly, past Python."""
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
    """Raise an error at once if nothing listens: Ray would retry for a quarter of an hour."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS).close()
    else:
        seconds = "60" if address == HERE else "1"  # a busy machine takes long to start a cluster
        os.environ.setdefault("RAY_gcs_server_port_wait_time_s", seconds)


@contextmanager
def mapped(address: str) -> Iterator[None]:
    """Turn any error of Ray into an `IngestError` of one line."""
    logger = logging.getLogger("ray.data")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # the error says it
    try:
        yield
    except CrossheadError:
        raise
    except Exception as error:  # Ray Data raises errors of its tasks, and others that are not a RayError
        raise IngestError(f"Ray at {address}: {reason_of(error)}: {advice(address)}") from error
    finally:
        logger.setLevel(level)


def reason_of(error: Exception) -> str:
    """Return the last line of an error of Ray, which names the cause."""
    return str(error).strip().rpartition("\n")[2].strip().rstrip(".") or type(error).__name__


def import_ray() -> Any:
    """Return the package; its output must be switched off before its first import."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray.data
    except ImportError as error:
        raise MissingExtra("ray", "The engine ray") from error
    return ray
