// Chunks: how a document is cut, and why; settings that are dragged, and two of them side by side.

import * as address from "./address.js";
import * as api from "./api.js";
import { acceptFiles, count, debounce, download, h, number, say } from "./dom.js";
import { DocumentView } from "./document.js";
import { histogram } from "./histogram.js";
import { inspect } from "./inspector.js";

const SIZES = [
  ["max_tokens", "Max", 40, 2000],
  ["target_tokens", "Target", 20, 2000],
  ["min_tokens", "Min", 0, 1000],
];
const QUIET = 250;
const OPTIONS = ["strategy", "oversize", "max_tokens", "target_tokens", "min_tokens"];
let given = null; // a file or a text stays while the page is open, because no address can hold it

export function showChunks(root, state) {
  root.append(h("h1", { class: "off-screen" }, "Chunks"));
  const place = h("div", { class: "workbench" });
  root.append(place);
  acceptFiles(root, ([file]) => open({ source: file.name, body: file }));
  if (state.document) start({ document_id: state.document });
  else if (given) start(given);
  else choose(place, open);

  function open(document) {
    if (document.document_id) address.go("chunks", { document: document.document_id });
    else {
      given = document;
      address.keep("chunks", {});
      start(document);
    }
  }

  async function start(document) {
    place.replaceChildren(h("p", { class: "hint loading" }, "Reading…"));
    try {
      const opened = await read(document);
      new Workbench(place, document, opened, state, () => {
        given = null;
        address.keep("chunks", {});
        choose(place, open);
      });
    } catch (error) {
      given = null;
      choose(place, open, error.message);
    }
  }
}

async function read(document) {
  const { source, document_id, body } = document;
  const opened = await api.post("/v1/extract", { source, document_id }, body);
  return { ...opened, characters: [...opened.text].length };
}

function choose(place, open, problem = "") {
  const text = h("textarea", {
    rows: 10,
    placeholder: "# Paste Markdown, or any text",
    "aria-label": "A text to cut",
    spellcheck: "false",
  });
  const file = h("input", {
    type: "file",
    class: "off-screen",
    id: "file",
    onchange: () => file.files[0] && open({ source: file.files[0].name, body: file.files[0] }),
  });
  const picked = h("input", { list: "indexed", placeholder: "docs/guide.md", "aria-label": "An indexed document" });
  const known = new Map();
  const indexed = h("datalist", { id: "indexed" });
  const suggest = debounce(async () => {
    const pattern = picked.value ? `*${picked.value}*` : "";
    const found = await api.get("/v1/documents", { source: pattern, limit: 50 });
    found.documents.forEach((each) => known.set(each.source, each.id));
    indexed.replaceChildren(...found.documents.map((each) => h("option", { value: each.source }, each.title)));
    if (known.has(picked.value)) open({ document_id: known.get(picked.value) });
  }, 150);
  picked.addEventListener("input", suggest);
  picked.addEventListener("change", suggest);
  place.replaceChildren(
    h(
      "div",
      { class: "chooser" },
      h("p", { class: "lead" }, "See how a document is cut, and why."),
      problem && h("p", { class: "problem", role: "alert" }, problem),
      h(
        "label",
        { class: "drop", for: "file" },
        h("strong", {}, "Drop a document here"),
        h("span", {}, "or choose a file: Markdown, HTML, DOCX, PDF, slides, sheets and more"),
      ),
      file,
      h("div", { class: "or" }, "or take one that is indexed"),
      picked,
      indexed,
      h("div", { class: "or" }, "or paste a text"),
      text,
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { class: "primary", onclick: () => text.value.trim() && open({ source: "pasted.md", body: text.value }) },
          "Show its chunks",
        ),
      ),
    ),
  );
  suggest();
}

class Workbench {
  constructor(place, document, opened, state, leave) {
    this.document = document;
    this.opened = opened;
    this.state = state;
    this.leave = leave;
    this.place = placesIn(opened.text, opened.characters);
    const hover = (at) => this.inspectAt(at >= 0 ? at : this.view.selected);
    this.view = new DocumentView("The document with its chunks", {
      onSelect: (at) => this.selected(at),
      onHover: hover,
      onScroll: (view) => this.follow(view, this.other),
    });
    this.other = new DocumentView("The same with fixed windows", {
      onSelect: () => {},
      onHover: () => {},
      onScroll: (view) => this.follow(view, this.view),
    });
    this.inspector = h("aside", { class: "inspector", "aria-label": "The chunk" });
    this.summary = h("p", { class: "verdict", role: "status" });
    this.sizes = h("div", {});
    this.violations = h("ul", { class: "violations" });
    this.build(place);
    this.cut().then(() => this.goToLine());
  }

  build(place) {
    this.sliders = Object.fromEntries(
      SIZES.map(([name, label, least, most]) => [name, this.makeSlider(name, label, least, most)]),
    );
    const later = debounce(() => this.cut(), 40);
    const select = (name, label, values) => {
      const field = h(
        "select",
        {
          onchange: () => {
            this.state[name] = field.value;
            later();
          },
        },
        values.map((value) => h("option", { value }, value)),
      );
      field.value = this.state[name] ?? values[0];
      return h("label", {}, label, field);
    };
    const compare = h("input", {
      type: "checkbox",
      checked: Boolean(this.state.compare),
      onchange: () => {
        this.state.compare = compare.checked ? "fixed" : "";
        this.cut();
      },
    });
    const { title, source, format } = this.opened;
    this.columns = h(
      "div",
      { class: "columns" },
      h(
        "nav",
        { class: "outline", "aria-label": "Outline" },
        h("h2", {}, "Outline"),
        this.makeOutline(this.opened.outline),
      ),
      this.view.element,
      this.other.element,
      this.inspector,
    );
    place.replaceChildren(
      h(
        "div",
        { class: "document-head" },
        h(
          "div",
          {},
          h("h2", { dir: "auto" }, title),
          h("p", { class: "citation" }, `${source} · ${format} · ${number(this.opened.characters)} characters`),
        ),
        h(
          "div",
          { class: "actions" },
          h("button", { onclick: () => this.exportJson() }, "Export JSON"),
          h("button", { onclick: this.leave }, "Another document"),
        ),
      ),
      h(
        "div",
        { class: "controls" },
        select("strategy", "Strategy", ["auto", "section", "fixed"]),
        ...Object.values(this.sliders).map((each) => each.element),
        select("oversize", "Oversize", ["keep", "split"]),
        h("label", { class: "check" }, compare, "Compare with fixed windows"),
      ),
      h("div", { class: "found" }, h("div", {}, this.summary, this.violations), this.sizes),
      this.columns,
    );
    this.inspectAt(-1);
  }

  makeSlider(name, label, least, most) {
    const told = h("output", {});
    const range = h("input", { type: "range", min: least, max: most, step: 10, "aria-label": `${label} tokens` });
    const later = debounce(() => this.cut(), 40);
    range.addEventListener("input", () => {
      this.state[name] = range.value;
      told.textContent = range.value;
      this.makeRoom(name, Number(range.value));
      later();
    });
    const element = h("label", { class: "slider" }, h("span", {}, label, " ", told), range);
    return {
      element,
      set: (value) => {
        if (range.matches(":active")) return; // it is being dragged, and further by now
        range.value = value;
        told.textContent = value;
      },
    };
  }

  // What was set before gives way to what is set now.
  makeRoom(name, value) {
    const at = SIZES.findIndex(([each]) => each === name);
    SIZES.forEach(([each], other) => {
      const set = Number(this.state[each]);
      if (this.state[each] && ((other > at && set > value) || (other < at && set < value))) this.state[each] = "";
    });
    const maximum = Number(this.state.max_tokens || this.made?.options.max_tokens || 400);
    if (name !== "max_tokens" && !this.state.max_tokens && value > maximum) this.state.max_tokens = String(value);
    if (name === "min_tokens" && !this.state.target_tokens && value > maximum) this.state.max_tokens = String(value);
  }

  makeOutline(node) {
    const item = (section) =>
      h(
        "li",
        {},
        h(
          "button",
          { dir: "auto", onclick: () => this.view.select(this.view.chunkAtLine(section.start_line), { scroll: true }) },
          section.title || "(untitled)",
          " ",
          h("span", { class: "tokens" }, number(section.token_count)),
        ),
        section.children.length > 0 && h("ol", {}, section.children.map(item)),
      );
    return node.children.length ? h("ol", {}, node.children.map(item)) : h("p", { class: "hint" }, "No headings");
  }

  async cut() {
    this.asked?.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    const options = this.options();
    if (this.document.document_id) address.keep("chunks", { ...this.state, document: this.document.document_id });
    else address.keep("chunks", this.state);
    try {
      const [made, fixed] = await Promise.all([
        this.ask("chunk", { ...options, explain: true, texts: "false" }, signal),
        this.state.compare && this.ask("chunk", { ...options, strategy: "fixed", texts: "false" }, signal),
      ]);
      this.show(made, fixed);
      await new Promise((resolve) => setTimeout(resolve, QUIET)); // who goes on dragging does not wait for a check
      if (!signal.aborted) this.showReport(await this.ask("check", options, signal));
    } catch (error) {
      if (error.name !== "AbortError") this.summary.replaceChildren(h("span", { class: "problem" }, error.message));
    }
  }

  options() {
    return Object.fromEntries(OPTIONS.map((name) => [name, this.state[name]]).filter(([, value]) => value));
  }

  ask(what, options, signal) {
    const { source, document_id, body } = this.document;
    return api.post(`/v1/${what}`, { ...options, source, document_id }, body, signal);
  }

  show(made, fixed) {
    this.made = made;
    const [cuts, fixedCuts] = [made, fixed].map((each) => each && new Set(each.chunks.map((chunk) => chunk.start)));
    this.columns.classList.toggle("comparing", Boolean(fixed));
    this.other.element.hidden = !fixed;
    this.view.show(this.opened.text, made.chunks, this.place, fixedCuts);
    if (fixed) this.other.show(this.opened.text, fixed.chunks, this.place, cuts);
    const only = (some, others) => [...some].filter((start) => !others.has(start)).length;
    this.differences = fixed ? [only(cuts, fixedCuts), only(fixedCuts, cuts)] : null;
    this.summary.replaceChildren(h("strong", {}, count(made.chunks.length, "chunk")));
    this.violations.replaceChildren();
    for (const [name] of SIZES) this.sliders[name].set(made.options[name]);
    this.sizes.replaceChildren(histogram(made.chunks, made.options));
    this.inspectAt(this.view.selected);
  }

  showReport(report) {
    const errors = report.violations.filter((each) => each.severity === "error").length;
    const covered = `${Math.floor(report.coverage * 1000) / 10} % covered`;
    const compared = this.differences
      ? ` · ${number(this.differences[0])} cuts only here, ${number(this.differences[1])} only with fixed windows`
      : "";
    this.summary.replaceChildren(
      h("strong", {}, count(report.figures.chunks, "chunk")),
      " · ",
      h("span", { class: errors ? "bad" : "good" }, `${count(errors, "violation")}, ${covered}`),
      compared,
    );
    this.violations.replaceChildren(
      ...report.violations
        .slice(0, 50)
        .map((each) =>
          h(
            "li",
            {},
            h(
              "button",
              { onclick: () => this.view.select(this.view.chunkAtLine(each.start_line), { scroll: true }) },
              `${each.severity}: ${each.message} (line ${each.start_line})`,
            ),
          ),
        ),
    );
  }

  selected(at) {
    this.inspectAt(at);
    const chunk = this.made?.chunks[at];
    if (chunk && this.document.document_id) {
      this.state.line = chunk.start_line;
      address.keep("chunks", { ...this.state, document: this.document.document_id });
    }
  }

  inspectAt(at) {
    const chunks = this.made?.chunks ?? [];
    const chunk = chunks[at] && {
      ...chunks[at],
      content: this.opened.text.slice(this.place(chunks[at].start), this.place(chunks[at].end)),
    };
    this.inspector.replaceChildren(...inspect(chunk, chunks, (to) => this.view.select(to, { scroll: true })));
  }

  goToLine() {
    if (!this.state.line || !this.made) return;
    const at = this.view.chunkAtLine(Number(this.state.line));
    if (at >= 0) this.view.select(at, { scroll: true });
  }

  follow(from, to) {
    if (!this.state.compare || this.leading === to) return;
    this.leading = from;
    to.scrollToOffset(from.topOffset());
    clearTimeout(this.released);
    this.released = setTimeout(() => {
      this.leading = null;
    }, 120);
  }

  async exportJson() {
    const { chunks } = await this.ask("chunk", this.options());
    const text = chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join("");
    download(`${this.opened.source.split("/").at(-1)}.chunks.jsonl`, text, "application/x-ndjson");
    say(`${count(chunks.length, "chunk")} exported`);
  }
}

// Python counts characters, JavaScript halves of surrogate pairs: returns where a character is in a text.
function placesIn(text, characters) {
  if (characters === text.length) return (offset) => offset;
  const places = new Uint32Array(characters + 1);
  let place = 0;
  let offset = 0;
  for (const character of text) {
    places[offset] = place;
    offset += 1;
    place += character.length;
  }
  places[offset] = place;
  return (each) => places[each];
}
