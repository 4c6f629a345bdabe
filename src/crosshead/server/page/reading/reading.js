// Reading: a document as it is read, with the section that a search found marked in it.

import { searchOf, wordsOf } from "../search/asking.js";
import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { placesIn } from "../shared/chunk.js";
import { copy, h, isTyping, number } from "../shared/dom.js";
import { Figures } from "./figures.js";
import { LinksView } from "./links.js";
import { originalLink } from "./original.js";
import { OutlineView } from "./outline.js";
import { PagesView } from "./pages.js";
import { Steps } from "./steps.js";
import { TextView } from "./text.js";

const QUIET = 150; // milliseconds after which the user scrolls again
const VERSION = 8; // characters of the content hash that a link holds

export function showReading(root, given) {
  const leaving = new AbortController();
  const { signal } = leaving;
  root.append(h("p", { class: "hint loading" }, "Opening…"));
  open({ ...given }, signal)
    .then((document) => signal.aborted || new ReadingView(root, { ...given }, document, signal))
    .catch((error) => signal.aborted || refuse(root, given, error));
  return () => leaving.abort();
}

async function open(state, signal) {
  const id = state.document ?? (await findByPath(state.path, signal));
  if (!id) throw new Error(`${state.path ?? "This document"} is not indexed.`);
  return api.get(`/v1/documents/${encodeURIComponent(id)}/blocks`, {}, signal);
}

// A link in another document names a path.
async function findByPath(path, signal) {
  if (!path) return null;
  const { documents } = await api.get("/v1/documents", { source: path, limit: 200 }, signal);
  return documents.find((each) => each.source === path)?.id;
}

const refuse = (root, state, error) =>
  root.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message), h("p", {}, back(state)));

const back = (state) =>
  state.q ? h("a", { href: address.link("search", searchOf(state)) }, "Back to the hits") : h("a", { href: address.link("documents") }, "All documents");

class ReadingView {
  constructor(root, state, document, signal) {
    Object.assign(this, { root, state, document, signal, hit: null });
    this.isOld = Boolean(state.of && !document.content_hash.startsWith(state.of));
    this.place = placesIn(document.text, document.characters);
    this.text = new TextView(document, this.place, () => this.follow());
    this.pages = document.has_pages ? new PagesView(document.id, signal, (view) => this.turnTo(view)) : null;
    this.outline = new OutlineView(document.outline, (line) => this.goToLine(line));
    this.steps = new Steps(state, signal, (hit) => this.go(hit), (hit, hits) => this.take(hit, hits));
    this.citation = h("p", { class: "citation" });
    this.links = new LinksView(signal);
    this.build();
    globalThis.document.addEventListener("keydown", (event) => this.press(event), { signal });
    this.text.show();
    this.goToStart();
    if (!document.no_original) this.showFigures();
  }

  build() {
    const { title, no_original: reason } = this.document;
    globalThis.document.title = `${title} · Crosshead`;
    this.original = originalLink(this.document);
    this.chunks = h("a", { class: "button" }, "Chunks ", h("kbd", {}, "d"));
    const outline = h("button", { "aria-expanded": "false", onclick: () => this.toggleOutline() }, "Outline");
    this.outlineButton = this.outline.isEmpty ? null : outline;
    this.root.classList.toggle("with-pages", Boolean(this.pages));
    this.root.replaceChildren(
      h(
        "div",
        { class: "reading-head" },
        h("div", { class: "what" }, this.makeWayBack(), h("h1", { dir: "auto" }, title), this.citation),
        h(
          "div",
          { class: "actions" },
          this.steps.element,
          this.pages && this.makeSides(),
          this.outlineButton,
          h("button", { onclick: () => this.copyCitation() }, "Copy citation ", h("kbd", {}, "c")),
          this.original,
          this.chunks,
        ),
      ),
      h("p", { class: "note", role: "note", hidden: !reason && !this.isOld }, this.makeNote(reason)),
      this.links.element,
      h("div", { class: "reading-columns" }, ...this.columns),
    );
    if (!this.outline.isEmpty && !this.pages && matchMedia("(min-width: 1001px)").matches) this.toggleOutline();
  }

  get columns() {
    return [this.outline.element, this.pages?.element, this.text.element].filter(Boolean);
  }

  // In a narrow window, either the page or its text is shown.
  makeSides() {
    const choose = (side) => {
      this.root.classList.toggle("with-text", side === "text");
      this.state.side = side === "text" ? side : "";
      this.keepAddress();
      if (side === "text") this.hold(() => (this.state.page ? this.turnTo(this.pages.view) : this.showText()));
    };
    const choice = (side, label) =>
      h(
        "label",
        { class: "choice" },
        h("input", { type: "radio", name: "side", checked: (this.state.side || "page") === side, onchange: () => choose(side) }),
        h("span", {}, label),
      );
    this.root.classList.toggle("with-text", this.state.side === "text");
    const legend = h("legend", { class: "off-screen" }, "Show");
    return h("fieldset", { class: "choices sides" }, legend, choice("page", "Page"), choice("text", "Text"));
  }

  makeWayBack() {
    return this.state.q && h("p", {}, h("a", { class: "back", href: address.link("search", searchOf(this.state)) }, `‹ Hits for “${this.state.q}”`));
  }

  makeNote(reason) {
    const old = this.isOld && "This document was indexed again after this link was made: the marked text may be another one. ";
    return [old, reason && `No original: ${reason}. You read the text as it was indexed.`];
  }

  // Pictures come later: the text is there before its file has been read.
  async showFigures() {
    const figures = new Figures(this.document.id, this.signal, (...change) => this.hold(() => this.text.enlarge(...change)));
    if ((await figures.load(this.place)) && !this.signal.aborted) this.hold(() => this.text.showFigures(figures));
  }

  // Name what is shown: the document, or the section that was found in it.
  describe() {
    const { source, format, characters, id } = this.document;
    const facts = `${format} · ${number(characters)} characters`;
    this.citation.replaceChildren(h("span", { class: "where" }, this.hit?.citation ?? source), h("span", { class: "facts" }, ` · ${facts}`));
    this.links.show(this.hit?.section_id ?? source);
    this.chunks.href = address.link("chunks", { document: id, line: this.text.lineOf(this.span?.from ?? 0) });
  }

  get span() {
    const [start, end] = (this.state.span ?? "").split("-").map(Number);
    return end > start ? { from: this.place(start), to: this.place(end) } : null;
  }

  goToStart() {
    this.hold(() => this.showText());
    const { page, span } = this.state;
    const given = Number(page);
    this.pages?.show(given || this.startPage(), span ?? "", given ? this.pages.turn : undefined);
    this.focus();
    this.describe();
    this.keepAddress();
  }

  // So that the arrow keys scroll; on a phone, only the page of a PDF may be visible.
  focus() {
    const shown = this.text.element.clientHeight ? this.text.element : this.pages.host;
    shown.focus({ preventScroll: true });
  }

  startLine() {
    const { line, heading } = this.state;
    return this.span ? this.text.lineOf(this.span.from) : Number(line) || (heading ? this.outline.lineOf(heading) : 1);
  }

  // A block may go on over several pages: only the server knows which one shows the span.
  startPage() {
    return this.span ? 0 : this.text.pageOf(this.startLine());
  }

  showText() {
    if (this.span) this.text.mark(this.span);
    else this.text.scrollToLine(this.startLine());
  }

  // The outline and the page follow the text, unless the user has just turned a page.
  follow() {
    const line = this.text.firstLine();
    this.outline.follow(line);
    if (this.pages?.page && !this.isTurning) this.pages.show(this.text.pageOf(line));
  }

  // The text follows the page.
  turnTo({ page, start, end }) {
    this.state.page = page;
    if (end > start) this.hold(() => this.text.scrollToLine(this.text.lineOf(this.place(start))));
    this.keepAddress();
  }

  // Scroll the text without moving the page.
  hold(scroll) {
    this.isTurning = true;
    scroll();
    clearTimeout(this.turned);
    this.turned = setTimeout(() => {
      this.isTurning = false;
    }, QUIET);
  }

  keepAddress() {
    const { path, ...state } = this.state;
    address.keep("read", { ...state, document: this.document.id, of: this.document.content_hash.slice(0, VERSION) });
  }

  // The search has answered; `hit` is the one that is shown, if it is among the hits.
  take(hit, hits) {
    this.hit = hit;
    if (hit) this.text.mark(this.span, wordsOf(hits), { scroll: false });
    this.describe();
  }

  go(hit) {
    const { side } = this.state;
    const next = { ...searchOf(this.state), side, document: hit.chunk.document_id, span: `${hit.start}-${hit.end}`, open: hit.chunk.id };
    if (next.document !== this.document.id) return location.replace(address.link("read", next)); // back leads to the hits
    this.state = next;
    this.steps.state = next;
    this.hold(() => this.text.mark(this.span));
    this.pages?.show(this.startPage(), next.span);
    this.steps.update();
    this.keepAddress();
  }

  goToLine(line) {
    const { span, heading, page, ...state } = this.state;
    this.state = { ...state, line };
    this.text.scrollToLine(line);
    this.pages?.show(this.text.pageOf(line));
    this.focus();
    if (!matchMedia("(min-width: 1001px)").matches) this.toggleOutline();
    this.keepAddress();
  }

  toggleOutline() {
    const isOpen = this.root.classList.toggle("with-outline");
    this.outlineButton.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.outline.show(this.text.firstLine());
  }

  copyCitation() {
    copy(this.hit?.citation ?? this.document.source, "Citation");
  }

  press(event) {
    if (isTyping(event)) return;
    const actions = {
      j: () => this.steps.step(1),
      k: () => this.steps.step(-1),
      c: () => this.copyCitation(),
      o: () => this.original?.click(),
      d: () => this.chunks.click(),
      ArrowLeft: this.pages && (() => this.pages.go(this.pages.page - 1)),
      ArrowRight: this.pages && (() => this.pages.go(this.pages.page + 1)),
      "-": this.pages && (() => this.pages.zoomBy(-1)),
      "+": this.pages && (() => this.pages.zoomBy(1)),
      Escape: () => this.state.q && address.go("search", searchOf(this.state)),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}
