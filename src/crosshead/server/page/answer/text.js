// The text of an answer as it comes; when it is complete, each number leads to its source, and each sentence shows whether
// it is proved.

import { markSpan } from "../markdown/lines.js";
import { render } from "../markdown/render.js";
import { placesIn } from "../shared/chunk.js";
import { h } from "../shared/dom.js";

const CITATION = /\[\s*\d{1,4}(?:\s*[-–,;]\s*\d{1,4})*\s*\](?!\()/g;
const DOUBTED = ["not found", "no citation"];

export class AnswerText {
  // `select` shows a source: its number, and the sentence that cites it.
  constructor(select) {
    this.select = select;
    this.text = "";
    this.element = h("div", { class: "answer-text", "aria-live": "polite", "aria-busy": "true" });
  }

  add(text) {
    this.text += text;
    this.pending ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.pending = null;
    this.element.replaceChildren(render(this.text.trimStart()));
  }

  finish({ text, sentences, proof }) {
    cancelAnimationFrame(this.pending);
    this.text = text;
    this.draw();
    const place = placesIn(text, [...text].length);
    this.sentences = sentences.map(({ start, end, ...each }) => ({ ...each, start: place(start), end: place(end) }));
    for (const each of proof?.sentences ?? []) this.markProof(each, place);
    this.linkNumbers();
    this.element.removeAttribute("aria-busy");
  }

  markProof({ verdict, start, end, doubts }, place) {
    if (!DOUBTED.includes(verdict)) return;
    const reason = doubts.map((doubt) => `“${doubt.text}”: ${doubt.reason}`).join("; ") || "no source is cited";
    for (const mark of markSpan(this.element, place(start), place(end), "doubted")) mark.title = reason;
    for (const doubt of doubts) markSpan(this.element, place(doubt.start), place(doubt.end), "doubt");
  }

  // What is rendered of `[1]` may be several pieces of text.
  linkNumbers() {
    for (const { index, 0: found } of this.text.matchAll(CITATION)) {
      const [first, ...others] = markSpan(this.element, index, index + found.length, "cites");
      if (!first || first.closest("pre, code, a")) continue;
      first.replaceChildren(...this.makeNumbers(found, index));
      for (const other of others) other.remove();
    }
  }

  // The numbers in brackets, each of them a button.
  makeNumbers(part, at) {
    const sentence = this.sentences.find(({ start, end }) => start <= at && at < end);
    return part.split(/(\d+)/).map((each, odd) => (odd % 2 ? this.makeNumber(Number(each), sentence) : each));
  }

  makeNumber(n, sentence) {
    return h("button", { class: "cite", "aria-label": `Source ${n}`, onclick: () => this.select(n, sentence?.text ?? "") }, String(n));
  }
}
