// Reading: a document as it is read, with the section that a search found marked in it.

import { wordsOf } from "../search/asking.js";
import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { placesIn } from "../shared/chunk.js";
import { copy, h, isTyping, number } from "../shared/dom.js";
import { originalLink } from "./original.js";
import { OutlineView } from "./outline.js";
import { Steps } from "./steps.js";
import { TextView } from "./text.js";

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

// The state of the search that led here.
const searchOf = ({ document, path, span, line, of, heading, ...search }) => search;

class ReadingView {
  constructor(root, state, document, signal) {
    Object.assign(this, { root, state, document, signal, hit: null });
    this.isOld = Boolean(state.of && !document.content_hash.startsWith(state.of));
    this.place = placesIn(document.text, document.characters);
    this.text = new TextView(document, this.place, () => this.outline.follow(this.text.firstLine()));
    this.outline = new OutlineView(document.outline, (line) => this.goToLine(line));
    this.steps = new Steps(state, signal, (hit) => this.go(hit), (hit, hits) => this.take(hit, hits));
    this.citation = h("p", { class: "citation" });
    this.build();
    globalThis.document.addEventListener("keydown", (event) => this.press(event), { signal });
    this.text.show();
    this.goToStart();
  }

  build() {
    const { title, no_original: reason } = this.document;
    globalThis.document.title = `${title} · Crosshead`;
    this.original = originalLink(this.document);
    this.chunks = h("a", { class: "button" }, "Chunks ", h("kbd", {}, "d"));
    const outline = h("button", { "aria-expanded": "false", onclick: () => this.toggleOutline() }, "Outline");
    this.outlineButton = this.outline.isEmpty ? null : outline;
    this.root.replaceChildren(
      h(
        "div",
        { class: "reading-head" },
        h("div", { class: "what" }, this.makeWayBack(), h("h1", { dir: "auto" }, title), this.citation),
        h(
          "div",
          { class: "actions" },
          this.steps.element,
          this.outlineButton,
          h("button", { onclick: () => this.copyCitation() }, "Copy citation ", h("kbd", {}, "c")),
          this.original,
          this.chunks,
        ),
      ),
      h("p", { class: "note", role: "note", hidden: !reason && !this.isOld }, this.makeNote(reason)),
      h("div", { class: "reading-columns" }, this.outline.element, this.text.element),
    );
    if (!this.outline.isEmpty && matchMedia("(min-width: 1001px)").matches) this.toggleOutline();
  }

  makeWayBack() {
    return this.state.q && h("p", {}, h("a", { class: "back", href: address.link("search", searchOf(this.state)) }, `‹ Hits for “${this.state.q}”`));
  }

  makeNote(reason) {
    const old = this.isOld && "This document was indexed again after this link was made: the marked text may be another one. ";
    return [old, reason && `No original: ${reason}. You read the text as it was indexed.`];
  }

  // Name what is shown: the document, or the section that was found in it.
  describe() {
    const { source, format, characters, id } = this.document;
    const facts = `${format} · ${number(characters)} characters`;
    this.citation.replaceChildren(h("span", { class: "where" }, this.hit?.citation ?? source), ` · ${facts}`);
    this.chunks.href = address.link("chunks", { document: id, line: this.text.lineOf(this.span?.from ?? 0) });
  }

  get span() {
    const [start, end] = (this.state.span ?? "").split("-").map(Number);
    return end > start ? { from: this.place(start), to: this.place(end) } : null;
  }

  goToStart() {
    if (this.state.span) this.text.mark(this.span);
    else if (this.state.line) this.text.scrollToLine(Number(this.state.line));
    else if (this.state.heading) this.text.scrollToLine(this.outline.lineOf(this.state.heading));
    this.text.element.focus({ preventScroll: true });
    this.describe();
    this.keepAddress();
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
    const { path, line, of, heading, ...state } = this.state;
    const next = { ...state, document: hit.chunk.document_id, span: `${hit.start}-${hit.end}`, open: hit.chunk.id };
    if (next.document !== this.document.id) return location.replace(address.link("read", next)); // back leads to the hits
    this.state = next;
    this.steps.state = next;
    this.text.mark(this.span);
    this.steps.update();
    this.keepAddress();
  }

  goToLine(line) {
    const { span, heading, ...state } = this.state;
    this.state = { ...state, line };
    this.text.scrollToLine(line);
    this.text.element.focus({ preventScroll: true });
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
      Escape: () => this.state.q && address.go("search", searchOf(this.state)),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}
