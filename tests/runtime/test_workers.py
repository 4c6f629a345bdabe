"""Workers give what this process would give, and an item that kills, blocks or bloats its worker fails alone."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from operator import mul
from pathlib import Path

import pytest

from crosshead.errors import (
    CorruptFile,
    CrossheadError,
    InvariantViolated,
    MissingExtra,
    OptionsError,
    ReaderCrashed,
    ReadingTimedOut,
    TooLarge,
)
from crosshead.pipeline import read_document
from crosshead.runtime.workers import IN_PROCESS, Limits, Work, in_order, run
from crosshead.runtime.workers.inside import WORN_BYTES
from crosshead.runtime.workers.pool import POOL

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")


@pytest.fixture
def _no_idle_workers() -> None:
    """Begin without workers that other tests have started."""
    for worker in POOL._idle:
        worker.end()
    POOL.forget()


def pids() -> set[int]:
    return {each.pid or 0 for each in multiprocessing.active_children() if each.name == "crosshead-worker"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_values_come_back_in_order(jobs: int) -> None:
    assert list(in_order(partial(mul, 3), range(40), jobs)) == [3 * number for number in range(40)]


def test_more_items_than_may_be_under_way_are_all_done() -> None:
    assert sum(in_order(partial(mul, 1), range(700), 2)) == sum(range(700))


def test_error_of_an_item_ends_the_run() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(in_order(int, ["1", "x", *["2"] * 30], 2))


def raise_error(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    "error",
    [
        CorruptFile("broken", "docs/a.docx"),
        ReaderCrashed("broken"),
        InvariantViolated("broken", "a.md"),
        OptionsError("odd"),
        MissingExtra("ocr", "Reading scans"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_error_keeps_its_type_source_and_reason(error: CrossheadError) -> None:
    (found,) = in_order(raise_error, [error], give_up=lambda _, given: given)
    assert type(found) is type(error)
    assert isinstance(found, CrossheadError)
    assert (found.source, found.reason, str(found)) == (error.source, error.reason, str(error))


def test_error_of_reading_names_the_document() -> None:
    with pytest.raises(CorruptFile) as caught:
        run(partial(read_document, b"not a document", "docx", source="docs/a.docx"))
    assert caught.value.source == "docs/a.docx"
    assert str(caught.value) == f"docs/a.docx: {caught.value.reason}"


def test_run_that_is_not_read_to_its_end_stops() -> None:
    values = in_order(partial(mul, 2), range(100), 2)
    assert next(values) == 0
    values.close()  # type: ignore[attr-defined]
    assert list(values) == []


def process_id(_: object = None) -> int:
    return os.getpid()


@pytest.mark.usefixtures("_no_idle_workers")
def test_worker_goes_on_with_the_next_work() -> None:
    first = run(process_id)
    assert first != os.getpid()
    assert run(process_id) == first
    assert {*in_order(process_id, range(40))} == {first}


@pytest.mark.usefixtures("_no_idle_workers")
def test_idle_worker_that_was_killed_is_replaced() -> None:
    first = run(process_id)
    os.kill(first, signal.SIGTERM)
    assert run(process_id) not in (first, os.getpid())


HELD: list[bytes] = []


def hold_memory(size: int) -> int:
    HELD.append(b"x" * size)
    return os.getpid()


@linux_only
@pytest.mark.usefixtures("_no_idle_workers")
def test_worker_that_stays_large_is_replaced() -> None:
    first = run(partial(hold_memory, 1_000_000))
    assert run(partial(hold_memory, WORN_BYTES)) == first
    assert run(process_id) != first


def test_worker_sees_folder_and_environment_of_this_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(process_id)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CROSSHEAD_SEEN", "yes")
    assert run(os.getcwd) == str(tmp_path)
    assert run(partial(os.getenv, "CROSSHEAD_SEEN")) == "yes"


def test_working_folder_may_be_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert run(process_id) != os.getpid()
    monkeypatch.setattr(POOL, "_idle", [])
    assert run(process_id) != os.getpid()  # of a new worker


def test_work_that_another_process_cannot_do_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(lambda: [os.getpid()]) == [os.getpid()]
    assert list(in_order(lambda item: (item, os.getpid()), [1], give_up=lambda item, _: (0, 0))) == [(1, os.getpid())]
    assert list(in_order(lambda item: 1 // item, [1, 0], give_up=lambda item, _: -1)) == [1, -1]
    monkeypatch.setenv(IN_PROCESS, "1")
    assert run(process_id) == os.getpid()


def nested() -> list[int]:
    return [os.getpid(), *in_order(process_id, [1])]


def test_worker_starts_no_workers() -> None:
    assert len({*run(nested)}) == 1


def raise_missing() -> None:
    raise MissingExtra("server", "Serving")


def test_errors_come_back_as_they_are() -> None:
    with pytest.raises(MissingExtra, match="pip install") as raised:
        run(raise_missing)
    assert raised.value.extra == "server"


def make_unsendable(item: int) -> object:
    """What comes of item 7 cannot be sent to another process."""
    return item if item != 7 else lambda: item


def test_item_whose_result_cannot_be_sent_is_given_up() -> None:
    values = list(in_order(make_unsendable, range(40), 2, give_up=lambda item, error: str(error)))
    assert "pickle" in str(values.pop(7))
    assert values == [item for item in range(40) if item != 7]


def end_process(marks: Path, ending: signal.Signals, item: int) -> int:
    """Item 7 ends its process once; with marks in the folder `always`, whenever it is tried."""
    mark = marks / str(item)
    if item == 7 and (marks.name == "always" or not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), ending)
    return item


def test_item_whose_worker_was_killed_is_tried_again(tmp_path: Path) -> None:
    step = partial(end_process, tmp_path, signal.SIGTERM)
    assert list(in_order(step, range(80), 2, give_up=lambda item, _: -item)) == list(range(80))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize(
    ("name", "reason"), [("SIGSEGV", r"crashed \(SIGSEGV\): the file may be damaged"), ("SIGKILL", "more memory")]
)
def test_item_that_kills_its_worker_again_is_given_up(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "always").mkdir()
    step = partial(end_process, tmp_path / "always", signal.Signals[name])
    values = list(in_order(step, range(80), 2, give_up=lambda item, _: -item))
    assert values == [item if item != 7 else -7 for item in range(80)]
    with pytest.raises(ReaderCrashed, match=reason):
        list(in_order(step, range(80), 2))


def sleep_at_seven(item: int) -> int:
    if item == 7:
        time.sleep(3600)
    return item


def test_item_that_takes_too_long_costs_its_worker() -> None:
    values = in_order(
        sleep_at_seven, range(20), 1, give_up=lambda item, _: -item, limits_of=lambda _: Limits(2.0 if _ == 7 else None)
    )
    assert list(values) == [item if item != 7 else -7 for item in range(20)]
    with pytest.raises(ReadingTimedOut, match="longer than 1 seconds: raise max_seconds"):
        run(partial(time.sleep, 3600), Limits(1.0))


def take_memory(size: int) -> int:
    return len(bytearray(size))


@linux_only
def test_item_that_takes_too_much_memory_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"more than 0\.5 GB of memory: raise max_memory"):
        run(partial(take_memory, 1_000_000_000), Limits(memory_bytes=500_000_000))
    assert run(partial(take_memory, 10_000_000), Limits(memory_bytes=500_000_000)) == 10_000_000
    assert run(partial(take_memory, 1_000_000_000)) == 1_000_000_000


@pytest.mark.usefixtures("_no_idle_workers")
def test_cancelled_work_ends_its_worker() -> None:
    work = Work(partial(time.sleep, 3600))
    failures: list[Exception] = []

    def wait() -> None:
        try:
            work.run()
        except ReaderCrashed as error:
            failures.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    while not pids():
        threading.Event().wait(0.02)
    work.cancel()
    thread.join(30)
    assert len(failures) == 1
    assert not pids()


def test_script_without_a_guard_may_use_workers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import threading\n"
        "threading.Thread(target=threading.Event().wait, daemon=True).start()  # so that nothing is forked\n"
        "from crosshead.runtime.workers import in_order\n"
        "print('once', sum(in_order(abs, list(range(-40, 0)), 2)))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "once 820\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_forked_process_starts_workers_of_its_own(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os\n"
        "from crosshead.runtime.workers import run\n"
        "mine = run(os.getpid)\n"
        "if os.fork():\n"
        "    os.wait()\n"
        "    print(run(os.getpid) == mine)\n"
        "else:\n"
        "    print(run(os.getpid) != mine, flush=True)\n"
        "    os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\nTrue\n"
