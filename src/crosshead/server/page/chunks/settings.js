// One setting of chunking: controls and their values, which are in the address; the second setting has a prefix there.

import { copy, debounce, h } from "../shared/dom.js";

const SIZES = [
  ["max_tokens", "Max", 40, 2000],
  ["target_tokens", "Target", 20, 2000],
  ["min_tokens", "Min", 0, 1000],
];
const STRATEGIES = ["auto", "section", "fixed"];
const OVERSIZES = ["keep", "split"];
const NAMES = ["strategy", "oversize", ...SIZES.map(([name]) => name)];

export class Settings {
  constructor(label, state, prefix, byDefault, onChange) {
    this.state = state;
    this.prefix = prefix;
    this.byDefault = byDefault;
    this.later = debounce(onChange, 40);
    this.sliders = Object.fromEntries(SIZES.map((size) => [size[0], this.makeSlider(size)]));
    this.element = h(
      "fieldset",
      { class: "controls setting" },
      h("legend", {}, label),
      this.makeSelect("strategy", "Strategy", STRATEGIES),
      ...Object.values(this.sliders).map((each) => each.element),
      this.makeSelect("oversize", "Oversize", OVERSIZES),
    );
  }

  get(name) {
    return this.state[this.prefix + name] ?? this.byDefault(name);
  }

  set(name, value) {
    this.state[this.prefix + name] = value;
  }

  options() {
    return Object.fromEntries(NAMES.map((name) => [name, this.get(name)]).filter(([, value]) => value));
  }

  // What to write down for the same chunks; the maximum, if nothing is set.
  chosen() {
    const options = this.options();
    return Object.keys(options).length ? options : { max_tokens: this.made.max_tokens };
  }

  // The options as the library filled them in: sizes that are not set follow those that are.
  follow(options) {
    this.made = options;
    for (const [name] of SIZES) this.sliders[name].set(options[name]);
  }

  makeSelect(name, label, values) {
    const options = values.map((value) => h("option", { value }, value));
    const field = h("select", { onchange: () => this.change(name, field.value) }, options);
    field.value = this.get(name) || values[0];
    return h("label", {}, label, field);
  }

  makeSlider([name, label, least, most]) {
    const output = h("output", {});
    const range = h("input", { type: "range", min: least, max: most, step: 10, "aria-label": `${label} tokens` });
    range.addEventListener("input", () => {
      output.textContent = range.value;
      this.makeRoom(name, Number(range.value));
      this.change(name, range.value);
    });
    const set = (value) => {
      if (range.matches(":active")) return; // it is being dragged, so the answer is older than its value
      range.value = value;
      output.textContent = value;
    };
    return { element: h("label", { class: "slider" }, h("span", {}, label, " ", output), range), set };
  }

  change(name, value) {
    this.set(name, value);
    this.later();
  }

  // A new value may move the other sizes.
  makeRoom(name, value) {
    const at = SIZES.findIndex(([each]) => each === name);
    SIZES.forEach(([each], other) => {
      const set = Number(this.get(each));
      if (this.get(each) && ((other > at && set > value) || (other < at && set < value))) this.set(each, "");
    });
    const maximum = Number(this.get("max_tokens") || this.made?.max_tokens || 400);
    if (name !== "max_tokens" && !this.get("max_tokens") && value > maximum) this.set("max_tokens", String(value));
    if (name === "min_tokens" && !this.get("target_tokens") && value > maximum) this.set("max_tokens", String(value));
  }
}

export function showSettings(options) {
  const pairs = Object.entries(options);
  const literal = (value) => (Number.isNaN(Number(value)) ? `"${value}"` : value);
  const forms = {
    "Command line": pairs.map(([name, value]) => `--${name.replaceAll("_", "-")} ${value}`).join(" "),
    "crosshead.toml": ["[chunk]", ...pairs.map(([name, value]) => `${name} = ${literal(value)}`)].join("\n"),
    Python: pairs.map(([name, value]) => `${name}=${literal(value)}`).join(", "),
  };
  const rows = Object.entries(forms).map(([name, text]) => [
    h("dt", {}, name),
    h("dd", {}, h("pre", {}, text), h("button", { "aria-label": `Copy for ${name}`, onclick: () => copy(text, name) }, "Copy")),
  ]);
  const dialog = h(
    "dialog",
    { "aria-labelledby": "settings-title", class: "wide", onclose: () => dialog.remove() },
    h("h2", { id: "settings-title" }, "These settings"),
    h("dl", { class: "forms" }, rows),
    h("form", { method: "dialog", class: "actions" }, h("button", {}, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
}
