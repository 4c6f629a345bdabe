// The filters of a search, from the server's description of its parameters, and how the results are shown.

import * as api from "../shared/api.js";
import { debounce, h } from "../shared/dom.js";

export const DEFAULT_BUDGET = 2000;
const MOST_OFFERED = 20;
const FIRST = ["section_filter", "source", "format"];
const ELSEWHERE = ["q", "limit", "expand_context", "enriched"];

export function makeFilters(state, status, change) {
  const lists = { section_filter: makeList("sections", findTitles), source: makeList("sources", findSources) };
  const first = h("div", { class: "fields" });
  const more = h("details", { class: "more-filters", hidden: true }, h("summary", {}, "More filters"));
  const element = h(
    "div",
    { class: "controls" },
    makeChoices(state, status, change),
    first,
    more,
    Object.values(lists).map(({ element }) => element),
  );
  Promise.all([api.get("/openapi.json"), status]).then(
    ([described, { formats, indexed_formats = formats }]) => {
      const { parameters } = described.paths["/v1/search"].get;
      const fields = parameters.filter(({ name }) => !ELSEWHERE.includes(name));
      const make = (parameter) => makeField(parameter, state, change, lists[parameter.name], indexed_formats);
      first.append(...FIRST.map((name) => make(fields.find((each) => each.name === name))));
      const rest = fields.filter(({ name }) => !FIRST.includes(name));
      more.append(h("div", { class: "fields" }, rest.map(make)));
      more.hidden = false;
      more.open = rest.some(({ name }) => state[name]);
    },
    () => {}, // the search shows the error
  );
  const offer = (hits) => {
    lists.section_filter.offer(hits.flatMap((hit) => hit.section_path));
    lists.source.offer(hits.map((hit) => hit.chunk.source));
  };
  return { element, offer };
}

// A part of a title is enough.
export const forgive = ({ section_filter: section, metadata, ...others }) => ({
  ...others,
  metadata: api.conditions(metadata),
  section_filter: section && !/[*?]/.test(section) ? `*${section}*` : section,
});

function makeChoices(state, status, change) {
  const budget = h("input", {
    type: "number",
    min: 50,
    max: 100000,
    step: 50,
    value: state.budget ?? DEFAULT_BUDGET,
    oninput: () => change({ budget: budget.value }),
  });
  const hasBudget = (as) => as === "passages" || as === "answer";
  const budgetLabel = h("label", { class: "budget", hidden: !hasBudget(state.as) }, "Tokens", budget);
  const choice = (value, label) => {
    const radio = h("input", {
      type: "radio",
      name: "as",
      value,
      checked: (state.as ?? "hits") === value,
      onchange: () => {
        budgetLabel.hidden = !hasBudget(value);
        change({ as: value === "hits" ? "" : value });
      },
    });
    return h("label", { class: "choice" }, radio, h("span", {}, label));
  };
  const legend = h("legend", { class: "off-screen" }, "Show");
  const choices = h("fieldset", { class: "choices" }, legend, choice("hits", "Hits"), choice("passages", "Passages"));
  status.then(
    ({ language_model: model }) => model && choices.append(choice("answer", "Answer")),
    () => {}, // the search shows the error
  );
  return [choices, budgetLabel];
}

function makeField({ name, description, schema }, state, change, list, formats) {
  const kind = { ...schema, ...schema.anyOf?.find(({ type }) => type !== "null") };
  const offered = name === "format" ? formats : kind.enum;
  const isOther = offered && state[name] && !offered.includes(state[name]); // from a link
  const values = isOther ? [...offered, state[name]] : offered;
  const initial = schema.default ?? "";
  const unset = name === "format" ? "any" : "default";
  const onchange = () => change({ [name]: field.value });
  const field = values
    ? h("select", { onchange }, [...(initial ? [] : [""]), ...values].map((value) => h("option", { value }, value || unset)))
    : h("input", {
        type: { date: "date", integer: "number", number: "number" }[kind.format ?? kind.type] ?? "text",
        min: kind.minimum,
        max: kind.maximum,
        step: kind.type === "number" ? 0.05 : null,
        placeholder: [kind.examples ?? schema.examples ?? initial].flat(2)[0] ?? "",
        list: list?.element.id,
        oninput: onchange,
      });
  field.value = state[name] ?? (values ? initial : "");
  list?.complete(field);
  const label = name.replace("_filter", "").replaceAll("_", " ");
  return h("label", { title: description ?? schema.description }, label[0].toUpperCase() + label.slice(1), field);
}

// Completion offers values of the current hits until the user types, then those of the index.
function makeList(id, find) {
  const element = h("datalist", { id });
  let offered = [];
  let field = null;
  const show = (values) => element.replaceChildren(...values.map((value) => h("option", { value })));
  const later = debounce(async () => {
    try {
      show(field.value.trim() ? await find(field.value.trim()) : offered);
    } catch {
      show([]); // the search shows the error
    }
  }, 120);
  const complete = (completed) => {
    field = completed;
    field.addEventListener("input", later);
  };
  const offer = (values) => {
    offered = [...new Set(values)].slice(0, MOST_OFFERED);
    if (!field?.value) show(offered);
  };
  return { element, complete, offer };
}

const findTitles = async (beginning) =>
  (await api.get("/v1/titles", { beginning: beginning.slice(0, 200), limit: MOST_OFFERED })).titles;

const findSources = async (source) =>
  (await api.get("/v1/documents", { source, limit: MOST_OFFERED })).documents.map((each) => each.source);
