// Evaluation: how well searches answer the questions that were rated, and whether other settings answer them better.

import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { count, h, number } from "../shared/dom.js";

const WEIGHTS = ["dense_weight", "heading_weight", "entity_weight", "rerank_weight"];
const CHOICES = { mode: ["hybrid", "lexical", "dense"], rerank: ["maxsim", "none"] };
const LABELS = {
  "mrr@10": "first good hit (MRR@10)",
  "hit@1": "answered by the first hit",
  "hit@3": "by the first three",
  "hit@5": "by the first five",
  "hit@10": "by the first ten",
};

export function showEvaluation(root, given) {
  const leaving = new AbortController();
  const state = { ...given };
  const results = h("div", { class: "evaluated", "aria-live": "polite" });
  const form = h(
    "form",
    {
      class: "controls",
      onsubmit: (event) => {
        event.preventDefault();
        address.keep("evaluation", state);
        run(results, settingsOf(state), leaving.signal);
      },
    },
    h("p", {}, "Compare the settings of the index with others:"),
    h("div", { class: "fields" }, Object.entries(CHOICES).map(([name, values]) => choice(name, values, state)), WEIGHTS.map((name) => weight(name, state))),
    h("button", { class: "primary" }, "Compare"),
  );
  root.append(h("h1", {}, "Evaluation"), h("p", { class: "hint" }, "Questions come from ratings: open a hit and press “Good” or “Bad”."), form, results);
  run(results, settingsOf(state), leaving.signal);
  return () => leaving.abort();
}

const label = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

function choice(name, values, state) {
  const field = h("select", { onchange: () => Object.assign(state, { [name]: field.value }) }, ["", ...values].map((value) => h("option", { value }, value || "as now")));
  field.value = state[name] ?? "";
  return h("label", {}, label(name), field);
}

function weight(name, state) {
  const field = h("input", { type: "number", min: 0, max: 10, step: 0.05, placeholder: "as now", value: state[name] ?? "", oninput: () => Object.assign(state, { [name]: field.value }) });
  return h("label", {}, label(name), field);
}

// Settings that differ from those of the index; null if there are none.
function settingsOf(state) {
  const weights = WEIGHTS.filter((name) => state[name]).map((name) => [name, Number(state[name])]);
  const chosen = Object.keys(CHOICES).filter((name) => state[name]).map((name) => [name, state[name]]);
  return weights.length || chosen.length ? Object.fromEntries([...weights, ...chosen]) : null;
}

async function run(results, other, signal) {
  results.setAttribute("aria-busy", "true");
  try {
    const found = await api.post("/v1/evaluation", {}, JSON.stringify({ settings: {}, other }), signal);
    results.replaceChildren(...(found.questions ? describe(found) : [h("p", { class: "empty" }, "No ratings yet. Search, open a hit, and say whether it answers.")]));
  } catch (error) {
    if (error.name !== "AbortError") results.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message));
  } finally {
    results.removeAttribute("aria-busy");
  }
}

function describe({ questions, left_out: leftOut, figures, other, differences, worst }) {
  const heads = other ? ["", "now", "other settings", "difference of now"] : ["", "now"];
  const rows = Object.keys(figures).map((name) => [
    LABELS[name] ?? name.replace("recall@", "share of answers within tokens: "),
    interval(figures[name]),
    ...(other ? [interval(other[name]), difference(differences[name])] : []),
  ]);
  return [
    h("p", {}, `${count(questions, "question")}${leftOut ? `, ${number(leftOut)} left out` : ""}. In brackets: 95 % intervals.`),
    h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell)))))),
    other && h("p", { class: "hint" }, "A difference counts only if its interval does not contain 0."),
    worst.length > 0 && h("h2", {}, "Answered worst"),
    worst.length > 0 && h("ol", { class: "worst" }, worst.map((each) => makeWorst(each, Boolean(other)))),
  ].filter(Boolean);
}

const interval = ({ mean, low, high }) => [mean.toFixed(3), h("span", { class: "hint" }, ` (${low.toFixed(2)} to ${high.toFixed(2)})`)];

function difference({ mean, low, high }) {
  const isClear = low > 0 || high < 0;
  const sign = (value) => (value > 0 ? "+" : "") + value.toFixed(3);
  return h("span", { class: isClear ? "clear" : "hint" }, `${sign(mean)} (${sign(low)} to ${sign(high)})`);
}

function makeWorst({ question, rank, other_rank: otherRank }, isCompared) {
  const place = (each) => (each ? `hit ${each}` : "not within ten");
  return h("li", {}, h("a", { href: address.link("search", { q: question }) }, question), h("span", { class: "hint" }, ` ${place(rank)}${isCompared ? `, ${place(otherRank)} with the other settings` : ""}`));
}
