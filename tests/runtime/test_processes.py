"""What becomes of a document, and what this process may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crosshead.errors import CorruptFile, OptionsError
from crosshead.runtime import processes
from crosshead.runtime.processes import Failure, guarded, usable_cores, useful_jobs


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


def test_outcome_keeps_reasons_and_warnings_apart_from_the_source() -> None:
    def fail() -> tuple[None, list[str]]:
        raise CorruptFile("broken", "a.md")

    outcome = guarded("a.md", fail)
    assert (outcome.value, outcome.failure, outcome.error) == (None, Failure("broken"), "a.md: broken")
    outcome = guarded("a.md", lambda: (1, ["odd"]))
    assert (outcome.value, outcome.failure, outcome.error) == (1, None, "")
    assert (outcome.warnings, outcome.notes) == (("odd",), ("a.md: odd",))


def test_error_about_another_source_keeps_its_name() -> None:
    def fail() -> tuple[None, list[str]]:
        raise CorruptFile("broken", "b.png")

    assert guarded("a.md", fail).error == "a.md: b.png: broken"


def test_fault_of_ours_is_told_with_its_traceback() -> None:
    outcome = guarded("a.md", lambda: (1 // 0, []))
    assert outcome.error.startswith("a.md: a fault of Crosshead, please report it: ZeroDivisionError: ")
    assert "in test_fault" not in outcome.error
    assert outcome.failure
    assert "ZeroDivisionError" in outcome.failure.traceback


def test_want_of_memory_is_no_fault_of_ours() -> None:
    def fail() -> tuple[None, list[str]]:
        raise MemoryError

    outcome = guarded("a.md", fail)
    assert outcome.failure
    assert outcome.failure.reason == "MemoryError: there is not enough memory for it"
    assert "in fail" in outcome.failure.traceback


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
    def fail() -> tuple[None, list[str]]:
        raise error

    outcome = guarded("a.md", fail)
    assert outcome.error.startswith(f"a.md: {told}")
    assert "\n" not in outcome.error


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_program_is_no_failure(error: type[BaseException]) -> None:
    def fail() -> tuple[None, list[str]]:
        raise error

    with pytest.raises(error):
        guarded("a.md", fail)
