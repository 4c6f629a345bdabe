"""The embedded store on object storage: a real server of S3, on this machine."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.embedding.servers import running_server
from tests.store.conformance import Reopen, StoreConformance, faults, lexical, small, write
from tests.store.several import SeveralProcesses, check_whole, writing
from tests.store.writer import make_version
from tests.support import s3_server as storage
from tests.support.stored_documents import SETTINGS

from crosshead.errors import (
    AccessDenied,
    CorruptIndex,
    IndexNotFound,
    IndexReplaced,
    Locked,
    MigrationRequired,
    MissingExtra,
    OptionsError,
    StoreError,
    Unreachable,
    UnsuitableServer,
)
from crosshead.store.lance.location import lease
from crosshead.store.lance.location.base import FIRST_VERSION, LOCK_FILE, SCHEMA_VERSION, SETTINGS_FILE
from crosshead.store.lance.location.bucket import Bucket
from crosshead.store.lance.location.s3 import Objects
from crosshead.store.lance.store import LanceStore
from crosshead.store.opening import open_store

SECRET = storage.KEYS["AWS_SECRET_ACCESS_KEY"]


@pytest.fixture
def url(bucket: str) -> str:
    return f"{bucket}/docs/index"


@pytest.fixture
def store(url: str) -> LanceStore:
    return LanceStore(Bucket(url), create=SETTINGS)


@pytest.fixture
def reopen(url: str) -> Reopen:
    return lambda: LanceStore(Bucket(url))


@pytest.fixture
def objects(url: str) -> Objects:
    return Objects(url)


class TestConformance(StoreConformance):
    """The embedded store keeps the contract there, too; what takes thousands of requests is left to the folder."""

    test_many_small_commits = None  # type: ignore[assignment]
    test_the_breadcrumb_of_every_section_finds_its_text = None  # type: ignore[assignment]


class TestSeveralProcesses(SeveralProcesses):
    """What several processes do at once, on object storage."""

    kills = 3


def replace(objects: Objects, name: str, data: bytes) -> None:
    found = objects.read(name)
    assert found
    objects.replace(name, data, found.version)


def tables(objects: Objects) -> set[str]:
    return {name.partition("/")[0] for name, _ in objects.sizes() if name.startswith("rows-")}


class TestOpening:
    def test_creating_twice_keeps_what_is_there(self, store: LanceStore, url: str, objects: Objects) -> None:
        write(store, small())
        again = LanceStore(Bucket(f"{url}/"), create={**SETTINGS, "language": "german"})
        assert (again.settings, again.location) == (store.settings, url)
        assert again.document_revisions()
        assert len(tables(objects)) == 1

    def test_of_many_that_make_an_index_one_decides(self, url: str, objects: Objects) -> None:
        together = threading.Barrier(6)

        def make(number: int) -> LanceStore:
            place = Bucket(url)
            together.wait()
            return LanceStore(place, create={**SETTINGS, "root": str(number)})

        with ThreadPoolExecutor(6) as executor:
            made = list(executor.map(make, range(6)))
        assert len({store.settings["root"] for store in made}) == 1
        assert {store.table.location.table.rpartition("/")[2] for store in made} == tables(objects)

    def test_a_table_that_a_killed_process_left_does_not_count(self, store: LanceStore, objects: Objects) -> None:
        write(store, small())
        objects.delete(SETTINGS_FILE)
        with pytest.raises(IndexNotFound, match="crosshead index"):
            open_store(store.location)
        assert open_store(store.location, create=SETTINGS).document_revisions() == {}

    def test_settings_hold_nothing_of_the_place(self, store: LanceStore) -> None:
        assert store.settings == {**SETTINGS, "schema_version": FIRST_VERSION}

    def test_no_index_is_made_among_other_objects(self, url: str, objects: Objects) -> None:
        objects.create("mine.txt", b"x")
        with pytest.raises(StoreError, match="among other objects"):
            LanceStore(Bucket(url), create=SETTINGS)
        assert [name for name, _ in objects.sizes()] == ["mine.txt"]

    def test_neighbors_do_not_matter(self, bucket: str) -> None:
        Objects(bucket).create("index-of-others", b"x")
        store = LanceStore(Bucket(f"{bucket}/index"), create=SETTINGS)
        assert store.size_bytes() == sum(size for _, size in Objects(bucket).sizes()) - 1

    @pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"schema_version": 1}'])
    def test_damaged_settings(self, store: LanceStore, objects: Objects, data: bytes) -> None:
        replace(objects, SETTINGS_FILE, data)
        with pytest.raises(CorruptIndex, match="remove everything below it and index again"):
            open_store(store.location)

    @pytest.mark.parametrize("table", ["", "../other/rows.lance", None])
    def test_settings_that_name_no_table(self, store: LanceStore, objects: Objects, table: str | None) -> None:
        replace(objects, SETTINGS_FILE, json.dumps({**store.settings, "table": table}).encode())
        with pytest.raises(CorruptIndex):
            open_store(store.location)

    def test_a_newer_version(self, store: LanceStore, objects: Objects) -> None:
        replace(objects, SETTINGS_FILE, json.dumps({**SETTINGS, "schema_version": SCHEMA_VERSION + 1}).encode())
        with pytest.raises(MigrationRequired, match="pip install"):
            open_store(store.location)

    def test_a_table_that_is_gone(self, store: LanceStore, objects: Objects) -> None:
        write(store, small())
        objects.delete(*(name for name, _ in objects.sizes() if name.startswith("rows-")))
        with pytest.raises(CorruptIndex, match="index again"):
            open_store(store.location)
        with pytest.raises(StoreError):
            lexical(store, "zypper")

    def test_an_index_that_took_the_place_of_an_open_one(
        self, store: LanceStore, objects: Objects, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(store, small())
        objects.delete(*(name for name, _ in objects.sizes()))
        new = open_store(store.location, create=SETTINGS)
        monkeypatch.setattr(Bucket, "identity_seconds", 0)
        for use in (store.document_revisions, lambda: write(store, small()), lambda: store.change_setting("root", "/")):
            with pytest.raises(IndexReplaced, match="open it again"):
                use()
        assert new.document_revisions() == {}

    def test_an_open_index_that_is_removed_is_not_made_again(self, store: LanceStore, objects: Objects) -> None:
        objects.delete(*(name for name, _ in objects.sizes()))
        with pytest.raises(IndexNotFound):
            write(store, small())
        assert [*objects.sizes()] == []

    def test_another_root_is_kept(self, store: LanceStore, reopen: Reopen) -> None:
        other = reopen()
        with store.lock():
            store.change_setting("root", "/elsewhere")
        assert reopen().settings["root"] == "/elsewhere"
        with pytest.raises(IndexReplaced), other.lock():
            pass

    def test_a_sound_index_is_told_to_be_sound(self, store: LanceStore) -> None:
        write(store, small())
        assert [*store.inspect(), *faults(store)] == []


class TestLease:
    def test_who_writes_and_until_when_is_told(self, store: LanceStore, reopen: Reopen, objects: Objects) -> None:
        with store.lock(), pytest.raises(Locked) as raised, reopen().lock():
            pass
        told = re.fullmatch(
            r".*: another process is writing to this index; .*: it is process (\d+) on \S+; "
            r"if that was killed, its lease ends at (\d\d:\d\d:\d\d) UTC",
            str(raised.value),
        )
        assert told
        assert told[1] == str(os.getpid())
        found = objects.read(LOCK_FILE)
        assert found
        assert datetime.strptime(told[2], "%H:%M:%S").time() <= (found.modified + timedelta(seconds=30)).time()

    def test_nothing_is_left_behind_but_that_the_work_is_done(self, store: LanceStore, objects: Objects) -> None:
        before = signs_of_life()
        with store.lock(), pytest.raises(Locked), store.lock():
            pass
        found = objects.read(LOCK_FILE)
        assert found
        assert json.loads(found.data)["done"] is True
        assert [name for name, _ in objects.sizes() if name.startswith(f"{LOCK_FILE}.")] == []
        assert signs_of_life() == before

    def test_who_waits_gets_it_when_the_other_one_is_done(self, store: LanceStore, reopen: Reopen) -> None:
        written = threading.Event()

        def write_slowly() -> None:
            with store.lock():
                written.set()
                store.replace_documents([small()])

        other = reopen()
        thread = threading.Thread(target=write_slowly)
        thread.start()
        written.wait()
        with other.lock(wait_seconds=60):
            assert other.document_revisions()
        thread.join()

    def test_a_writer_of_another_machine_is_waited_for_until_its_time_is_over(
        self, store: LanceStore, reopen: Reopen, objects: Objects, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        killed_elsewhere(objects)
        with pytest.raises(Locked, match="it is process 7 on far-away; if that was killed"), store.lock():
            pass
        monkeypatch.setattr(lease, "LEASE_SECONDS", 2)
        with store.lock(wait_seconds=60):
            store.replace_documents([small()])
        assert reopen().document_revisions()

    @pytest.mark.parametrize("data", [b"", b"[]", b'{"owner": "../../x", "pid": "x", "host": 1, "done": 1}'])
    def test_whatever_is_there_is_over_some_time(
        self, store: LanceStore, objects: Objects, monkeypatch: pytest.MonkeyPatch, data: bytes
    ) -> None:
        objects.create(LOCK_FILE, data)
        with pytest.raises(Locked, match="an unknown process"), store.lock():
            pass
        monkeypatch.setattr(lease, "LEASE_SECONDS", 0)
        with store.lock():
            pass

    def test_a_writer_goes_on_while_nobody_wants_its_place(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lease, "LEASE_SECONDS", 0)
        write(store, small())
        assert store.document_revisions()

    def test_it_is_renewed_all_the_time(
        self, store: LanceStore, objects: Objects, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lease, "LEASE_SECONDS", 0.3)
        versions: set[str | None] = set()
        deadline = time.monotonic() + 30
        with store.lock():
            while len(versions) < 4 and time.monotonic() < deadline:
                versions.add(objects.version(LOCK_FILE))
        assert len(versions) == 4

    def test_a_replaced_writer_commits_nothing(
        self, store: LanceStore, reopen: Reopen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = reopen()
        with store.lock():
            with taken_over(monkeypatch), other.lock():
                other.replace_documents([make_version(1, 11)])
                for commit in commits(store):
                    with pytest.raises(Locked, match="another one writes to this index now: run the same command"):
                        commit()
                other.replace_documents([make_version(2, 12)])
            with pytest.raises(Locked):
                store.replace_documents([make_version(1, 13)])
        assert check_whole(store) == {"1.md": "11", "2.md": "12"}

    def test_what_a_replaced_writer_was_just_committing_is_kept_out(
        self, store: LanceStore, reopen: Reopen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It was stopped behind its last look at the lease."""
        write(store, make_version(0, 10))
        other = reopen()
        for commit in commits(store):
            with monkeypatch.context() as stopped, store.lock():
                writable = store.table.writable

                def writable_then_stopped(writable: Callable[[], object] = writable) -> object:
                    table = writable()
                    with taken_over(monkeypatch), other.lock():
                        pass
                    return table

                stopped.setattr(store.table, "writable", writable_then_stopped)
                with pytest.raises(Locked, match="another one writes to this index now"):
                    commit()
        assert check_whole(store) == {"0.md": "10"}

    def test_a_lease_that_was_removed_by_hand_is_lost(self, store: LanceStore, objects: Objects) -> None:
        with store.lock():
            objects.delete(LOCK_FILE)
            with pytest.raises(Locked):
                store.replace_documents([small()])
        write(store, small())

    def test_answers_that_get_lost_do_not_matter(
        self, url: str, objects: Objects, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The storage does what it is asked for, is asked again, and says that it cannot be done twice."""
        put = Objects._put

        def put_twice(self: Objects, name: str, data: bytes, mode: Any) -> str:
            version = put(self, name, data, mode)
            return put(self, name, data, mode) if name in (SETTINGS_FILE, LOCK_FILE) else version

        monkeypatch.setattr(Objects, "_put", put_twice)
        store = LanceStore(Bucket(url), create=SETTINGS)
        for version in (11, 12):
            write(store, make_version(1, version))
        assert check_whole(store) == {"1.md": "12"}
        assert len(tables(objects)) == 1

    def test_nobody_writes_without_it(self, store: LanceStore) -> None:
        with pytest.raises(StoreError, match="take the lock"):
            store.replace_documents([small()])

    def test_a_killed_writer_of_this_machine_is_replaced_at_once(self, store: LanceStore, reopen: Reopen) -> None:
        before = signs_of_life()
        with writing(store, 1):
            pass
        write(store, small())
        assert "guide.md" in reopen().document_revisions()
        assert signs_of_life() == before


def commits(store: LanceStore) -> list[Callable[[], None]]:
    document = make_version(0, 20)
    return [
        lambda: store.replace_documents([make_version(7, 14)]),
        lambda: store.replace_documents([document]),
        lambda: store.delete_documents([document.document.id]),
    ]


@contextmanager
def taken_over(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever wants to write meanwhile thinks that the writer has ended."""
    with monkeypatch.context() as patched:
        patched.setattr(lease, "is_abandoned", lambda folder: True)
        yield


def killed_elsewhere(objects: Objects) -> None:
    """Leave the lease of a writer on another machine."""
    state = {"owner": uuid.uuid4().hex, "host": "far-away", "pid": 7, "renewals": 3, "done": False}
    objects.create(LOCK_FILE, json.dumps(state).encode())


def signs_of_life() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("crosshead-*"))


class TestErrors:
    """One line that says what to do, and nothing that lets one in."""

    @pytest.mark.parametrize(
        "wrong",
        [
            "s3://", "s3://ab", "s3://Bucket/x", "s3:///docs", "s3://bucket/a b", "s3://bucket/a%20b", "s3://bucket/a?b=c",
            "s3://bucket//a", "s3://bucket/../a", f"s3://key:{SECRET}@bucket/docs", "s3://bucket/ключи", "S3://bucket/x",
            "s3:/bucket/docs", "s3:bucket", Path("s3://bucket/docs"),
        ],
    )  # fmt: skip
    def test_urls_that_are_none(self, bucket: str, wrong: str | Path) -> None:
        with pytest.raises(OptionsError, match="s3://") as raised:
            open_store(wrong, create=SETTINGS)
        check_message(raised.value)

    @pytest.mark.parametrize(
        "endpoint", ["127.0.0.1:1", "localhost", f"http://me:{SECRET}@127.0.0.1:1", "ftp://x", "http://"]
    )
    def test_endpoints_that_are_none(self, url: str, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AWS_ENDPOINT", endpoint)
        with pytest.raises(OptionsError, match="AWS_ENDPOINT") as raised:
            open_store(url)
        check_message(raised.value)

    @pytest.mark.parametrize("endpoint", ["http://127.0.0.1:1", "https://127.0.0.1:1", "http://nowhere.invalid"])
    def test_nobody_answers(self, url: str, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AWS_ENDPOINT", endpoint)
        check_refused(url, Unreachable, "AWS_ENDPOINT")

    def test_somebody_else_answers(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with running_server() as server:
            monkeypatch.setenv("AWS_ENDPOINT", f"http://{server.address}")
            check_refused(url, StoreError, "the storage")

    def test_no_such_bucket(self, bucket: str) -> None:
        check_refused("s3://no-such-bucket/docs", IndexNotFound, "no such bucket: create it")

    def test_no_credentials(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Machines of Amazon may ask a server for them, which is another one here."""
        monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.delenv(name)
            check_refused(url, AccessDenied, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")

    def test_credentials_that_are_unknown_or_may_do_nothing(self, bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with storage.running("strict") as server:
            url = f"s3://{server.make_bucket()}/docs"
            monkeypatch.setenv("AWS_ENDPOINT", server.environment["AWS_ENDPOINT"])
            check_refused(url, AccessDenied, "rejects these credentials")
            for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
                monkeypatch.setenv(name, server.environment[name])
            check_refused(url, AccessDenied, "may not do it: allow")

    def test_storage_that_does_not_look_at_conditions(self, bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with storage.running("careless") as server:
            monkeypatch.setenv("AWS_ENDPOINT", server.environment["AWS_ENDPOINT"])
            url = f"s3://{server.make_bucket()}/docs"
            with pytest.raises(UnsuitableServer, match="If-Match"):
                open_store(url, create=SETTINGS)
            assert [*Objects(url).sizes()] == []

    def test_a_server_that_goes_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with storage.running() as server:
            for name, value in server.environment.items():
                monkeypatch.setenv(name, value)
            store = LanceStore(Bucket(f"s3://{server.make_bucket()}/docs"), create=SETTINGS)
            write(store, small())
        uses: list[Callable[[], object]] = [store.contents, store.size_bytes, lambda: write(store, small())]
        for use in uses:
            with pytest.raises(Unreachable) as raised:
                use()
            check_message(raised.value)

    def test_the_package_is_missing(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "obstore.exceptions", None)
        with pytest.raises(MissingExtra, match=re.escape("pip install 'crosshead[s3]'")):
            open_store(url)


def check_refused(url: str, kind: type[StoreError], advice: str) -> None:
    for create in (None, SETTINGS):
        with pytest.raises(kind, match=advice) as raised:
            open_store(url, create=create)
        assert str(raised.value).startswith(f"{url}: ")
        check_message(raised.value)


def check_message(error: Exception) -> None:
    assert "\n" not in str(error)
    assert SECRET not in str(error)
    assert storage.KEYS["AWS_ACCESS_KEY_ID"] not in str(error)
