"""The one writer of an index on object storage, where no system lets go of the lock of a process that ended.

1. An object says who writes. It is written only if there is none, or in place of the very one that was read: of several
   at once, the storage lets one win.
2. The writer writes it anew all the time, and before every commit. When it is done, it says so there.
3. A writer that has not written it for `LEASE_SECONDS` may be replaced: its machine may be gone. That is measured by
   the clock of the storage; others need not agree with it.
4. On the machine of the writer nobody has to wait for that: it also has a temporary folder, which tells whether its
   process has ended.
5. A writer that was stopped for so long, and goes on, notices before its next commit. What it was committing when it
   was stopped, the next writer keeps out of the table.
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
"""In that time, so that one may fail."""
POLL_SECONDS: Final = 0.5

_UNUSUAL_IN_NAMES: Final = re.compile(r"[^\w.-]+", re.ASCII)


class LeaseHolder(NamedTuple):
    """What the object says."""

    owner: str
    process: str
    """For people."""
    is_done: bool
    modified: datetime
    folder: str = ""
    """The name of its temporary folder on its machine."""

    @property
    def free_at(self) -> datetime:
        """When others may take its place, by the clock of the storage."""
        return self.modified + timedelta(seconds=LEASE_SECONDS)


class Lease:
    """The right to write to an index, taken and given back by one thread."""

    def __init__(self, objects: Objects, name: str) -> None:
        self.is_inherited = True
        """Unless the writer before said that it was done; it may be committing something."""
        self._objects = objects
        self._name = name
        self._owner = uuid.uuid4().hex
        self._sign_of_life = ExitStack()
        self._folder = ""
        self._renewals = 0
        self._version = ""
        self._seen = ""
        self._seen_over = 0.0
        self._guard = Lock()
        self._done = Event()
        self._renewing = Thread(target=self._keep, name="crosshead-lease", daemon=True)

    def take(self, wait_seconds: float) -> None:
        """Become the writer, or raise `Locked` after a wait."""
        deadline = time.monotonic() + wait_seconds
        with suppress(OSError):  # without it, others on this machine wait as those on other machines do
            self._folder = self._sign_of_life.enter_context(scratch_folder()).name
        try:
            while holder := self._try():
                if time.monotonic() >= deadline:
                    raise Locked(
                        f"{self._objects.location}: {BUSY}: it is {holder.process}; if that was killed, its place is "
                        f"free at {holder.free_at:%H:%M:%S} UTC"
                    )
                time.sleep(POLL_SECONDS)
        except BaseException:
            self._sign_of_life.close()
            raise
        self._renewing.start()

    def _try(self) -> LeaseHolder | None:
        """Become the writer, or return who is it."""
        found = self._objects.read(self._name)
        holder = _read(found) if found else None
        try:
            if not found or not holder:
                self._version = self._objects.create(self._name, self._state(is_done=False))
            elif holder.owner == self._owner:  # the storage did it, but did not get to say so
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
        """Return whether a writer has not given a sign of life for too long."""
        if found.version != self._seen:
            age = (self._storage_time() - found.modified).total_seconds()
            self._seen, self._seen_over = found.version, time.monotonic() + LEASE_SECONDS - age
        return time.monotonic() >= self._seen_over

    def _storage_time(self) -> datetime:
        """Return the time of the storage's clock: that of an object which is written now."""
        name = f"{self._name}.{self._owner}"
        self._objects.create(name, b"")
        try:
            written = self._objects.read(name)
        finally:
            self._objects.delete(name)
        assert written, name
        return written.modified

    def renew(self) -> None:
        """Go on being the writer, or raise `Locked` if another process is it."""
        with self._guard:
            self._renewals += 1
            try:
                self._version = self._objects.replace(self._name, self._state(is_done=False), self._version)
            except ObjectChanged as error:
                found = self._objects.read(self._name)
                if found is None or _read(found).owner != self._owner:
                    raise lost(self._objects.location) from error
                self._version = found.version

    def _keep(self) -> None:
        """Go on being the writer until it is done."""
        while not self._done.wait(LEASE_SECONDS / RENEWALS):
            with suppress(StoreError):  # to be told before the next commit, unless the storage answers again
                self.renew()

    def release(self) -> None:
        """Say that the work is done; where that cannot be said, others wait, or see that this process has ended."""
        self._done.set()
        self._renewing.join()
        with suppress(ObjectChanged, StoreError):
            self._objects.replace(self._name, self._state(is_done=not self.is_inherited), self._version)
        self._sign_of_life.close()

    def _state(self, *, is_done: bool) -> bytes:
        """Return what the object says; never the same twice, because its version is a hash of it."""
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
    """Return the error of a writer that another one replaced."""
    return Locked(
        f"{location}: this process was stopped for more than {LEASE_SECONDS} seconds, and another one writes to this "
        "index now: run the same command again, it goes on from there"
    )


def _read(found: Object) -> LeaseHolder:
    """Whatever it is that somebody wrote there, it ends like a lease."""
    try:
        state = json.loads(found.data)
        process = f"process {int(state['pid'])} on {_UNUSUAL_IN_NAMES.sub('', state['host'])[:64]}"
        folder = str(state.get("folder", ""))
        return LeaseHolder(str(state["owner"]), process, state["done"] is True, found.modified, folder)
    except (ValueError, TypeError, KeyError):
        return LeaseHolder("", "an unknown process", False, found.modified)
