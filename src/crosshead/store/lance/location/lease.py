"""The lease of the writer of an index on object storage, where no system releases the lock of a process that ends.

1. An object names the writer. It is written only if it does not exist, or has the version that was read: if several
   processes try at once, the storage lets one win.
2. The writer renews the lease regularly and before each commit. When it is done, it marks the lease as released.
3. A lease that was not renewed for `LEASE_SECONDS` may be taken over: the machine of the writer may be gone. The clock
   of the storage decides, so that clocks of machines need not agree.
4. Processes on the machine of the writer need not wait: its temporary folder shows whether the writer has ended.
5. A writer that was suspended past its lease notices before its next commit. The new writer fences off a commit that
   was already under way.
"""

from __future__ import annotations

import json
import os
import platform
import re
import time
import uuid
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from threading import Event, Lock, Thread
from typing import Final, NamedTuple

from crosshead.errors import Locked, StoreError
from crosshead.runtime.scratch import is_abandoned, scratch_folder
from crosshead.store.lance.location.base import BUSY
from crosshead.store.lance.location.s3 import Object, ObjectChanged, Objects

LEASE_SECONDS: Final = 30
RENEWALS: Final = 3
"""Per lease, so that one may fail."""
POLL_SECONDS: Final = 0.5

_UNUSUAL_IN_NAMES: Final = re.compile(r"[^\w.-]+", re.ASCII)


class LeaseHolder(NamedTuple):
    """The writer that the lock object names."""

    owner: str
    process: str
    """The process in words."""
    is_done: bool
    modified: datetime
    folder: str = ""
    """The name of its temporary folder."""

    @property
    def free_at(self) -> datetime:
        """When others may take the lease over, by the clock of the storage."""
        return self.modified + timedelta(seconds=LEASE_SECONDS)


class Lease:
    """The right to write to an index; one thread takes and releases it."""

    def __init__(self, objects: Objects, name: str) -> None:
        self.is_inherited = True
        """Whether the former writer did not release the lease; it may still be committing."""
        self._objects = objects
        self._name = name
        self._owner = uuid.uuid4().hex
        self._life_sign = ExitStack()
        self._folder = ""
        self._renewals = 0
        self._version = ""
        self._seen = ""
        self._seen_over = 0.0
        self._guard = Lock()
        self._done = Event()
        self._renewing = Thread(target=self._renew_regularly, name="crosshead-lease", daemon=True)

    def take(self, wait_seconds: float) -> None:
        """Take the lease; raise `Locked` after `wait_seconds`."""
        deadline = time.monotonic() + wait_seconds
        with suppress(OSError):  # without the folder, others on this machine wait for the lease to expire
            self._folder = self._life_sign.enter_context(scratch_folder()).name
        try:
            while holder := self._try():
                if time.monotonic() >= deadline:
                    raise Locked(
                        f"{self._objects.location}: {BUSY}: it is {holder.process}; if that was killed, its lease "
                        f"ends at {holder.free_at:%H:%M:%S} UTC"
                    )
                time.sleep(POLL_SECONDS)
        except BaseException:
            self._life_sign.close()
            raise
        self._renewing.start()

    def _try(self) -> LeaseHolder | None:
        """Try to take the lease; return the current holder if it is taken."""
        found = self._objects.read(self._name)
        holder = _read(found) if found else None
        try:
            if not found or not holder:
                self._version = self._objects.create(self._name, self._state(is_done=False))
            elif holder.owner == self._owner:  # an earlier request succeeded, but its answer was lost
                self._version = found.version
                return None
            elif holder.is_done or is_abandoned(holder.folder) or self._is_over(found):
                self._version = self._objects.replace(self._name, self._state(is_done=False), found.version)
            else:
                return holder
        except ObjectChanged:
            return self._try()
        self.is_inherited = not (holder and holder.is_done)
        return None

    def _is_over(self, found: Object) -> bool:
        """Return whether the lease has expired."""
        if found.version != self._seen:
            age = (self._storage_time() - found.modified).total_seconds()
            self._seen, self._seen_over = found.version, time.monotonic() + LEASE_SECONDS - age
        return time.monotonic() >= self._seen_over

    def _storage_time(self) -> datetime:
        """Return the time by the clock of the storage, from an object written now."""
        name = f"{self._name}.{self._owner}"
        self._objects.create(name, b"")
        try:
            written = self._objects.read(name)
        finally:
            self._objects.delete(name)
        assert written, name
        return written.modified

    def renew(self) -> None:
        """Renew the lease, or raise `Locked` if another process took it over."""
        with self._guard:
            self._renewals += 1
            try:
                self._version = self._objects.replace(self._name, self._state(is_done=False), self._version)
            except ObjectChanged as error:
                found = self._objects.read(self._name)
                if found is None or _read(found).owner != self._owner:
                    raise lost(self._objects.location) from error
                self._version = found.version

    def _renew_regularly(self) -> None:
        """Renew the lease until it is released."""
        while not self._done.wait(LEASE_SECONDS / RENEWALS):
            with suppress(StoreError):  # `renew` raises it before the next commit, if it lasts
                self.renew()

    def release(self) -> None:
        """Mark the lease as released; if the storage does not answer, it expires."""
        self._done.set()
        self._renewing.join()
        with suppress(ObjectChanged, StoreError):
            self._objects.replace(self._name, self._state(is_done=not self.is_inherited), self._version)
        self._life_sign.close()

    def _state(self, *, is_done: bool) -> bytes:
        """Return the content of the lock object; never the same twice, because its version is a hash of it."""
        state = {
            "owner": self._owner,
            "host": platform.node(),
            "pid": os.getpid(),
            "folder": self._folder,
            "renewals": self._renewals,
            "done": is_done,
        }
        return json.dumps(state).encode()


def lost(location: str) -> Locked:
    """Return the error for a writer whose lease was taken over."""
    return Locked(
        f"{location}: this process was suspended for more than {LEASE_SECONDS} seconds, and another one writes to "
        "this index now: run the same command again, it goes on from there"
    )


def _read(found: Object) -> LeaseHolder:
    """Read the lock object; an unreadable one expires like any other lease."""
    try:
        state = json.loads(found.data)
        process = f"process {int(state['pid'])} on {_UNUSUAL_IN_NAMES.sub('', state['host'])[:64]}"
        folder = str(state.get("folder", ""))
        return LeaseHolder(str(state["owner"]), process, state["done"] is True, found.modified, folder)
    except (ValueError, TypeError, KeyError):
        return LeaseHolder("", "an unknown process", False, found.modified)
