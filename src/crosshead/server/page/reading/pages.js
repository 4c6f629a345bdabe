// The pages of a document as pictures, with the cited text marked, next to the text.
//
// One page is shown at a time. Its size comes first, so that nothing jumps when the picture arrives; the picture is as
// sharp as the zoom needs.

import * as api from "../shared/api.js";
import { h } from "../shared/dom.js";

const ZOOMS = [1, 1.25, 1.5, 2, 3, 4];
const STEP = 200; // widths of pictures are multiples, so that the server draws few of them
const WIDEST = 4096;
const ABOVE = 90; // of the first mark
const FOUND = 0.95; // the share of a text that counts as all of it: a hyphen or a bullet may differ

export class PagesView {
  // `turn` is called with the page that the user turned to.
  constructor(id, signal, turn) {
    Object.assign(this, { id, signal, turn, page: 0, zoom: 0, marked: "" });
    this.picture = h("img", { alt: "", hidden: true });
    this.sheet = h("div", { class: "sheet" }, this.picture);
    this.host = h("div", { class: "sheets", tabindex: "0", role: "region", "aria-label": "The page" }, this.sheet);
    this.label = h("span", { role: "status" });
    this.note = h("p", { class: "hint", hidden: true });
    this.before = makeButton("‹", "Previous page", "←", () => this.go(this.page - 1));
    this.after = makeButton("›", "Next page", "→", () => this.go(this.page + 1));
    this.out = makeButton("−", "Smaller", "-", () => this.zoomBy(-1));
    this.in = makeButton("+", "Larger", "+", () => this.zoomBy(1));
    const bar = h("div", { class: "pages-bar" }, this.before, this.label, this.after, this.out, this.in);
    this.element = h("div", { class: "pages" }, bar, this.note, this.host);
    new ResizeObserver(() => this.resize()).observe(this.host);
  }

  // Show a page, with a part of the document's text marked: `START-END`, or nothing. Page 0 is the first one with marks.
  async show(page, marked = this.marked, onShow = () => {}) {
    if ((page === this.page || (!page && this.view)) && marked === this.marked) return;
    Object.assign(this, { page, marked });
    this.label.textContent = page ? `Page ${page}` : "Page …";
    this.loading?.abort();
    this.loading = new AbortController();
    const signal = AbortSignal.any([this.signal, this.loading.signal]);
    try {
      const view = await api.get(this.path(), { highlight: marked }, signal);
      if (signal.aborted) return;
      this.view = view;
      this.page = view.page;
      this.describe();
      this.layOut();
      this.scrollToMark();
      onShow(view);
      await this.draw(signal);
    } catch (error) {
      if (error.name !== "AbortError") this.refuse(error.message);
    }
  }

  path = () => `/v1/documents/${this.id}/pages/${this.page}`;

  describe() {
    const { page, pages, share, boxes } = this.view;
    this.label.textContent = `Page ${page} of ${pages}`;
    this.before.disabled = page <= 1;
    this.after.disabled = page >= pages;
    const isHere = this.marked && this.isCited();
    const found = Math.floor(100 * (share ?? 0));
    this.note.hidden = !isHere || share >= FOUND;
    this.note.textContent = boxes.length
      ? `Only ${found} % of the cited text could be found on this page; only that is marked.`
      : "The cited text could not be found on this page, so nothing is marked.";
    this.picture.alt = `Page ${page}${boxes.length ? ", with the cited text marked" : ""}`;
  }

  // Does the text of the page include any of the cited one?
  isCited() {
    const [start, end] = this.marked.split("-").map(Number);
    return start < this.view.end && end > this.view.start;
  }

  get width() {
    return Math.max(120, this.host.clientWidth - 2) * ZOOMS[this.zoom];
  }

  layOut() {
    this.sheet.hidden = false;
    this.sheet.style.width = `${this.width}px`;
    this.sheet.style.height = `${(this.width * this.view.height) / this.view.width}px`;
    this.out.disabled = this.zoom === 0;
    this.in.disabled = this.zoom === ZOOMS.length - 1;
  }

  scrollToMark() {
    const [box] = this.view.boxes;
    const scale = this.width / this.view.width;
    this.host.scrollTop = box ? box.top * scale - ABOVE : 0;
    this.host.scrollLeft = box ? box.left * scale - ABOVE : 0;
  }

  async draw(signal) {
    const width = Math.min(WIDEST, STEP * Math.ceil((this.width * devicePixelRatio) / STEP));
    const wanted = `${this.page} ${this.marked} ${width}`;
    if (wanted === this.drawn) return;
    const blob = await api.blob(`${this.path()}.png`, { highlight: this.marked, width }, signal);
    if (signal.aborted) return;
    URL.revokeObjectURL(this.picture.src);
    this.picture.src = URL.createObjectURL(blob);
    this.picture.hidden = false;
    this.drawn = wanted;
  }

  refuse(message) {
    this.note.hidden = false;
    this.note.textContent = message;
    this.sheet.hidden = true;
    this.drawn = "";
  }

  go(page) {
    if (this.view && page >= 1 && page <= this.view.pages) this.show(page, this.marked, this.turn);
  }

  zoomBy(step) {
    const zoom = this.zoom + step;
    if (!this.view || !ZOOMS[zoom]) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.host;
    const grown = ZOOMS[zoom] / ZOOMS[this.zoom];
    this.zoom = zoom;
    this.layOut();
    this.host.scrollTop = (scrollTop + clientHeight / 2) * grown - clientHeight / 2;
    this.host.scrollLeft = (scrollLeft + clientWidth / 2) * grown - clientWidth / 2;
    this.redraw();
  }

  resize() {
    if (!this.view || !this.host.clientWidth || this.host.clientWidth === this.last) return;
    this.last = this.host.clientWidth;
    this.layOut();
    this.scrollToMark();
    this.redraw();
  }

  redraw() {
    this.draw(AbortSignal.any([this.signal, this.loading.signal])).catch((error) => {
      if (error.name !== "AbortError") this.refuse(error.message);
    });
  }
}

const makeButton = (text, label, key, onclick) =>
  h("button", { "aria-label": label, title: `${label} (${key})`, onclick }, text);
