// A document with its chunks in place. Chunks are rendered in pieces, so that a large one is never completely in the page.

import { location, path } from "../shared/chunk.js";
import { h } from "../shared/dom.js";
import { VirtualList } from "../shared/virtual.js";

const PIECE_LINES = 40;
const PIECE_CHARACTERS = 3000;
const LINE_HEIGHT = 21;
const LABEL_HEIGHT = 34;

export class DocumentView {
  constructor(label, { onSelect, onHover, onScroll }) {
    this.element = h("div", { class: "document", tabindex: "0", role: "region", "aria-label": label });
    this.onSelect = onSelect;
    this.onHover = onHover;
    this.chunks = [];
    this.selected = -1;
    this.list = new VirtualList(
      this.element,
      (piece) => this.makePiece(piece),
      (piece) => this.guess(piece),
    );
    this.element.addEventListener("scroll", () => onScroll?.(this), { passive: true });
    this.element.addEventListener("mouseleave", () => onHover(-1));
    this.element.addEventListener("keydown", (event) => this.walk(event));
  }

  // `place` maps the offset of a chunk to one in the text, `others` are the cuts of the other setting.
  show(text, { chunks, source }, place, others = null) {
    this.chunks = chunks;
    this.source = source;
    this.others = others;
    this.selected = Math.min(this.selected, chunks.length - 1);
    this.text = text;
    this.pieces = [];
    this.starts = [...chunks.map((chunk) => place(chunk.start)), text.length];
    this.cut(0, this.starts[0], -1);
    chunks.forEach((_, at) => this.cut(this.starts[at], this.starts[at + 1], at));
    this.list.setItems(this.pieces);
  }

  cut(from, to, chunk) {
    let start = from;
    for (let first = true; start < to; first = false) {
      let end = start;
      for (let line = 0; line < PIECE_LINES && end < to && end - start < PIECE_CHARACTERS; line += 1) {
        const newline = this.text.indexOf("\n", end);
        end = newline < 0 || newline >= to ? to : newline + 1;
      }
      end = Math.min(end, start + 2 * PIECE_CHARACTERS);
      if (chunk >= 0 || this.text.slice(start, end).trim()) this.pieces.push({ chunk, first, start, end });
      start = end;
    }
  }

  guess({ start, end, first, chunk }) {
    const text = this.text.slice(start, end);
    const wide = Math.max(20, this.element.clientWidth / 8.2);
    let rows = 0;
    for (const line of text.trimEnd().split("\n")) rows += Math.max(1, Math.ceil(line.length / wide));
    return rows * LINE_HEIGHT + (first && chunk >= 0 ? LABEL_HEIGHT : 0);
  }

  makePiece({ chunk: at, first, start, end }) {
    const chunk = this.chunks[at];
    const text = this.text.slice(start, end).replace(/\n+$/, "");
    const kind = at < 0 ? "outside" : `tint-${at % 3} ${at === this.selected ? "selected" : ""}`;
    const node = h(
      "div",
      { class: `piece ${kind}`, "data-chunk": at },
      first && chunk && this.makeLabel(chunk, at),
      h("pre", { dir: "auto" }, text),
    );
    if (chunk) {
      node.addEventListener("click", () => this.select(at));
      node.addEventListener("mouseenter", () => this.onHover(at));
    }
    return node;
  }

  makeLabel(chunk, at) {
    const differs = this.others && at > 0 && !this.others.has(chunk.start);
    return h(
      "div",
      { class: `label ${differs ? "differs" : ""}` },
      h("span", { class: "number" }, `${at + 1}`),
      h("span", { class: "path", dir: "auto" }, path(chunk).slice(1).join(" › ") || chunk.document_title),
      differs && h("span", { class: "only" }, "cut here only"),
      h("span", { class: "facts" }, `${location(chunk, this.source)} · ${chunk.token_count} tokens · ${chunk.content_type}`),
      chunk.oversize_reason && h("span", { class: "oversize" }, `oversize: ${chunk.oversize_reason}`),
    );
  }

  select(at, { scroll = false } = {}) {
    this.selected = at;
    for (const node of this.element.querySelectorAll(".piece")) {
      node.classList.toggle("selected", Number(node.dataset.chunk) === at);
    }
    if (scroll) this.scrollToChunk(at);
    this.onSelect(at);
  }

  scrollToChunk(at) {
    const piece = this.pieces.findIndex((each) => each.chunk === at);
    if (piece >= 0) this.list.scrollTo(piece);
  }

  // Scroll to the chunk of the line, or into it if it is long.
  scrollToLine(line) {
    let offset = 0;
    for (let at = 1; at < line && offset >= 0; at += 1) offset = this.text.indexOf("\n", offset) + 1 || -1;
    const start = this.starts[this.chunkAtLine(line)] ?? 0;
    this.scrollToOffset(offset < 0 ? this.text.length : Math.max(start, offset));
  }

  scrollToOffset(offset) {
    let at = this.pieces.findIndex((each) => each.end > offset);
    if (at < 0) at = this.pieces.length - 1;
    if (at >= 0) this.list.scrollTo(at);
  }

  chunkAtLine(line) {
    return this.chunks.findIndex((chunk) => chunk.end_line >= line);
  }

  topOffset() {
    return this.pieces[this.list.first()]?.start ?? 0;
  }

  walk(event) {
    const step = { j: 1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const from = this.selected < 0 ? (this.pieces[this.list.first()]?.chunk ?? -1) - step : this.selected;
    const at = Math.max(0, Math.min(this.chunks.length - 1, from + step));
    if (this.chunks.length) this.select(at, { scroll: true });
  }
}
