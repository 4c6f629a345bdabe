// Search: a question, hits with what they owe their place to, and passages for a prompt.

import * as address from "./address.js";
import * as api from "./api.js";
import { path, lines } from "./chunk.js";
import { copy, count, debounce, h, isTyping, number } from "./dom.js";
import { render } from "./markdown.js";

const DEFAULT_BUDGET = 2000;
const outlines = new Map();

export function showSearch(root, given) {
  const state = { ...given };
  let asked = null;
  const field = h("input", {
    type: "search",
    value: state.q ?? "",
    placeholder: "Ask a question, or look for words",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Question",
    oninput: () => change({ q: field.value }),
  });
  const results = h("div", { class: "results" });
  const controls = makeControls(state, change);
  root.append(
    h("h1", { class: "off-screen" }, "Search"),
    h(
      "form",
      {
        class: "ask",
        role: "search",
        onsubmit: (event) => {
          event.preventDefault();
          run();
        },
      },
      field,
    ),
    controls.element,
    results,
  );
  const later = debounce(run, 220);
  const keys = (event) => walk(event, results);
  document.addEventListener("keydown", keys);
  if (!state.q) field.focus();
  run();

  function change(values) {
    Object.assign(state, values);
    later();
  }

  async function run() {
    asked?.abort();
    address.keep("search", state);
    if (!state.q?.trim()) {
      asked = null;
      return welcome(results);
    }
    asked = new AbortController();
    const { signal } = asked;
    const { as, budget, open, ...question } = state;
    results.setAttribute("aria-busy", "true");
    try {
      if (as === "passages") {
        const found = await api.get("/v1/passages", { ...question, budget_tokens: budget || DEFAULT_BUDGET }, signal);
        showPassages(results, found);
      } else {
        const found = await api.get("/v1/search", { ...question, expand_context: true, limit: 20 }, signal);
        showHits(results, found.hits, state);
        controls.suggest(found.hits);
      }
    } catch (error) {
      if (error.name !== "AbortError")
        results.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message));
    } finally {
      results.removeAttribute("aria-busy");
    }
  }

  return () => document.removeEventListener("keydown", keys);
}

function makeControls(state, change) {
  const sections = h("datalist", { id: "sections" });
  const sources = h("datalist", { id: "sources" });
  const format = h("select", { onchange: () => change({ format: format.value }) }, h("option", { value: "" }, "any"));
  const budget = h("input", {
    type: "number",
    min: 50,
    max: 100000,
    step: 50,
    value: state.budget ?? DEFAULT_BUDGET,
    oninput: () => change({ budget: budget.value }),
  });
  const budgetLabel = h("label", { class: "budget" }, "Tokens", budget);
  const filter = (name, label, placeholder, list) => {
    const input = h("input", {
      value: state[name] ?? "",
      placeholder,
      list,
      oninput: () => change({ [name]: input.value }),
    });
    return h("label", {}, label, input);
  };
  const choice = (value, label) => {
    const radio = h("input", {
      type: "radio",
      name: "as",
      value,
      checked: (state.as ?? "hits") === value,
      onchange: () => {
        budgetLabel.hidden = value !== "passages";
        change({ as: value === "hits" ? "" : value });
      },
    });
    return h("label", { class: "choice" }, radio, h("span", {}, label));
  };
  budgetLabel.hidden = state.as !== "passages";
  api.get("/v1/status").then(
    (status) => {
      format.append(...status.formats.map((each) => h("option", { value: each }, each)));
      format.value = state.format ?? "";
    },
    () => {},
  );
  const element = h(
    "div",
    { class: "controls" },
    h(
      "fieldset",
      { class: "choices" },
      h("legend", { class: "off-screen" }, "Show"),
      choice("hits", "Hits"),
      choice("passages", "Passages"),
    ),
    budgetLabel,
    filter("section_filter", "Section", "Install*", "sections"),
    filter("source", "Source", "docs/*.md", "sources"),
    h("label", {}, "Format", format),
    sections,
    sources,
  );
  return { element, suggest: (hits) => suggest(hits, sections, sources) };
}

// Completion knows the outlines of the documents that were found.
async function suggest(hits, sections, sources) {
  const found = new Map(hits.map((hit) => [hit.chunk.document_id, hit.chunk.source]));
  sources.replaceChildren(...[...found.values()].map((source) => h("option", { value: source })));
  const ids = [...found.keys()].slice(0, 5);
  await Promise.all(
    ids
      .filter((id) => !outlines.has(id))
      .map(async (id) => {
        try {
          outlines.set(id, titles(await api.get(`/v1/documents/${id}/outline`)));
        } catch {
          outlines.set(id, []);
        }
      }),
  );
  const all = new Set(ids.flatMap((id) => outlines.get(id) ?? []));
  sections.replaceChildren(...[...all].slice(0, 200).map((title) => h("option", { value: title })));
}

const titles = (node) => node.children.flatMap((child) => [child.title, ...titles(child)]);

const KEYS = [
  ["/", "to the question"],
  ["j k", "next, previous hit"],
  ["Enter", "open a hit in place"],
  ["p", "what is above it"],
  ["s", "what is beside it"],
  ["d", "open its document"],
];

function welcome(results) {
  const keys = KEYS.map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)));
  results.replaceChildren(
    h(
      "div",
      { class: "welcome" },
      h("p", { class: "lead" }, "Documents in, whole cited sections out."),
      h("dl", { class: "keys" }, keys),
    ),
  );
}

function showHits(results, hits, state) {
  if (!hits.length) {
    results.replaceChildren(h("p", { class: "empty" }, "Nothing found. Other words, or fewer filters, may help."));
    return;
  }
  const weak = hits[0].is_weak && h("p", { class: "note" }, "No good match. The nearest are:");
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

// A snippet is read, not rendered: marks of headings and fences would only be in the way.
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
  const told = parts.filter(([, value]) => value !== null);
  return h(
    "dl",
    { class: "scores" },
    h("div", { class: "final" }, h("dt", {}, "score"), h("dd", {}, hit.final_score.toFixed(2))),
    told.map(([name, value]) => {
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
  const { chunk, parent, siblings } = item.hit;
  const body = h("div", { class: "opened" });
  item.append(body);
  const ids = [chunk.prev_id, chunk.next_id];
  const [before, after] = await Promise.all(
    ids.map((id) => (id ? api.get(`/v1/chunks/${id}`).catch(() => null) : null)),
  );
  body.replaceChildren(
    h(
      "div",
      { class: "reading" },
      before && neighbor(before, "before"),
      h("div", { class: "answer" }, render(chunk.content)),
      after && neighbor(after, "after"),
    ),
    h("div", { class: "around", "aria-live": "polite" }),
    h(
      "div",
      { class: "actions" },
      parent &&
        h("button", { "data-key": "p", onclick: () => around(item, "Above", [parent]) }, "Parent ", h("kbd", {}, "p")),
      siblings.length > 0 &&
        h(
          "button",
          { "data-key": "s", onclick: () => around(item, "Beside", siblings) },
          "Siblings ",
          h("kbd", {}, "s"),
        ),
      h("a", { class: "button", "data-key": "d", href: inDocument(chunk) }, "Open in its document ", h("kbd", {}, "d")),
      h("button", { onclick: () => copy(`${chunk.content}\n\n(${item.hit.citation})`, "Text") }, "Copy"),
    ),
  );
}

const neighbor = (chunk, where) =>
  h("div", { class: `neighbor ${where}`, "aria-label": `The chunk ${where} it`, role: "group" }, render(chunk.content));

const inDocument = (chunk) => address.link("chunks", { document: chunk.document_id, line: chunk.start_line });

function around(item, label, chunks) {
  const place = item.querySelector(".around");
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

function walk(event, results) {
  if (isTyping(event)) return;
  const items = [...results.querySelectorAll(".hit")];
  const current = document.activeElement.closest?.(".hit");
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step && items.length) {
    const at = items.indexOf(current);
    const next = items[Math.max(0, Math.min(items.length - 1, at + step))];
    next.querySelector(".title").focus();
    next.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  } else if (current && "psd".includes(event.key)) {
    current.querySelector(`[data-key="${event.key}"]`)?.click();
  }
}

function showPassages(results, found) {
  const { passages } = found;
  if (!passages.length) {
    results.replaceChildren(h("p", { class: "empty" }, "Nothing found that fits the budget."));
    return;
  }
  const prompt = passages.map((each, at) => `[${at + 1}] ${each.citation}\n\n${each.content}`).join("\n\n---\n\n");
  results.replaceChildren(
    h(
      "div",
      { class: "passages-head" },
      h(
        "p",
        {},
        `${count(passages.length, "passage")}, ${number(found.token_count)} of ${number(found.budget_tokens)} tokens`,
      ),
      h("button", { class: "primary", onclick: () => copy(prompt, "Passages") }, "Copy for a prompt"),
    ),
    h("ol", { class: "passages" }, passages.map(makePassage)),
  );
}

function makePassage(passage) {
  return h(
    "li",
    { class: "passage" },
    h("h2", { dir: "auto" }, passage.heading_chain ?? passage.source),
    h(
      "p",
      { class: "citation" },
      h(
        "a",
        { href: address.link("chunks", { document: passage.document_id, line: passage.start_line }) },
        passage.citation,
      ),
      ` · ${count(passage.token_count, "token")}`,
    ),
    render(passage.content),
  );
}
