// From hit to hit: the hits of the search that led to a document, in their order.

import { askHits, goodHits } from "../search/asking.js";
import { h } from "../shared/dom.js";

export class Steps {
  // `go` opens a hit; `take` is called once the search has answered.
  constructor(state, signal, go, take) {
    Object.assign(this, { state, go, take, hits: [] });
    this.before = this.makeButton(-1, "Previous hit", "‹", "k");
    this.after = this.makeButton(1, "Next hit", "›", "j");
    this.label = h("span", { role: "status" });
    this.element = h("div", { class: "steps", hidden: true }, this.before, this.label, this.after);
    if (state.q) this.ask(signal);
  }

  async ask(signal) {
    try {
      const { hits } = await askHits(this.state, signal, { again: false });
      if (signal.aborted) return;
      this.all = hits;
      this.update();
    } catch {
      // The document can be read without its hits.
    }
  }

  update() {
    const good = goodHits(this.all);
    const current = this.all.find((hit) => this.isCurrent(hit)) ?? null;
    this.hits = !current || good.includes(current) ? good : this.all;
    this.at = this.hits.indexOf(current);
    this.element.hidden = !this.hits.length;
    this.label.textContent = current ? `Hit ${this.at + 1} of ${this.hits.length}` : `${this.hits.length} hits`;
    this.before.disabled = this.at <= 0;
    this.after.disabled = this.at === this.hits.length - 1;
    this.take(current, this.all);
  }

  isCurrent({ chunk, start, end }) {
    return chunk.document_id === this.state.document && `${start}-${end}` === this.state.span;
  }

  step(by) {
    const hit = this.hits[this.at + by];
    if (hit) this.go(hit);
  }

  makeButton(by, label, arrow, key) {
    const name = h("span", { class: "off-screen" }, label);
    return h("button", { title: label, onclick: () => this.step(by) }, arrow, name, " ", h("kbd", {}, key));
  }
}
