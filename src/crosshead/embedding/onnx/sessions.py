"""Run graphs on onnxruntime: one thread per graph, several texts at once."""

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
    """Load a graph with its weights from a folder; errors are those of onnxruntime."""
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def run_texts(
    run: Callable[[str], Result], texts: Sequence[str], jobs: int | None, on_progress: Callable[[int], None] | None
) -> list[Result]:
    """Return the result of `run` for each text, with `jobs` texts at once (by default one per core)."""
    found: list[Result] = []
    with _mapping(min(jobs or usable_cores(), len(texts))) as each:
        for made in each(run, texts):
            found.append(made)
            if on_progress and (len(found) == len(texts) or not len(found) % TEXTS_BETWEEN_REPORTS):
                on_progress(len(found))
    return found


@contextmanager
def _mapping(threads: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """Yield a `map` that uses this many threads."""
    if threads <= 1:
        yield map
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        yield pool.map
