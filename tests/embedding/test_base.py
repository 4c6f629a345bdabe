from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from tests.embedding.tiny import TinyModel

from crosshead.embedding import advise, base, get_embedder
from crosshead.embedding.minilm import encoder
from crosshead.embedding.minilm.files import model_folder
from crosshead.embedding.models import list_models
from crosshead.errors import EmbedError, MissingExtra, OptionsError


@pytest.mark.parametrize("name", ["", "word2vec", "static:x", "minilm:int4"])
def test_unknown_names_are_an_error_that_lists_the_known_ones(name: str) -> None:
    with pytest.raises(OptionsError, match=r"auto, static, minilm, minilm:fp32, multilingual, ollama:MODEL"):
        get_embedder(name)


@pytest.mark.parametrize("name", ["ollama:", "openai", "sentence-transformers:"])
def test_providers_need_a_model(name: str) -> None:
    with pytest.raises(OptionsError, match="needs a model"):
        get_embedder(name)


def test_names_are_those_the_user_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    for name in ("static", "ollama:nomic-embed-text:v1.5", "openai:text-embedding-3-small"):
        assert get_embedder(name).name == name


def test_all_indexes_of_a_process_share_one_table() -> None:
    assert get_embedder("static") is get_embedder("static")


def test_auto_is_static_with_advice_until_minilm_is_installed(tiny: TinyModel) -> None:
    assert get_embedder("auto").name == "static"
    assert advise("static") == "embedding with the static table; for better answers: crosshead model install minilm"
    tiny.install(model_folder("fp32"), "fp32")
    assert get_embedder("auto").name == "minilm:fp32"
    better = "minilm:fp32 is installed: crosshead index --embedder minilm:fp32"
    assert advise("static") == f"embedding with the static table; {better}"
    tiny.install(model_folder("int8"), "int8")
    assert get_embedder("auto").name == "minilm"
    assert not advise("minilm")


def test_minilm_that_is_not_installed_names_the_command() -> None:
    with pytest.raises(EmbedError, match=r"crosshead model install minilm$"):
        get_embedder("minilm")
    with pytest.raises(EmbedError, match=r"crosshead model install minilm --variant fp32$"):
        get_embedder("minilm:fp32")


@pytest.mark.parametrize("name", ["static", "minilm", "ollama:m", "sentence-transformers:m"])
def test_missing_packages_name_the_extra(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    from crosshead.embedding import sentence_transformers, static

    base._static.cache_clear()
    for module in (importlib.util, encoder, static, sentence_transformers):
        monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"crosshead\[(index|sentence-transformers)\]"):
        get_embedder(name)


def test_list_says_what_is_installed_and_what_auto_means(tiny: TinyModel) -> None:
    before = {model.name: model for model in list_models()}
    assert (before["static"].installed, before["static"].auto, before["static"].dimension) == (True, True, 256)
    assert (before["minilm"].installed, before["minilm"].auto, before["minilm"].size_bytes) == (False, False, None)
    assert before["ollama:MODEL"].installed is None
    folder = model_folder("int8")
    tiny.install(folder, "int8")
    after = {model.name: model for model in list_models()}
    assert (after["minilm"].installed, after["minilm"].auto, after["static"].auto) == (True, True, False)
    assert Path(after["minilm"].path or "") == folder
