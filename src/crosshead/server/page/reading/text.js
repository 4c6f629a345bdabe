// The text of a document, rendered block by block; of a large document, only the blocks in and near the window.

import { highlight } from "../markdown/highlight.js";
import { markSpan } from "../markdown/lines.js";
import { definitionsIn, render } from "../markdown/render.js";
import { h } from "../shared/dom.js";
import { VirtualList } from "../shared/virtual.js";

const SMALL = 150_000; // characters that are shown at once, so that the browser finds words in all of them
const LINE_HEIGHT = 24;
const LETTER_WIDTH = 7.2;
const ABOVE = 56; // of the marked text
const VERBATIM = ["front_matter", "import", "expression"];
const FENCE = "~~~~~~~~\n";
const UNSEEN = ["definition"];

export class TextView {
  // `place` maps offsets of the server to those of the text.
  constructor({ text, blocks, source, title }, place, onScroll) {
    this.text = text;
    this.source = source;
    this.definitions = definitionsIn(text);
    this.pieces = blocks
      .filter(({ kind }) => !UNSEEN.includes(kind))
      .map((block) => ({ ...block, from: place(block.start), to: place(block.end) }));
    this.element = h("div", { class: "reader", tabindex: "0", role: "region", "aria-label": title });
    const around = text.length < SMALL ? Infinity : undefined;
    this.list = new VirtualList(this.element, (piece, at) => this.make(piece, at), (piece) => this.guess(piece), around);
    this.element.addEventListener("scroll", onScroll, { passive: true });
    this.figures = null;
    this.marked = null;
    this.words = [];
  }

  show() {
    this.list.setItems(this.pieces);
  }

  showFigures(figures) {
    this.figures = figures;
    this.list.refresh();
  }

  // Make a block larger: what is marked stays where it is seen, or else what is at the top of the window.
  enlarge(block, change) {
    const mark = this.element.querySelector(".cited");
    const place = () => mark.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    const before = mark ? place() : -1;
    change();
    this.list.resize(block);
    if (before >= 0 && before < this.element.clientHeight) this.element.scrollTop += place() - before;
  }

  // Mark a part of the text, and in it the words of the search.
  mark(span, words = this.words, { scroll = true } = {}) {
    this.marked = span;
    this.words = words;
    this.list.refresh();
    if (scroll && span) this.scrollToMark();
  }

  scrollToMark() {
    this.list.scrollTo(this.pieceAt(this.marked.from));
    const mark = this.element.querySelector(".cited");
    if (mark) this.element.scrollTop += mark.getBoundingClientRect().top - this.element.getBoundingClientRect().top - ABOVE;
    this.list.paint();
  }

  scrollToLine(line) {
    this.list.scrollTo(this.pieceOf(line));
  }

  firstLine() {
    return this.pieces[this.list.at(this.element.scrollTop + ABOVE)]?.line ?? 1;
  }

  // The number of the page that a line is on; 1 where pages have no numbers.
  // 0 if only the server can say.
  pageOf(line) {
    const place = this.pieces[this.pieceOf(line)]?.place ?? "";
    return Number(/^(?:p\.|slide) (\d+)/.exec(place)?.[1] ?? 0);
  }

  lineOf(offset) {
    return this.pieces[this.pieceAt(offset)]?.line ?? 1;
  }

  pieceOf(line) {
    const next = this.pieces.findIndex((piece) => piece.line > line);
    return Math.max(0, (next < 0 ? this.pieces.length : next) - 1);
  }

  pieceAt(offset) {
    const at = this.pieces.findIndex((piece) => piece.to > offset);
    return at < 0 ? this.pieces.length - 1 : at;
  }

  guess({ from, to }) {
    const wide = Math.max(20, Math.min(680, this.element.clientWidth) / LETTER_WIDTH);
    let rows = 0;
    for (const line of this.text.slice(from, to).split("\n")) rows += Math.max(1, Math.ceil(line.length / wide));
    return rows * LINE_HEIGHT + 10;
  }

  make(piece, at) {
    const { kind, place, continues } = piece;
    const isLong = continues || this.pieces[at + 1]?.continues;
    const body = this.render(piece);
    this.figures?.addTo(body, { from: piece.from, to: this.pieces[at + 1]?.from ?? Infinity });
    if (this.marked && piece.from < this.marked.to && piece.to > this.marked.from) {
      for (const mark of markSpan(body, this.marked.from, this.marked.to)) highlight(mark, this.words);
    }
    const isNumber = /^\d+$/.test(place);
    return h(
      "div",
      { class: `block ${kind} ${continues ? "continues" : ""} ${isLong ? "long" : ""}` },
      isNumber && h("span", { class: "line", title: `Line ${place}` }, place),
      place && !isNumber && place !== this.pieces[at - 1]?.place && h("p", { class: "place" }, place),
      body,
    );
  }

  render({ kind, from, to, prefix }) {
    const before = VERBATIM.includes(kind) ? FENCE : prefix;
    const given = { from: from - before.length, definitions: this.definitions };
    return render(before + this.text.slice(from, to), this.source, given);
  }
}
