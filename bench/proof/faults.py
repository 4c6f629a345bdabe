"""Which planted faults does `verify` find in answers, which right sentences does it doubt, and what does it cost?

usage: python -m bench.proof.faults [--sets NAME,...] [--folder NAME=DIR ...] [--written FILE ...] [--each 300]
                                    [--seed N] [--misses]

Makes answer sentences from sections of documents: right ones, verbatim or as an assistant rewrites them, and ones with
a fault planted, the same ones for the same seed. A fault that cannot be seen in the cited text is not planted.
`--written` adds sentences that a person wrote: JSON Lines with "set", "file", "begins" (of the cited section), "text"
and "fault" (empty for a right one). `--misses` prints what was judged wrongly.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bench.proof import planting
from bench.proof.planting import Passage, Planted
from bench.retrieval import question_sets

from crosshead import Answer, Proof, chunk, read
from crosshead.ids import content_hash
from crosshead.language.detection import detect_language
from crosshead.proof import split_sentences, verify
from crosshead.types import CitedSpan, StoredDocument

CHOOSE = "node,french,chinese,asciidoc,rst"
"""The sets that were looked at while the rules were written."""
REPORT = "borg,postfix,hatch,debian,spanish,russian,japanese,r"
MOST_DOCUMENTS = 24
"""Of each set."""
MOST_OF_A_PASSAGE = 2
SENTENCES_OF_AN_ANSWER = 8
SUFFIXES = (".md", ".html", ".pdf", ".adoc", ".txt", ".mdx")

Maker = Callable[[str, Passage, random.Random], str | Planted | None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=question_sets.names_of, default=question_sets.names_of(REPORT))
    parser.add_argument("--folder", action="append", default=[], help="NAME=DIR: documents of your own")
    parser.add_argument("--written", type=Path, action="append", default=[])
    parser.add_argument("--each", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    folders = {each.name: each.folder for each in question_sets.fetched(options.sets)}
    folders |= {name: Path(folder) for name, _, folder in (each.partition("=") for each in options.folder)}
    passages = [*_passages(folders)]
    print(f"{len(passages)} sections of {len({each.source for each in passages})} documents in {', '.join(folders)}")
    chance = random.Random(options.seed)
    right = [*_make(passages, planting.RIGHT, options.each, chance, is_right=True)]
    makers = planting.FAULTS | {"another section": _other_section(passages), "later version": _later}
    wrong = [*_make(passages, makers, options.each, chance, is_right=False)]
    report("made by the script", [*right, *wrong], misses=options.misses)
    for file in options.written:
        report(f"written by hand: {file.name}", [*_written(file, folders)], misses=options.misses)
    _print_cost(right)


# ---------------------------------------------------------------------- sentences


def _passages(folders: dict[str, Path]) -> Iterator[Passage]:
    """Yield the sections of some documents of each set that have prose."""
    for name, folder in folders.items():
        files = sorted(each for each in folder.rglob("*") if each.suffix in SUFFIXES)
        for file in files[:: max(1, len(files) // MOST_DOCUMENTS)]:
            yield from _sections(name, file)


def _make(
    passages: Sequence[Passage], makers: Mapping[str, Maker], wanted: int, chance: random.Random, *, is_right: bool
) -> list[Planted]:
    """Return sentences of all kinds, as many of each as there are and the wanted number allows."""
    made: dict[str, list[Planted]] = {kind: [] for kind in makers}
    order = [*passages]
    chance.shuffle(order)
    for passage in order:
        sentences = [*planting.sentences_of(passage.text)]
        chance.shuffle(sentences)
        for sentence in sentences[:MOST_OF_A_PASSAGE]:
            for kind, make in makers.items():
                result = make(sentence, passage, chance)
                if isinstance(result, str):
                    result = Planted(kind, planting.cited(result), passage, is_right)
                if result:
                    made[kind].append(result)
    return _share_out(made, wanted)


def _share_out(made: dict[str, list[Planted]], wanted: int) -> list[Planted]:
    """Return as equal shares of all kinds as possible; what one kind lacks, the others give."""
    chosen: list[Planted] = []
    for left, kind in zip(range(len(made), 0, -1), sorted(made, key=lambda each: len(made[each])), strict=True):
        chosen += made[kind][: (wanted - len(chosen)) // left]
    return chosen


def _other_section(passages: Sequence[Passage]) -> Maker:
    by_source = defaultdict(list)
    for each in passages:
        by_source[each.source].append(each)

    def make(sentence: str, passage: Passage, chance: random.Random) -> Planted | None:
        others = [each for each in by_source[passage.source] if sentence[:30] not in each.text and len(each.text) > 200]
        if not others:
            return None
        return Planted("another section", planting.cited(sentence), chance.choice(others), is_right=False)

    return make


def _later(sentence: str, passage: Passage, chance: random.Random) -> Planted | None:
    later = planting.edited(passage, chance)
    return (later and Planted("later version", planting.cited(sentence), passage, is_right=False, later=later)) or None


def _written(file: Path, folders: dict[str, Path]) -> Iterator[Planted]:
    """Yield the sentences of a file, with the sections that they cite."""
    documents: dict[Path, list[Passage]] = {}
    for line in file.read_text("utf-8").splitlines():
        entry = json.loads(line)
        path = folders[entry["set"]] / entry["file"]
        if path not in documents:
            documents[path] = [*_sections(entry["set"], path)]
        found = [each for each in documents[path] if entry["begins"] in " ".join(each.text.split())]
        if not found:
            raise SystemExit(f"{entry['file']} has no section with {entry['begins']!r}")
        text = entry["text"] if "[1]" in entry["text"] else planting.cited(entry["text"])
        yield Planted(entry["fault"] or "right", text, found[0], is_right=not entry["fault"])


def _sections(name: str, file: Path) -> Iterator[Passage]:
    document = read(file)
    language = detect_language(document.text)
    for each in chunk(document, max_tokens=700):
        text = document.text[each.start : each.end]
        yield Passage(name, f"{name}/{file.name}", language, each.start, each.end, text, document.text)


# ---------------------------------------------------------------------- judging


def answer_of(planted: Sequence[Planted]) -> Answer:
    """Return an answer of some sentences about one document, with its certificate."""
    text = "\n\n".join(each.text.replace("[1]", f"[{n}]") for n, each in enumerate(planted, 1))
    spans = [_span(n, each.passage) for n, each in enumerate(planted, 1)]
    return Answer("", text, split_sentences(text), tuple(spans))


def _span(n: int, passage: Passage) -> CitedSpan:
    hashes = {"document_hash": content_hash(passage.document), "span_hash": content_hash(passage.text)}
    return CitedSpan(n, passage.source, start=passage.start, end=passage.end, citation=passage.source, **hashes)


def stored(passage: Passage, text: str) -> StoredDocument:
    """Return a document as an index has it."""
    name = passage.source.rpartition("/")[2]
    return StoredDocument("", passage.source, "", name, text, "", content_hash(text), "", {}, language=passage.language)


def prove(planted: Sequence[Planted]) -> Proof:
    """Return the proof of an answer of some sentences."""
    documents = {each.passage.source: stored(each.passage, each.later or each.passage.document) for each in planted}
    return verify(answer_of(planted), documents, lambda citation: None)


def is_doubted(proof: Proof) -> bool:
    """Return whether anything in an answer is not proved."""
    return proof.count("not found", "no citation") > 0


def report(title: str, planted: Sequence[Planted], *, misses: bool) -> None:
    """Print which faults are found, and which right sentences doubted, by kind."""
    judged = [(each, prove([each])) for each in planted]
    print(f"\n{title}")
    for is_right in (False, True):
        counts: Counter[str] = Counter()
        doubted: Counter[str] = Counter()
        for each, proof in judged:
            if each.is_right is is_right:
                counts[each.kind] += 1
                doubted[each.kind] += is_doubted(proof)
        print(f"  {'right sentences doubted' if is_right else 'faults found'}")
        for kind in counts:
            print(f"    {kind:28} {doubted[kind]:4} of {counts[kind]:4}  {doubted[kind] / counts[kind]:7.1%}")
        total = sum(counts.values())
        print(f"    {'all':28} {sum(doubted.values()):4} of {total:4}  {sum(doubted.values()) / max(1, total):7.1%}")
    if misses:
        for each, proof in judged:
            if is_doubted(proof) is each.is_right:
                doubts = [(doubt.kind, doubt.text, doubt.reason) for part in proof.sentences for doubt in part.doubts]
                verdicts = [part.verdict for part in proof.sentences]
                print(f"  ! {each.kind} | {each.passage.source} | {each.text} | {verdicts} {doubts}")


def _print_cost(planted: Sequence[Planted]) -> None:
    """Print the CPU time of a check of answers with eight sentences about one document."""
    by_source = defaultdict(list)
    for each in planted:
        by_source[each.passage.source].append(each)
    answers = [
        found[:SENTENCES_OF_AN_ANSWER] for found in by_source.values() if len(found) >= SENTENCES_OF_AN_ANSWER // 2
    ]
    times = []
    for _ in range(3):
        for found in answers:
            answer = answer_of(found)
            documents = {each.passage.source: stored(each.passage, each.passage.document) for each in found}
            begin = time.process_time()
            verify(answer, documents, lambda citation: None)
            times.append(1000 * (time.process_time() - begin))
    warm = sorted(times[len(answers) :])
    print(
        f"\nCPU of a check, {len(answers)} answers of 4 to {SENTENCES_OF_AN_ANSWER} sentences: median "
        f"{statistics.median(warm):.1f} ms, 95 % below {warm[int(0.95 * len(warm))]:.1f} ms, most {warm[-1]:.1f} ms"
    )


if __name__ == "__main__":
    main()
