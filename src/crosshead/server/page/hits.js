// Hits: citation, best lines, parts of the score and, when opened, the section that answers.

import * as address from "./address.js";
import * as api from "./api.js";
import { lines, partsOf, path } from "./chunk.js";
import { copy, h } from "./dom.js";
import { render } from "./markdown.js";

export function showHits(results, hits, state) {
  if (!hits.length) {
    results.replaceChildren(h("p", { class: "empty" }, "Nothing found. Try other words or fewer filters."));
    return;
  }
  const weak = hits[0].is_weak && h("p", { class: "note" }, "No good match. The nearest hits:");
  const list = h(
    "ol",
    { class: "hits" },
    hits.map((hit) => makeHit(hit, state)),
  );
  results.replaceChildren(...[weak, list].filter(Boolean));
  const opened = state.open && results.querySelector(`[data-id="${CSS.escape(state.open)}"]`);
  if (opened) toggle(opened, true);
}

function makeHit(hit, state) {
  const { chunk } = hit;
  const full = path({ ...chunk, section_path: hit.section_path });
  const item = h(
    "li",
    { class: "hit", "data-id": chunk.id },
    h(
      "div",
      { class: "summary" },
      h(
        "div",
        { class: "words" },
        h(
          "button",
          { class: "title", "aria-expanded": "false", dir: "auto", onclick: () => toggle(item) },
          full.slice(0, -1).map((title) => h("span", { class: "above" }, `${title} › `)),
          h("strong", {}, full.at(-1)),
        ),
        h("p", { class: "citation" }, hit.citation),
        h("p", { class: "snippet", dir: "auto" }, marked(plain(hit.snippet))),
      ),
      scores(hit),
    ),
  );
  item.hit = hit;
  item.remember = (id) => {
    state.open = id;
    address.keep("search", state);
  };
  return item;
}

// A snippet is read, not rendered: drop marks of headings and fences.
const plain = (snippet) => snippet.replace(/^ {0,3}(#{1,6}\s+|(`{3,}|~{3,}).*$\n?)/gm, "");

function marked(snippet) {
  return snippet
    .split(/(\[\[.*?\]\])/s)
    .map((part) => (part.startsWith("[[") && part.endsWith("]]") ? h("mark", {}, part.slice(2, -2)) : part));
}

function scores(hit) {
  const parts = [
    ["words", hit.lexical_score],
    ["meaning", hit.dense_score],
    ["names", hit.entity_boost || null],
    ["judged", hit.rerank_score],
  ];
  const shown = parts.filter(([, value]) => value !== null);
  return h(
    "dl",
    { class: "scores" },
    h("div", { class: "final" }, h("dt", {}, "score"), h("dd", {}, hit.final_score.toFixed(2))),
    shown.map(([name, value]) => {
      const bar = h("span", { class: "bar" }, h("span", { class: "fill" }));
      bar.firstChild.style.width = `${100 * Math.max(0, Math.min(1, value))}%`;
      return h("div", {}, h("dt", {}, name), h("dd", {}, bar, h("span", { class: "off-screen" }, value.toFixed(2))));
    }),
  );
}

async function toggle(item, open = !item.classList.contains("open")) {
  const title = item.querySelector(".title");
  item.classList.toggle("open", open);
  title.setAttribute("aria-expanded", String(open));
  item.querySelector(".opened")?.remove();
  item.remember(open ? item.dataset.id : "");
  if (!open) return;
  const { hit } = item;
  const [above, own, below] = partsOf(hit);
  const body = h("div", { class: "opened" });
  item.append(body);
  const [before, after] = await Promise.all([
    aside(above, hit.chunk.prev_id, hit, "before"),
    aside(below, hit.chunk.next_id, hit, "after"),
  ]);
  const reading = h("div", { class: "reading" }, before, h("div", { class: "answer" }, render(own)), after);
  const around = h("div", { class: "around", "aria-live": "polite" });
  body.replaceChildren(reading, around, makeActions(hit, own, reading, around));
}

function makeActions(hit, own, reading, around) {
  const { parent, siblings } = hit;
  const button = (key, label, onclick) => h("button", { "data-key": key, onclick }, `${label} `, h("kbd", {}, key));
  return h(
    "div",
    { class: "actions" },
    parent && button("p", "Parent", () => showAround(around, "Parent", [parent])),
    siblings.length > 0 && button("s", "Siblings", () => showAround(around, "Siblings", siblings)),
    reading.querySelector(".neighbor") && button("n", "Neighbors in full", () => reading.classList.toggle("whole")),
    h("a", { class: "button", "data-key": "d", href: toAnswer(hit) }, "Open in document ", h("kbd", {}, "d")),
    h("button", { onclick: () => copy(`${own}\n\n(${hit.citation})`, "Text") }, "Copy"),
  );
}

// What is next to the section that answers: the rest of its chunk, or the next chunk, with its nearest lines visible.
// That chunk may be another part of the same section.
async function aside(rest, id, hit, where) {
  if (rest.trim()) return neighbor(rest, `The chunk, ${where} the section`, where);
  const chunk = id && (await api.get(`/v1/chunks/${id}`).catch(() => null));
  if (!chunk) return null;
  const isSame = hit.chunk.parts > 1 && chunk.parts > 1 && chunk.section_id === hit.chunk.section_id;
  if (isSame) return h("div", { class: "answer", role: "group", "aria-label": "The same section" }, render(chunk.content));
  return neighbor(chunk.content, `The chunk ${where} it`, where);
}

const neighbor = (text, label, where) =>
  h("div", { class: `neighbor ${where}`, "aria-label": label, role: "group" }, render(text));

// A link to the first line of the section that answers.
function toAnswer(hit) {
  const line = hit.chunk.start_line + partsOf(hit)[0].split("\n").length - 1;
  return address.link("chunks", { document: hit.chunk.document_id, line });
}

const inDocument = (chunk) => address.link("chunks", { document: chunk.document_id, line: chunk.start_line });

function showAround(place, label, chunks) {
  if (place.dataset.label === label) {
    delete place.dataset.label;
    place.replaceChildren();
    return;
  }
  place.dataset.label = label;
  place.replaceChildren(
    ...chunks.map((chunk) =>
      h(
        "section",
        {},
        h("h3", {}, `${label}: ${path(chunk).at(-1)} `, h("a", { href: inDocument(chunk) }, lines(chunk))),
        render(chunk.content),
      ),
    ),
  );
}
