// The filters of a search, and how its results are shown.

import * as api from "./api.js";
import { debounce, h } from "./dom.js";

export const DEFAULT_BUDGET = 2000;
const MOST_OFFERED = 20;

export function makeFilters(state, change) {
  const sections = h("datalist", { id: "sections" });
  const sources = h("datalist", { id: "sources" });
  const format = h("select", { onchange: () => change({ format: format.value }) }, h("option", { value: "" }, "any"));
  const budget = h("input", {
    type: "number",
    min: 50,
    max: 100000,
    step: 50,
    value: state.budget ?? DEFAULT_BUDGET,
    oninput: () => change({ budget: budget.value }),
  });
  const budgetLabel = h("label", { class: "budget" }, "Tokens", budget);
  const filter = (name, label, placeholder, list) => {
    const input = h("input", {
      value: state[name] ?? "",
      placeholder,
      list,
      oninput: () => change({ [name]: input.value }),
    });
    return { input, element: h("label", {}, label, input) };
  };
  const section = filter("section_filter", "Section", "Install*", "sections");
  const source = filter("source", "Source", "docs/*.md", "sources");
  const offerSections = complete(section.input, sections, findTitles);
  const offerSources = complete(source.input, sources, findSources);
  const choice = (value, label) => {
    const radio = h("input", {
      type: "radio",
      name: "as",
      value,
      checked: (state.as ?? "hits") === value,
      onchange: () => {
        budgetLabel.hidden = value !== "passages";
        change({ as: value === "hits" ? "" : value });
      },
    });
    return h("label", { class: "choice" }, radio, h("span", {}, label));
  };
  budgetLabel.hidden = state.as !== "passages";
  api.get("/v1/status").then(
    (status) => {
      format.append(...status.formats.map((each) => h("option", { value: each }, each)));
      format.value = state.format ?? "";
    },
    () => {},
  );
  const element = h(
    "div",
    { class: "controls" },
    h(
      "fieldset",
      { class: "choices" },
      h("legend", { class: "off-screen" }, "Show"),
      choice("hits", "Hits"),
      choice("passages", "Passages"),
    ),
    budgetLabel,
    section.element,
    source.element,
    h("label", {}, "Format", format),
    sections,
    sources,
  );
  const offer = (hits) => {
    offerSections(hits.flatMap((hit) => hit.section_path));
    offerSources(hits.map((hit) => hit.chunk.source));
  };
  return { element, offer };
}

// Completion offers values of the current hits until the user types, then those of the index.
function complete(field, list, find) {
  let offered = [];
  const show = (values) => list.replaceChildren(...values.map((value) => h("option", { value })));
  const later = debounce(async () => {
    try {
      show(field.value.trim() ? await find(field.value.trim()) : offered);
    } catch {
      show([]); // the search shows the error
    }
  }, 120);
  field.addEventListener("input", later);
  return (values) => {
    offered = [...new Set(values)].slice(0, MOST_OFFERED);
    if (!field.value) show(offered);
  };
}

const findTitles = async (beginning) =>
  (await api.get("/v1/titles", { beginning: beginning.slice(0, 200), limit: MOST_OFFERED })).titles;

const findSources = async (part) => {
  const found = await api.get("/v1/documents", { source: `*${part}*`, limit: MOST_OFFERED });
  return found.documents.map((each) => each.source);
};
