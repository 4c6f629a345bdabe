// One document with one setting: its chunks in place, their number, and the result of the check.

import { count, h } from "../shared/dom.js";
import { DocumentView } from "./document.js";
import { histogram } from "./histogram.js";

const MOST_VIOLATIONS = 50;

export class Cutting {
  constructor(label, settings, handlers) {
    this.settings = settings;
    this.view = new DocumentView(label, handlers);
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.violations = h("ul", { class: "violations" });
    this.sizes = h("div", {});
    this.found = h("div", { class: "found" }, h("div", {}, this.verdict, this.violations), this.sizes);
  }

  take(made) {
    this.made = made;
    this.cuts = new Set(made.chunks.map((chunk) => chunk.start));
    this.settings.follow(made.options);
    this.violations.replaceChildren();
    this.sizes.replaceChildren(histogram(made.chunks, made.options));
  }

  show(text, place, other) {
    this.view.show(text, this.made, place, other?.cuts);
    const only = other && [...this.cuts].filter((start) => !other.cuts.has(start)).length;
    this.compared = other ? [" · ", h("span", { class: "only" }, `${count(only, "cut")} only here`)] : [];
    this.tell(...this.compared);
  }

  report({ violations, coverage }) {
    const errors = violations.filter((each) => each.severity === "error").length;
    const summary = `${count(errors, "violation")}, ${Math.floor(coverage * 1000) / 10} % covered`;
    this.tell(" · ", h("span", { class: errors ? "bad" : "good" }, summary), ...this.compared);
    this.violations.replaceChildren(...violations.slice(0, MOST_VIOLATIONS).map((each) => this.makeViolation(each)));
  }

  refuse(message) {
    this.verdict.replaceChildren(h("span", { class: "problem" }, message));
  }

  tell(...more) {
    this.verdict.replaceChildren(h("strong", {}, count(this.made.chunks.length, "chunk")), ...more);
  }

  makeViolation({ severity, message, start_line }) {
    const jump = () => this.view.select(this.view.chunkAtLine(start_line), { scroll: true });
    return h("li", {}, h("button", { onclick: jump }, `${severity}: ${message} (line ${start_line})`));
  }
}
