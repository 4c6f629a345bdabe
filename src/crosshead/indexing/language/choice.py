"""The language of a document: that of the index, or detected from its text."""

from __future__ import annotations

from typing import Final

from crosshead.ids import document_id
from crosshead.indexing.recipe import Recipe
from crosshead.language.detection import detect_language
from crosshead.language.frequent import language_code
from crosshead.types import Store

DOCUMENTS_AT_ONCE: Final = 100


def language_of(text: str, recipe: Recipe) -> str:
    """Return the code of the language of a text."""
    return detect_language(text) if recipe.language == "auto" else language_code(recipe.language)


def add_languages(store: Store, recipe: Recipe) -> None:
    """Detect the language of documents that were indexed without one; the caller holds the lock of the store."""
    if not store.count_languages().get(""):
        return
    ids = [document_id(source) for source in store.document_revisions()]
    for at in range(0, len(ids), DOCUMENTS_AT_ONCE):
        listed = store.list_documents(ids[at : at + DOCUMENTS_AT_ONCE])
        unread = store.documents([document_id(each.source) for each in listed if not each.language])
        if unread:
            store.set_languages({document.id: language_of(document.text, recipe) for document in unread})
