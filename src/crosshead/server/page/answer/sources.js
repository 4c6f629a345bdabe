// The sections that an answer was made from. A number of the answer leads to its section, with the lines marked that the
// sentence most likely rests on.

import { markSpan } from "../markdown/lines.js";
import { renderPart } from "../markdown/render.js";
import * as address from "../shared/address.js";
import { count, h } from "../shared/dom.js";

const MOST_LINES = 4;
const ENOUGH = 0.5; // of the score of the best line
const WORD = /[\p{L}\p{N}]+/gu;

export class Sources {
  constructor(state) {
    this.state = state;
    this.passages = [];
    this.list = h("ol", { class: "sources" });
    this.element = h("section", { class: "answer-sources", "aria-label": "Sources" }, this.list);
  }

  show(passages) {
    this.passages = passages;
    this.items = passages.map((passage, at) => this.make(passage, at + 1));
    this.list.replaceChildren(...this.items);
  }

  make(passage, n) {
    const link = address.link("read", { ...this.state, document: passage.document_id, line: passage.start_line });
    return h(
      "li",
      { class: "source", tabindex: "-1", "data-n": n },
      h("h2", { dir: "auto" }, h("span", { class: "n" }, n), passage.heading_chain ?? passage.source),
      h("p", { class: "citation" }, h("a", { href: link }, passage.citation)),
      h("div", { class: "body" }, renderPart(passage.content, passage.source)),
    );
  }

  // What the answer does not cite is folded.
  finish({ citations }) {
    const cited = new Set(citations.map(({ n }) => n));
    const others = this.items.filter((item) => !cited.has(Number(item.dataset.n)));
    if (!others.length) return;
    const rest = h("ol", { class: "sources" }, others);
    this.others = h("details", {}, h("summary", {}, `${count(others.length, "passage")} that the answer does not cite`), rest);
    this.element.append(this.others);
  }

  select(n, sentence) {
    const item = this.items[n - 1];
    for (const each of this.items) each.classList.toggle("selected", each === item);
    if (!item) return;
    if (this.others?.contains(item)) this.others.open = true;
    const { content, source } = this.passages[n - 1];
    const body = renderPart(content, source);
    item.querySelector(".body").replaceChildren(body);
    const marks = linesFor(sentence, content).flatMap(([from, to]) => markSpan(body, from, to));
    (marks[0] ?? item).scrollIntoView({ block: "nearest" });
    item.focus({ preventScroll: true });
  }
}

const wordsIn = (text) => new Set(text.toLowerCase().match(WORD));

// The lines of a text that share most with a sentence; a word counts the more, the fewer lines have it.
function linesFor(sentence, text) {
  let at = 0;
  const lines = text.split("\n").map((line) => {
    const from = at;
    at += line.length + 1;
    return { from, to: from + line.length, words: wordsIn(line) };
  });
  const asked = [...wordsIn(sentence.replace(/\[[^\]]*\]/g, ""))];
  const weights = asked.map((word) => 1 / Math.max(1, lines.filter(({ words }) => words.has(word)).length));
  const score = ({ words }) => asked.reduce((sum, word, index) => sum + (words.has(word) ? weights[index] : 0), 0);
  const scored = lines.map((line) => ({ ...line, score: score(line) }));
  const best = Math.max(...scored.map((line) => line.score));
  const near = scored.filter((line) => best > 0 && line.score >= ENOUGH * best);
  return near.sort((one, other) => other.score - one.score).slice(0, MOST_LINES).map(({ from, to }) => [from, to]);
}
