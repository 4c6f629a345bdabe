"""Small objects below a URL of object storage, each read or written in one step.

What is configured by the environment, as for Lance: AWS_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
and others. Messages never repeat what the storage says about keys.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crosshead.errors import (
    AccessDenied,
    IndexNotFound,
    OptionsError,
    StoreError,
    Unreachable,
    UnsuitableServer,
)
from crosshead.store.lance.location.base import check_process
from crosshead.store.opening import OBJECT_STORAGE

if TYPE_CHECKING:
    from obstore.store import S3Store

MOST_RETRIES: Final = 3
RETRY_SECONDS: Final = 20
"""From then on a request that fails is not tried again; the packages would go on for minutes."""
_URL: Final = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/(?!\.\.?(?:/|$))[A-Za-z0-9!_.*'()-]+)*")
"""A bucket and what S3 calls safe characters: others mean something else in URLs."""
_ENDPOINT: Final = re.compile(r"https?://[^/@\s]+(/[^@\s]*)?")
_UNCONDITIONAL: Final = "the storage cannot write an object only if it is unchanged (If-Match), which an index needs"
_FAULTS: Final[tuple[tuple[re.Pattern[str], type[StoreError], str], ...]] = (
    (
        re.compile("NoSuchBucket"),
        IndexNotFound,
        "there is no such bucket: create it, or correct the URL, or AWS_ENDPOINT",
    ),
    (
        re.compile(
            r"/latest/(api/token|meta-data)|MissingAccessKeyId|MissingSecretAccessKey|credentials", re.IGNORECASE
        ),
        AccessDenied,
        "no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (of a profile: "
        "aws configure export-credentials --format env)",
    ),
    (
        re.compile("InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|status code: 401"),
        AccessDenied,
        "the storage does not know these credentials: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and "
        "AWS_SESSION_TOKEN",
    ),
    (
        re.compile("status code: 403"),
        AccessDenied,
        "these credentials may not do it: allow listing, reading, writing and deleting objects here",
    ),
    (
        re.compile("status code: 30|redirect|resolve region"),
        StoreError,
        "the bucket is in another region: set AWS_REGION to it",
    ),
    (
        re.compile("status code: 501|NotImplemented"),
        UnsuitableServer,
        _UNCONDITIONAL,
    ),
    (
        re.compile(r"error sending request|HTTP error|timed out|status code: 5\d\d|dns error"),
        Unreachable,
        "the storage does not answer: check the network, AWS_ENDPOINT and AWS_REGION",
    ),
)
"""What the storage says, what that is, and what to do."""


class Object(NamedTuple):
    """An object as it was read."""

    data: bytes
    version: str
    """Changes with the content."""
    modified: datetime
    """By the clock of the storage."""


class ObjectChanged(Exception):
    """An object is not as it was expected to be."""


class Objects:
    """Objects by their names below a URL."""

    def __init__(self, url: str) -> None:
        self.location = url.rstrip("/")
        if not _URL.fullmatch(self.location):  # not to be shown: it may hold a key
            raise OptionsError(
                f"the URL of the storage is not valid: write {OBJECT_STORAGE.url}, without keys, and with "
                "letters, digits and !_.*'()- only"
            )
        with self._translate_errors():
            self._store = _open(self.location)

    def read(self, name: str) -> Object | None:
        """Return an object; None if there is none."""
        import obstore

        with self._translate_errors():
            try:
                found = obstore.get(self._store, name)
                return Object(bytes(found.bytes()), found.meta["e_tag"] or "", found.meta["last_modified"])
            except FileNotFoundError as error:
                if "NoSuchBucket" in str(error):
                    raise
                return None

    def version(self, name: str) -> str | None:
        """Return the version of an object; None if there is none."""
        import obstore

        with self._translate_errors():
            try:
                return obstore.head(self._store, name)["e_tag"] or ""
            except FileNotFoundError:
                return None

    def create(self, name: str, data: bytes) -> str:
        """Write an object if there is none, else raise `Outdated`; return its version."""
        return self._put(name, data, "create")

    def replace(self, name: str, data: bytes, version: str) -> str:
        """Write an object in place of one of this version, else raise `Outdated`; return the new version."""
        return self._put(name, data, {"e_tag": version})

    def _put(self, name: str, data: bytes, mode: Any) -> str:
        import obstore
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        with self._translate_errors():
            try:
                return obstore.put(self._store, name, data, mode=mode)["e_tag"] or ""
            except (AlreadyExistsError, PreconditionError) as error:
                raise ObjectChanged from error

    def check_conditions(self, name: str) -> None:
        """Raise an error if the storage writes whatever the conditions are; an object of this name is used for that."""
        written = self.create(name, b"first")
        try:
            for condition in ("create", {"e_tag": written[::-1]}):
                try:
                    self._put(name, b"second", condition)
                except ObjectChanged:
                    continue
                raise UnsuitableServer(f"{self.location}: {_UNCONDITIONAL}")
        finally:
            self.delete(name)

    def sizes(self, below: str = "") -> Iterator[tuple[str, int]]:
        """Go through all objects, or those below a name: their names and sizes in bytes."""
        import obstore

        with self._translate_errors():
            for found in obstore.list(self._store, below or None):
                yield from ((each["path"], each["size"]) for each in found)

    def delete(self, *names: str) -> None:
        """Remove objects; those that are gone already do not matter."""
        import obstore

        with self._translate_errors():
            obstore.delete(self._store, names)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        check_process(self.location)
        try:
            from obstore.exceptions import BaseError
        except ImportError as error:
            raise OBJECT_STORAGE.missing() from error
        try:
            yield
        except (BaseError, OSError) as error:
            first_line = str(error).partition("\n")[0][:300]
            raise explain(self.location, str(error)) or StoreError(
                f"{self.location}: the storage refused a request: {first_line}"
            ) from error


def explain(location: str, message: str) -> StoreError | None:
    """Return what a message of the storage says about it, if that is known."""
    for sign, kind, advice in _FAULTS:
        if sign.search(message):
            return kind(f"{location}: {advice}")
    return None


def lance_options() -> dict[str, str]:
    """Return what Lance is to do as it is done here."""
    return {
        "client_max_retries": str(MOST_RETRIES),
        "client_retry_timeout": str(RETRY_SECONDS),
        "allow_http": str(_allows_http()).lower(),
    }


def _open(url: str) -> S3Store:
    from obstore.store import S3Store

    return S3Store.from_url(
        url,
        client_options={"allow_http": _allows_http()},
        retry_config={"max_retries": MOST_RETRIES, "retry_timeout": timedelta(seconds=RETRY_SECONDS)},
    )


def _allows_http() -> bool:
    """An endpoint without encryption is meant as it is written."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT") or ""
    if endpoint and not _ENDPOINT.fullmatch(endpoint):
        raise OptionsError("AWS_ENDPOINT is not valid: write http://HOST:PORT, or https://HOST")
    return endpoint.startswith("http://")
