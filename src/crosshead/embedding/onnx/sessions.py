"""Running graphs on onnxruntime: a graph on one thread, and several texts at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from crosshead.runtime.onnx import load_onnxruntime
from crosshead.runtime.processes import usable_cores

RUNTIME: Final = ("numpy", "onnxruntime")
TEXTS_BETWEEN_REPORTS: Final = 16

Result = TypeVar("Result")


def open_session(graph: bytes, folder: Path) -> Any:
    """Load a graph whose weights are in a folder; what fails there raises a class of onnxruntime."""
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def run_texts(
    run: Callable[[str], Result], texts: Sequence[str], jobs: int | None, on_progress: Callable[[int], None] | None
) -> list[Result]:
    """Return what `run` makes of every text, of as many at once as there are jobs; by default as there are cores."""
    found: list[Result] = []
    with _mapping(min(jobs or usable_cores(), len(texts))) as each:
        for made in each(run, texts):
            found.append(made)
            if on_progress and (len(found) == len(texts) or not len(found) % TEXTS_BETWEEN_REPORTS):
                on_progress(len(found))
    return found


@contextmanager
def _mapping(threads: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """A `map` that uses so many threads."""
    if threads <= 1:
        yield map
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        yield pool.map
