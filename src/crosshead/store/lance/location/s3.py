"""Small objects below a URL of object storage, each read or written atomically.

The environment configures the storage, as for Lance: AWS_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY and others. Messages never repeat what the storage says about keys.
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
"""How long to retry a request; by default the packages would retry for minutes."""
_URL: Final = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/(?!\.\.?(?:/|$))[A-Za-z0-9!_.*'()-]+)*")
"""A bucket and a prefix of what S3 calls safe characters: others have a meaning in URLs."""
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
        "the storage rejects these credentials: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN",
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
"""Messages of the storage, with our error and advice."""


class Object(NamedTuple):
    """An object and its metadata."""

    data: bytes
    version: str
    """The ETag, which changes with the content."""
    modified: datetime
    """When it was written, by the clock of the storage."""


class ObjectChanged(Exception):
    """An object does not have the expected version, or exists already."""


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
        """Return an object, or None."""
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
        """Return the version of an object, or None."""
        import obstore

        with self._translate_errors():
            try:
                return obstore.head(self._store, name)["e_tag"] or ""
            except FileNotFoundError:
                return None

    def create(self, name: str, data: bytes) -> str:
        """Write a new object; return its version. Raises `ObjectChanged` if it exists."""
        return self._put(name, data, "create")

    def replace(self, name: str, data: bytes, version: str) -> str:
        """Replace an object of this version; return the new version. Raises `ObjectChanged` if it has another one."""
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
        """Raise an error if the storage ignores conditions of writes, tried with an object of this name."""
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

    def folders(self) -> list[str]:
        """Return the names that the names of objects begin with, up to the first slash."""
        import obstore

        with self._translate_errors():
            return [each.rstrip("/") for each in obstore.list_with_delimiter(self._store)["common_prefixes"]]

    def sizes(self, below: str = "") -> Iterator[tuple[str, int]]:
        """Yield name and size in bytes of all objects, or of those below a name."""
        import obstore

        with self._translate_errors():
            for found in obstore.list(self._store, below or None):
                yield from ((each["path"], each["size"]) for each in found)

    def delete(self, *names: str) -> None:
        """Remove objects that may exist."""
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
    """Return our error for a message of the storage, if it is a known one."""
    for sign, kind, advice in _FAULTS:
        if sign.search(message):
            return kind(f"{location}: {advice}")
    return None


def lance_options() -> dict[str, str]:
    """Return the options for Lance that equal ours."""
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
    """Return whether the endpoint is one without encryption."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT") or ""
    if endpoint and not _ENDPOINT.fullmatch(endpoint):
        raise OptionsError("AWS_ENDPOINT is not valid: write http://HOST:PORT, or https://HOST")
    return endpoint.startswith("http://")
