// A document with its chunks, the reasons for its cuts, and the comparison with another setting.
//
// While the user drags, one request runs at a time; the newest setting follows when it is answered.

import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { placesIn } from "../shared/chunk.js";
import { count, download, h, number, say } from "../shared/dom.js";
import { Cutting } from "./cutting.js";
import { inspect } from "./inspector.js";
import { Settings, showSettings } from "./settings.js";

const QUIET = 250; // milliseconds without dragging before a check is requested
const SECOND = "other_";

export class Workbench {
  constructor(place, document, opened, state, leave) {
    this.element = place;
    this.document = document;
    this.opened = opened;
    this.state = state;
    this.leave = leave;
    this.place = placesIn(opened.text, opened.characters);
    this.first = this.makeCutting("The document with its chunks", "This setting", "", () => "");
    const byDefault = (name) => (name === "strategy" ? "fixed" : this.first.settings.get(name));
    this.second = this.makeCutting("The document with the other setting", "Compared with", SECOND, byDefault);
    this.inspector = h("aside", { class: "inspector", "aria-label": "The chunk" });
    this.build();
    this.cut().then(() => this.goToLine());
  }

  get shown() {
    return this.state.compare ? [this.first, this.second] : [this.first];
  }

  makeCutting(label, legend, prefix, byDefault) {
    const settings = new Settings(legend, this.state, prefix, byDefault, () => this.cut());
    const cutting = new Cutting(label, settings, {
      onSelect: (at) => this.selected(cutting, at),
      onHover: (at) => this.inspectAt(cutting, at >= 0 ? at : cutting.view.selected),
      onScroll: () => this.follow(cutting),
    });
    return cutting;
  }

  build() {
    this.outline = this.makeOutline(this.opened.outline);
    this.settings = h("div", { class: "settings" });
    this.columns = h("div", { class: "columns" });
    this.element.replaceChildren(this.makeHead(this.opened), this.settings, this.columns);
    this.arrange();
    this.inspectAt(this.first, -1);
  }

  makeHead({ title, source, format, characters }) {
    const compare = h("input", {
      type: "checkbox",
      checked: Boolean(this.state.compare),
      onchange: () => {
        this.state.compare = compare.checked ? "yes" : "";
        this.arrange();
        this.cut();
      },
    });
    return h(
      "div",
      { class: "document-head" },
      h(
        "div",
        {},
        h("h2", { dir: "auto" }, title),
        h("p", { class: "citation" }, `${source} · ${format} · ${number(characters)} characters`),
      ),
      h(
        "div",
        { class: "actions" },
        h("label", { class: "check" }, compare, "Compare two settings"),
        h("button", { onclick: () => showSettings(this.first.settings.chosen()) }, "Copy these settings"),
        h("button", { onclick: () => this.exportJson() }, "Export JSON"),
        h("button", { onclick: this.leave }, "Another document"),
      ),
    );
  }

  makeOutline(node) {
    const { view } = this.first;
    const item = ({ title, token_count, start_line, children }) =>
      h(
        "li",
        {},
        h(
          "button",
          { dir: "auto", onclick: () => view.select(view.chunkAtLine(start_line), { scroll: true }) },
          title || "(untitled)",
          " ",
          h("span", { class: "tokens" }, number(token_count)),
        ),
        children.length > 0 && h("ol", {}, children.map(item)),
      );
    const tree = node.children.length ? h("ol", {}, node.children.map(item)) : h("p", { class: "hint" }, "No headings");
    return h("nav", { class: "outline", "aria-label": "Outline" }, h("h2", {}, "Outline"), tree);
  }

  arrange() {
    const shown = this.shown;
    this.element.classList.toggle("comparing", shown.length > 1);
    this.settings.replaceChildren(...shown.map((each) => h("div", {}, each.settings.element, each.found)));
    this.columns.replaceChildren(this.outline, ...shown.map((each) => each.view.element), this.inspector);
  }

  async cut() {
    this.keepAddress();
    this.checking?.abort();
    this.isStale = true;
    if (this.isCutting) return;
    this.isCutting = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        await this.cutOnce(this.shown);
      }
    } finally {
      this.isCutting = false;
    }
    this.check();
  }

  async cutOnce(shown) {
    const requests = shown.map((each) => this.ask("chunk", { ...each.settings.options(), explain: true, texts: "false" }));
    const answers = await Promise.allSettled(requests);
    answers.forEach(({ value, reason }, at) => (value ? shown[at].take(value) : shown[at].refuse(reason.message)));
    this.isCut = answers.every(({ value }) => value);
    if (!this.isCut) return;
    shown.forEach((each, at) => each.show(this.opened.text, this.place, shown[1 - at]));
    this.inspectAt(this.first, this.first.view.selected);
  }

  async check() {
    this.checking = new AbortController();
    const { signal } = this.checking;
    await new Promise((resolve) => setTimeout(resolve, QUIET));
    for (const each of this.isCut ? this.shown : []) {
      if (signal.aborted) return;
      try {
        each.report(await this.ask("check", each.settings.options(), signal));
      } catch (error) {
        if (error.name !== "AbortError") each.refuse(error.message);
      }
    }
  }

  ask(what, options, signal) {
    const { source, document_id, body } = this.document;
    return api.post(`/v1/${what}`, { ...options, source, document_id }, body, signal);
  }

  keepAddress() {
    if (!this.element.isConnected) return; // another view is shown by now
    address.keep("chunks", { ...this.state, document: this.document.document_id });
  }

  selected(cutting, at) {
    this.inspectAt(cutting, at);
    const chunk = cutting.made?.chunks[at];
    if (chunk && this.document.document_id) {
      this.state.line = chunk.start_line;
      this.keepAddress();
    }
  }

  inspectAt(cutting, at) {
    const chunks = cutting.made?.chunks ?? [];
    const chunk = chunks[at] && {
      ...chunks[at],
      content: this.opened.text.slice(this.place(chunks[at].start), this.place(chunks[at].end)),
    };
    this.inspector.replaceChildren(...inspect(chunk, cutting.made, (to) => cutting.view.select(to, { scroll: true })));
  }

  goToLine() {
    const { view, made } = this.first;
    const line = Number(this.state.line);
    const at = line && made ? view.chunkAtLine(line) : -1;
    if (at < 0) return;
    view.select(at);
    view.scrollToLine(line);
    this.state.line = line;
    this.keepAddress();
  }

  // Keep both documents at the same position; the one that the user scrolls leads.
  follow(from) {
    const to = from === this.first ? this.second : this.first;
    if (!this.state.compare || this.leading === to) return;
    this.leading = from;
    to.view.scrollToOffset(from.view.topOffset());
    clearTimeout(this.released);
    this.released = setTimeout(() => {
      this.leading = null;
    }, 120);
  }

  async exportJson() {
    const { chunks } = await this.ask("chunk", this.first.settings.options());
    const text = chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join("");
    download(`${this.opened.source.split("/").at(-1)}.chunks.jsonl`, text, "application/x-ndjson");
    say(`${count(chunks.length, "chunk")} exported`);
  }
}
