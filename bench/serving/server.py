"""How a server bears many clients at once, against the library asked in a loop.

usage: python -m bench.serving.server [--chunks N] [--connections N] [--seconds N] [--page]

Makes an index of so many chunks from made-up documents, starts `crosshead serve` as a process of its own, asks it over
so many connections for so long, first alone and then while uploads are indexed, and prints requests, errors, latencies,
memory, and how many searches a second of CPU time makes: there, and by the library in a loop on the same index as the
load has left it, because a changed index is searched otherwise. `--page` measures the page instead: what a browser
needs beyond the library to show a document of 2 MB that is cut anew.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from urllib.parse import quote, urlsplit

from crosshead import pipeline
from crosshead.index import Index

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]

WORDS = [
    f"{first}{second}{third}" for first in "bdfgklmnprst" for second in "aeiou" for third in ("n", "rt", "sk", "l")
]
SECTIONS = 40
WARM_UP_SECONDS = 20
BASELINE_SECONDS = 10
UPLOADS_EVERY_SECONDS = 10
UPLOADED = 2
"""Documents that are uploaded in turn: from then on they are replaced, so that only what is not freed takes memory."""


def make_document(number: int) -> str:
    """Return a document whose sections are chunks of about 120 tokens."""
    random = Random(number)
    sections = []
    for section in range(SECTIONS):
        words = random.choices(WORDS, weights=[1 / (at + 3) for at in range(len(WORDS))], k=70)
        sections.append(f"## {words[0].title()} {section}\n\n{' '.join(words)}.\n")
    return f"# Document {number}\n\n" + "\n".join(sections)


def make_questions(count: int) -> list[str]:
    """Return questions of four words."""
    random = Random(0)
    return [" ".join(random.choices(WORDS[20:], k=4)) for _ in range(count)]


def cpu_seconds(pid: int) -> float:
    """Return what a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(pid: int) -> float:
    """Return the memory that a process takes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def searches_per_cpu_second(index: Index, questions: Sequence[str]) -> float:
    """Ask the library in a loop."""
    for question in questions[:20]:
        index.search(question)
    started, begun, done = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - started < BASELINE_SECONDS:
        index.search(questions[done % len(questions)])
        done += 1
    return done / (time.process_time() - begun)


@contextmanager
def running_server(location: Path) -> Iterator[tuple[str, int]]:
    """Start `crosshead serve`; return its address and its process."""
    command = [sys.executable, "-c", "from crosshead.cli import main; main()", "serve", "--port", "0"]
    with tempfile.NamedTemporaryFile("w+") as log:
        process = subprocess.Popen([*command, "--index", str(location)], stderr=log)
        try:
            while not (found := re.search(r"http://\S+/", Path(log.name).read_text())):
                assert process.poll() is None, Path(log.name).read_text()
                time.sleep(0.1)
            yield found[0], process.pid
        finally:
            process.terminate()
            process.wait()


class Load:
    """Clients that ask one question after the other, and one that uploads; all in one thread, which is fair."""

    def __init__(self, url: str, questions: Sequence[str], connections: int, seconds: float, *, uploads: bool) -> None:
        self.address = urlsplit(url)
        self.questions = questions
        self.connections = connections
        self.seconds = seconds
        self.uploading = uploads
        self.latencies: list[float] = []
        self.errors: list[str] = []
        self.uploads = 0

    def run(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        self.until = time.perf_counter() + self.seconds
        clients = [self._ask(each) for each in range(self.connections)]
        await asyncio.gather(*clients, *([self._upload()] if self.uploading else []))

    async def _ask(self, client: int) -> None:
        connection, at = await self._connect(), client
        while (started := time.perf_counter()) < self.until:
            status, body = await self._request(connection, "GET", f"/v1/search?q={quote(self.questions[at])}")
            if status != 200 or b'"hits"' not in body[:2000]:
                self.errors.append(f"{status} {body[:200]!r}")
            self.latencies.append(time.perf_counter() - started)
            at = (at + self.connections) % len(self.questions)

    async def _upload(self) -> None:
        connection = await self._connect()
        while time.perf_counter() < self.until:
            path = f"/v1/documents?source=bench/{self.uploads % UPLOADED}.md"
            document = make_document(1_000_000 + self.uploads).encode()
            status, _ = await self._request(connection, "POST", path, document)
            if status != 202:
                self.errors.append(f"upload: {status}")
            self.uploads += 1
            await asyncio.sleep(UPLOADS_EVERY_SECONDS)

    async def _connect(self) -> Connection:
        return await asyncio.open_connection(self.address.hostname, self.address.port)

    async def _request(self, connection: Connection, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Ask over a connection that stays open; one that breaks ends the benchmark."""
        reader, writer = connection
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.address.netloc}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answer.partition("content-length: ")[2].partition("\r")[0])
        return int(answer.split()[1]), await reader.readexactly(length)


def measure_server(chunks: int, connections: int, seconds: float) -> None:
    questions = make_questions(500)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs").mkdir()
        for number in range(chunks // SECTIONS):
            (root / f"docs/{number}.md").write_text(make_document(number))
        location = root / ".crosshead"
        with Index(location, embedder="static", max_tokens=150, min_tokens=0) as index:
            index.add(root / "docs")
            print(f"index: {index.status().chunks:,} chunks")
        for uploads in (False, True):
            with running_server(location) as (url, pid):
                Load(url, questions, connections, WARM_UP_SECONDS, uploads=uploads).run()
                rate = report(Load(url, questions, connections, seconds, uploads=uploads), pid)
            with Index(location, create=False) as index:
                alone = searches_per_cpu_second(index, questions)
            print(f"throughput: {rate:.0f} searches per CPU second, {rate / alone:.0%} of the library's {alone:.0f}\n")


def report(load: Load, pid: int) -> float:
    """Run a load, print what came of it, and return the searches that a second of CPU time made."""
    memory, stop = [resident_megabytes(pid)], threading.Event()

    def watch() -> None:
        while not stop.wait(1):
            memory.append(resident_megabytes(pid))

    watching = threading.Thread(target=watch)
    watching.start()
    begun, started = cpu_seconds(pid), time.perf_counter()
    load.run()
    cpu, wall = cpu_seconds(pid) - begun, time.perf_counter() - started
    stop.set()
    watching.join()
    ordered = sorted(load.latencies)
    p50, p99 = median(ordered), ordered[int(0.99 * len(ordered))]
    quarter = max(1, len(memory) // 4)
    first, last = median(memory[:quarter]), median(memory[-quarter:])
    print(f"requests: {len(ordered):,} in {wall:.0f} s, {len(load.errors)} errors, {load.uploads} uploads meanwhile")
    print(f"latency: p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, {p99 / p50:.1f} times")
    print(f"memory: {first:.0f} MB in the first quarter, {last:.0f} MB in the last")
    for error in load.errors[:5]:
        print("error:", error)
    return len(ordered) / cpu


def measure_page() -> None:
    """Cut a document of 2 MB anew in a browser, and by the library."""
    from playwright.sync_api import sync_playwright

    text = "".join(map(make_document, range(200)))[:2_000_000]

    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder) / ".crosshead") as (url, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{url}#/chunks")
        page.locator("#file").set_input_files(
            {"name": "large.md", "mimeType": "text/markdown", "buffer": text.encode()}
        )
        page.locator(".verdict strong").wait_for(timeout=60_000)
        shown, alone = [], []
        for size in (300, 310, 320, 330, 340, 350, 360):
            page.locator(".verdict .good").wait_for(timeout=60_000)  # the check of the last cut is done
            shown.append(page.evaluate(DRAG, size))
            alone.append(milliseconds_to_cut(text, size))
        browser.close()
    print(f"document: {len(text):,} characters")
    print(f"library: {median(alone):.0f} ms to read and cut it")
    print(f"page: {median(shown):.0f} ms from the slider to the screen")


def milliseconds_to_cut(text: str, size: int) -> float:
    started = time.perf_counter()
    pipeline.chunk(pipeline.read(text.encode(), source="large.md"), max_tokens=size, explain=True)
    return 1000 * (time.perf_counter() - started)


DRAG = """async (size) => {
  const range = document.querySelector('input[type=range]');
  const started = performance.now();
  range.value = size;
  range.dispatchEvent(new Event('input'));
  const before = document.querySelector('.histogram');
  while (document.querySelector('.histogram') === before) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - started;
}"""


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--page", action="store_true")
    given = parser.parse_args()
    if given.page:
        measure_page()
    else:
        measure_server(given.chunks, given.connections, given.seconds)


if __name__ == "__main__":
    main()
