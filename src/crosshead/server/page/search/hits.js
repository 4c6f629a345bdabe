// Hits: citation, best lines, parts of the score and, when opened, the section that answers.

import { highlight } from "../markdown/highlight.js";
import { renderPart } from "../markdown/render.js";
import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { cited, lines, notSearched, partsOf, path } from "../shared/chunk.js";
import { copy, h, number } from "../shared/dom.js";
import { makeThumbs } from "../shared/rating.js";
import { goodHits, snippetParts, wordsOf } from "./asking.js";
import { forModel } from "./passages.js";

export function showHits(results, { hits, note: unmet, missing }, state) {
  const absent = notSearched(missing);
  if (!hits.length) {
    const reason = unmet ? `Nothing found: ${unmet}.` : "Nothing found. Try other words or fewer filters.";
    results.replaceChildren(h("p", { class: "empty" }, absent ? `${reason} ${absent}` : reason));
    return;
  }
  const words = wordsOf(hits);
  const items = hits.map((hit) => makeHit(hit, words, state));
  const shown = goodHits(hits).length;
  const note = hits[0].is_weak && h("p", { class: "note" }, "No good match. The nearest hits:");
  const list = h("ol", { class: "hits" }, items.slice(0, shown));
  const gap = absent && h("p", { class: "note" }, absent);
  results.replaceChildren(...[gap, note, list, foldWeaker(list, items.slice(shown))].filter(Boolean));
  const opened = items.find((item) => item.dataset.id === state.open);
  if (!opened) return;
  if (!opened.isConnected) results.querySelector(".more").click();
  toggle(opened, true);
  if (document.activeElement === document.body) opened.querySelector(".title").focus({ preventScroll: true });
}

function foldWeaker(list, items) {
  const label = `Show ${number(items.length)} weaker ${items.length === 1 ? "match" : "matches"}`;
  const button = h("button", { class: "more" }, label);
  button.addEventListener("click", () => {
    list.append(...items);
    button.remove();
    items[0].querySelector(".title").focus();
  });
  return items.length ? button : null;
}

function makeHit(hit, words, state) {
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
        h("p", { class: "citation" }, h("a", { href: toReading(hit, state) }, cited(hit))),
        h("p", { class: "snippet", dir: "auto" }, marked(snippetParts(hit))),
      ),
      scores(hit),
    ),
  );
  item.hit = hit;
  item.state = state;
  item.words = words;
  item.remember = (id) => {
    state.open = id;
    address.keep("search", state);
  };
  return item;
}

const marked = (parts) => parts.map((part, at) => (at % 2 ? h("mark", {}, part) : part));

function scores(hit) {
  const parts = [
    ["confidence", hit.confidence],
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
  item.classList.toggle("open", open);
  item.querySelector(".title").setAttribute("aria-expanded", String(open));
  item.querySelector(".opened")?.remove();
  item.remember(open ? item.dataset.id : "");
  if (!open) return;
  const { hit } = item;
  const answer = h("div", { class: "answer" }, renderPart(textOf(hit), hit.source));
  highlight(answer, item.words);
  const reading = h("div", { class: "reading" }, answer);
  const around = h("div", { class: "around", "aria-live": "polite" });
  const actions = makeActions(item, around);
  item.append(h("div", { class: "opened" }, reading, around, actions));
  if (item.getBoundingClientRect().bottom > innerHeight) item.scrollIntoView({ block: "start" });
  const [above, , below] = partsOf(hit);
  const [before, after] = await Promise.all([
    aside(above, hit.chunk.prev_id, hit, "before"),
    aside(below, hit.chunk.next_id, hit, "after"),
  ]);
  reading.replaceChildren(...[before, answer, after].filter(Boolean));
  if (reading.querySelector(".neighbor"))
    actions.append(makeButton("n", "Text around it", () => reading.classList.toggle("whole")));
}

// The section that answers; if it begins inside a table, with the head of the table.
const textOf = (hit) => (hit.start === hit.chunk.start ? hit.chunk.prefix : "") + hit.content;

const makeButton = (key, label, onclick) => h("button", { "data-key": key, onclick }, `${label} `, h("kbd", {}, key));

function makeActions(item, around) {
  const { hit } = item;
  const { parent, ancestors, siblings } = hit;
  return h(
    "div",
    { class: "actions" },
    makeButton("c", "Copy citation", () => copyCitation(hit)),
    makeButton("m", "Copy for a language model", () => copyForModel(hit)),
    makeThumbs("This hit", item.state.q, [hit], { keys: true }),
    h("a", { class: "button", "data-key": "r", href: toReading(hit, item.state) }, "Read in document ", h("kbd", {}, "r")),
    h("a", { class: "button", "data-key": "d", href: toChunks(hit) }, "Chunks ", h("kbd", {}, "d")),
    parent && makeButton("p", "Parent", () => showAround(around, "Parent", [parent, ...ancestors], item.state)),
    siblings.length > 0 && makeButton("s", "Siblings", () => showAround(around, "Siblings", siblings, item.state)),
  );
}

const copyCitation = (hit) => copy(cited(hit), "Citation");
const copyForModel = (hit) => copy(forModel([{ citation: cited(hit), content: textOf(hit) }]), "Text and citation");

// Keys of a hit that has the focus; the buttons of an opened one have the others.
export function pressKey(item, key) {
  if (key === "Escape" && item.classList.contains("open")) toggle(item, false);
  else if (key === "c") copyCitation(item.hit);
  else if (key === "m") copyForModel(item.hit);
  else if (key === "r") item.querySelector(".citation a").click();
  else if ("psndgb".includes(key)) item.querySelector(`[data-key="${key}"]`)?.click();
}

// What is next to the section that answers: the rest of its chunk, or the next chunk, with its nearest lines visible.
// That chunk may be another part of the same section.
async function aside(rest, id, hit, where) {
  if (rest.trim()) return neighbor(rest, hit.source, `The chunk, ${where} the section`, where);
  const chunk = id && (await api.get(`/v1/chunks/${id}`).catch(() => null));
  if (!chunk) return null;
  const isSame = hit.chunk.parts > 1 && chunk.parts > 1 && chunk.section_id === hit.chunk.section_id;
  if (isSame) return h("div", { class: "answer", role: "group", "aria-label": "The same section" }, renderPart(chunk.content, chunk.source));
  return neighbor(chunk.content, hit.source, `The chunk ${where} it`, where);
}

const neighbor = (text, source, label, where) =>
  h("div", { class: `neighbor ${where}`, "aria-label": label, role: "group" }, renderPart(text, source));

// A link to the section that answers, in its document; from there, the other hits of the search can be reached.
const toReading = ({ chunk, ...span }, state) => linkTo(chunk, span, state);
const linkTo = (chunk, { start, end }, state) =>
  address.link("read", { ...state, document: chunk.document_id, span: `${start}-${end}`, open: chunk.id });

// A link to the chunk, at the first line of the section that answers.
function toChunks(hit) {
  const line = hit.chunk.start_line + partsOf(hit)[0].split("\n").length - 1;
  return address.link("chunks", { document: hit.chunk.document_id, line });
}

function showAround(place, label, chunks, state) {
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
        h("h3", {}, `${label}: ${path(chunk).at(-1)} `, h("a", { href: linkTo(chunk, chunk, state) }, lines(chunk))),
        renderPart(chunk.content, chunk.source),
      ),
    ),
  );
}
