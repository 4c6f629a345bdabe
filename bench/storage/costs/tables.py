"""The rows of one index: what a query costs in each engine, how good its hits are, and what the index weighs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from bench.storage.costs.contestants import MODES, ROOT, Answer, Contestant, Sizes, ask, build, in_rounds
from bench.storage.costs.material import MADE_UP, Material, Position
from bench.storage.costs.peers import LIMIT, PEERS

from crosshead.evaluation import Question
from crosshead.evaluation.measure import RankedChunk, find_rank, recall

TITLES = (
    "engine", *(f"{mode}, ms" for mode in MODES), *(f"{mode}, MRR" for mode in MODES), "hybrid, recall@10",
    "kB a chunk", "times the text",
)  # fmt: skip
NOTHING = "–"

Judge = Callable[[str, Sequence[Position]], tuple[float, float] | None]
"""A question and its hits -> reciprocal rank and recall; None if the question has no answer here."""


class Table(NamedTuple):
    """An index with what is asked about it."""

    title: str
    material: Material
    judge: Judge
    folder: Path
    """Of the indexes."""


def contestants(embedder: str, chunks: int, others: Sequence[Path], peers: Sequence[str]) -> Iterator[Contestant]:
    """Return the engines that take turns with an embedder."""
    for code in (ROOT, *others):
        name = "Crosshead" if code == ROOT else f"Crosshead in {code.name}"
        if embedder == "static":
            yield Contestant(name, "crosshead", MODES, code)
            yield Contestant(f"{name}, embedding alone", "embedding", MODES[1:], code)
            continue
        with_tokens = Contestant(f"{name}, with tokens", "crosshead+tokens", MODES, code)
        yield with_tokens
        yield Contestant(f"{name}, without tokens", "crosshead", MODES, code, with_tokens.title)
        if embedder != MADE_UP:
            yield Contestant(f"{name}, embedding alone", "embedding+tokens", MODES[1:], code)
    for peer in peers:
        if chunks <= getattr(PEERS[peer], "most_chunks", chunks):
            yield Contestant(PEERS[peer].title, peer, PEERS[peer].modes)


def print_table(table: Table, engines: Sequence[Contestant], rounds: int, limit: int) -> None:
    folders = {each.title: table.folder / _slug(each.title) for each in engines}
    sizes = {
        each.title: build(each, table.material, folders) for each in engines if not each.engine.startswith("embedding")
    }
    turns = in_rounds(table.material, rounds, limit)
    answers = ask(engines, table.material, folders, turns)
    text = table.material.about["bytes"]
    chunks = len(table.material.positions)
    asked = sum(map(len, turns)) // len(MODES)
    print(f"\n{table.title}: {chunks:,} chunks, {text / 1e6:.2f} MB of text, {asked} questions\n")
    print("| " + " | ".join(TITLES) + " |\n|---" + "|---:" * (len(TITLES) - 1) + "|")
    for each in engines:
        times = [_times(answers[each.title], mode) for mode in MODES]
        figures = {mode: _figures(answers[each.title], mode, table.judge) for mode in MODES}
        quality = [*(_number(figures[mode], 0) for mode in MODES), _number(figures["hybrid"], 1)]
        print(
            "| " + " | ".join([each.title, *times, *quality, *_weights(sizes.get(each.title), text)]) + " |", flush=True
        )


def _times(answers: Sequence[Answer], mode: str) -> str:
    spent = [each.ms for each in answers if each.turn.mode == mode and each.turn.is_new]
    return "{:.1f} ({:.1f})".format(*np.percentile(spent, [50, 99])) if spent else NOTHING


def _figures(answers: Sequence[Answer], mode: str, judge: Judge) -> tuple[float, ...] | None:
    """Return the mean reciprocal rank and recall of an engine; None if it has no hits at all."""
    given = [each for each in answers if each.turn.mode == mode]
    judged = [figures for each in given if (figures := judge(each.turn.question, each.hits))]
    return tuple(map(fmean, zip(*judged, strict=True))) if judged and any(each.hits for each in given) else None


def _number(figures: Sequence[float] | None, at: int) -> str:
    return f"{figures[at]:.3f}".removeprefix("0") if figures else NOTHING


def _weights(sizes: Sizes | None, text: int) -> tuple[str, str]:
    """After `optimize`; what it was before stands in parentheses."""
    if not (sizes and sizes.chunks):
        return NOTHING, NOTHING
    added = [sizes.added] if sizes.added else []
    kilobytes, times = (
        [f"{size / unit:.1f}" for size in (sizes.bytes, *added)] for unit in (1000 * sizes.chunks, text)
    )
    return tuple(f"{after} ({before[0]})" if before else after for after, *before in (kilobytes, times))  # type: ignore[return-value]


def judge_by_evidence(answerable: Mapping[str, Question]) -> Judge:
    """Judge hits by the lines that answer."""

    def judge(text: str, hits: Sequence[Position]) -> tuple[float, float] | None:
        question = answerable.get(text)
        if not question:
            return None
        chunks = [RankedChunk(*hit) for hit in hits[:LIMIT]]
        return 1 / (find_rank(question, chunks) or np.inf), recall(question, chunks)

    return judge


def judge_by_vectors(material: Material) -> Judge:
    """Judge hits by the ten nearest vectors: the rank of the nearest, and the share of the ten."""

    def judge(text: str, hits: Sequence[Position]) -> tuple[float, float]:
        nearest = np.argsort(-(material.vectors @ material.question_vectors[text]))[:LIMIT]
        true = [material.positions[number][:2] for number in nearest]
        found = [hit[:2] for hit in hits]
        rank = found.index(true[0]) + 1 if true[0] in found else np.inf
        return 1 / rank, len({*true} & {*found}) / LIMIT

    return judge


def _slug(title: str) -> str:
    return "".join(each if each.isalnum() else "-" for each in title.lower())
