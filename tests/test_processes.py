"""Several processes give what one gives, however they are started."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from operator import mul
from pathlib import Path

import pytest

from crosshead import processes
from crosshead.errors import CorruptFile, OptionsError
from crosshead.processes import ended, guarded, in_order, usable_cores, useful_jobs


@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_values_come_back_in_order(start: processes.Start, jobs: int) -> None:
    assert list(in_order(partial(mul, 3), range(40), jobs, start=start)) == [3 * number for number in range(40)]


def test_more_items_than_may_be_under_way_are_all_done() -> None:
    assert sum(in_order(partial(mul, 1), range(700), 2)) == sum(range(700))


def test_error_of_a_process_ends_the_run() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(in_order(int, ["1", "x", *["2"] * 30], 2))


def test_run_that_nobody_reads_to_its_end_stops() -> None:
    values = in_order(partial(mul, 2), range(100), 2)
    assert next(values) == 0
    values.close()  # type: ignore[attr-defined]
    assert list(values) == []


def test_script_without_a_guard_may_use_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from crosshead.processes import in_order\n"
        "print('once', sum(in_order(abs, list(range(-40, 0)), 2, start='spawn')))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "once 820\n"


@pytest.mark.parametrize(
    ("files", "size", "jobs"), [(1, 10, 1), (16, 10, 1), (17, 10, 3), (1000, 10, 8), (1, 9_000_000, 1), (4, 900_000, 4)]
)
def test_processes_are_used_where_they_pay_off(
    monkeypatch: pytest.MonkeyPatch, files: int, size: int, jobs: int
) -> None:
    monkeypatch.setattr(processes, "usable_cores", lambda: 8)
    assert useful_jobs([size] * files, int) == jobs


@pytest.mark.parametrize(
    ("quota", "cores"), [("max 100000", 8), ("250000 100000", 2), ("50000 100000", 1), ("1600000 100000", 8), ("", 8)]
)
def test_only_cores_count_that_the_process_may_use(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quota: str, cores: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    (tmp_path / "cpu.max").write_text(quota)
    assert usable_cores(tmp_path / "cpu.max") == cores
    assert usable_cores(tmp_path / "none") == 8


def test_what_is_wrong_with_a_source_is_told_and_noted() -> None:
    def fail() -> None:
        logging.getLogger("crosshead").warning("odd")
        logging.getLogger("crosshead").warning("odd")
        raise CorruptFile("a.md: broken")

    outcome = guarded("a.md", fail)
    assert (outcome.value, outcome.failure, outcome.notes) == (None, "a.md: broken", ("a.md: odd",))


def test_fault_of_ours_is_told_with_its_traceback() -> None:
    outcome = guarded("a.md", lambda: 1 // 0)
    assert outcome.failure.startswith("a.md: a fault of Crosshead, please report it: ZeroDivisionError: ")
    assert "in test_fault" not in outcome.failure
    assert "ZeroDivisionError" in outcome.traceback


def test_want_of_memory_is_no_fault_of_ours() -> None:
    def fail() -> None:
        raise MemoryError

    outcome = guarded("a.md", fail)
    assert outcome.failure == "a.md: MemoryError: there is not enough memory for it"
    assert "in fail" in outcome.traceback


class PanicException(BaseException):  # what a library in Rust raises
    """As PyO3 names it."""


class Unspeakable(Exception):
    """Has no text."""

    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RecursionError("too deep\nindeed"), "a fault of Crosshead, please report it: RecursionError: too deep"),
        (PanicException("index out of bounds"), "a fault of Crosshead, please report it: PanicException: index out of"),
        (Unspeakable(), "a fault of Crosshead, please report it: Unspeakable: the exception has no text"),
        (OptionsError("no such option"), "no such option"),
        (OSError(36, "File name too long", "x" * 300), "OSError: File name too long: xxx"),
    ],
    ids=ascii,
)
def test_whatever_is_raised_is_the_failure_of_its_source(error: BaseException, told: str) -> None:
    def fail() -> None:
        raise error

    outcome = guarded("a.md", fail)
    assert outcome.failure.startswith(f"a.md: {told}")
    assert "\n" not in outcome.failure


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_program_is_no_failure(error: type[BaseException]) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(error):
        guarded("a.md", fail)


def make_unsendable(item: int) -> object:
    """What comes of item 7 cannot be sent to another process."""
    return item if item != 7 else lambda: item


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_item_whose_result_cannot_be_sent_is_given_up(start: processes.Start) -> None:
    values = list(in_order(make_unsendable, range(40), 2, give_up=lambda item, error: str(error), start=start))
    assert "pickle" in str(values.pop(7))
    assert values == [item for item in range(40) if item != 7]


def end_process(marks: Path, item: int) -> int:
    """Item 7 ends its process once; with marks in the folder `always`, whenever it is tried."""
    mark = marks / str(item)
    if item == 7 and (marks.name == "always" or not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_process_that_the_system_ended_is_replaced(tmp_path: Path, start: processes.Start) -> None:
    step = partial(end_process, tmp_path)
    assert list(in_order(step, range(80), 2, give_up=lambda item, _: -item, start=start)) == list(range(80))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_item_that_ends_its_process_again_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "always").mkdir()
    step = partial(end_process, tmp_path / "always")
    values = list(in_order(step, range(80), 2, give_up=lambda item, _: -item))
    assert values == [item if item != 7 else -7 for item in range(80)]
    with pytest.raises(BrokenProcessPool):
        list(in_order(step, range(80), 2))


def test_what_was_given_up_says_why() -> None:
    assert "probably it needs more memory" in ended("a.md").failure
