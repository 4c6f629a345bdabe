// Passages: text for a prompt, within a token budget.

import { renderPart } from "../markdown/render.js";
import * as address from "../shared/address.js";
import { cited, notSearched } from "../shared/chunk.js";
import { copy, count, h, number } from "../shared/dom.js";

// Numbered texts with their citations, so that an answer can cite them.
export const forModel = (passages) =>
  passages.map((each, at) => `[${at + 1}] ${cited(each)}\n\n${each.content}`).join("\n\n---\n\n");

export function showPassages(results, found, state) {
  const { passages } = found;
  if (!passages.length) {
    results.replaceChildren(h("p", { class: "empty" }, found.note ? `Nothing found: ${found.note}.` : "Nothing found that fits the budget."));
    return;
  }
  if (passages.every((passage) => passage.is_weak)) return foldWeak(results, found, state);
  showAll(results, found, state);
}

// Text that does not answer would mislead a reader or a model, so it takes one more click.
function foldWeak(results, found, state) {
  const label = `Show ${count(found.passages.length, "weaker passage")}`;
  const button = h("button", { class: "more", onclick: () => {
    showAll(results, found, state);
    results.querySelector(".passage a").focus();
  } }, label);
  results.replaceChildren(h("p", { class: "note" }, "No good match."), button);
}

function showAll(results, found, state) {
  const { passages } = found;
  results.replaceChildren(
    h(
      "div",
      { class: "passages-head" },
      h(
        "p",
        {},
        `${count(passages.length, "passage")}, ${number(found.token_count)} of ${number(found.budget_tokens)} tokens`,
      ),
      h("button", { class: "primary", onclick: () => copy(forModel(passages), "Passages") }, "Copy for a language model"),
    ),
    ...[notSearched(found.missing)].filter(Boolean).map((text) => h("p", { class: "note" }, text)),
    h("ol", { class: "passages" }, passages.map((each) => makePassage(each, state))),
  );
}

function makePassage(passage, state) {
  return h(
    "li",
    { class: "passage" },
    h("h2", { dir: "auto" }, passage.heading_chain ?? passage.source),
    h(
      "p",
      { class: "citation" },
      h(
        "a",
        { href: address.link("read", { ...state, document: passage.document_id, line: passage.start_line }) },
        cited(passage),
      ),
      ` · ${count(passage.token_count, "token")}`,
    ),
    renderPart(passage.content, passage.source),
  );
}
