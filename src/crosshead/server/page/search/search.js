// Search: a query, its hits with the parts of their scores, and passages for a prompt.

import { offerAnswer, showAnswer } from "../answer/answer.js";
import { bring } from "../documents/documents.js";
import { makeFirstRun } from "../documents/empty.js";
import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { acceptFiles, debounce, h, isTyping } from "../shared/dom.js";
import { listKeys } from "../shared/keys.js";
import { askHits, questionOf } from "./asking.js";
import { DEFAULT_BUDGET, forgive, makeFilters } from "./filters.js";
import { pressKey, showHits } from "./hits.js";
import { showPassages } from "./passages.js";

export function showSearch(root, given) {
  const state = { ...given };
  let running = null;
  const field = h("input", {
    type: "search",
    value: state.q ?? "",
    placeholder: "Ask a question, or look for words",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Question",
    oninput: () => change({ q: field.value }),
    onkeydown: (event) => {
      if (event.isComposing || !["ArrowDown", "Escape"].includes(event.key)) return;
      event.preventDefault(); // Escape would empty the field
      if (event.key === "Escape") field.blur();
      else focusFirst();
    },
  });
  const results = h("div", { class: "results" });
  const status = api.get("/v1/status");
  const controls = makeFilters(state, status, change);
  root.append(
    h("h1", { class: "off-screen" }, "Search"),
    h(
      "form",
      {
        class: "ask",
        role: "search",
        onsubmit: async (event) => {
          event.preventDefault();
          if (state.as === "answer") return answer();
          await run();
          focusFirst();
        },
      },
      field,
    ),
    controls.element,
    results,
  );
  const later = debounce(run, 220);
  const keys = (event) => walk(event, results, field);
  const focusFirst = () => results.querySelector(".hit .title, .passage a")?.focus();
  document.addEventListener("keydown", keys);
  if (!state.q) field.focus();
  run();

  function change(values) {
    Object.assign(state, values);
    later();
  }

  async function run() {
    later.cancel();
    running?.abort();
    address.keep("search", state);
    if (!state.q?.trim()) {
      running = null;
      return welcome();
    }
    const { as, budget } = state;
    if (as === "answer") return offerAnswer(results, (await status).language_model, answer);
    await fill(async (signal) => {
      if (as === "passages") {
        const given = { ...forgive(questionOf(state)), budget_tokens: budget || DEFAULT_BUDGET, all: true };
        showPassages(results, await api.get("/v1/passages", given, signal), state);
      } else {
        const found = await askHits(state, signal);
        showHits(results, found, state);
        controls.offer(found.hits);
      }
      if (results.querySelector(".empty") && (await status).documents === 0) await welcome();
    });
  }

  // The language model of the server answers.
  async function answer() {
    later.cancel();
    running?.abort();
    address.keep("search", state);
    if (!state.q?.trim()) return;
    const given = { ...withoutEmpty(forgive(questionOf(state))), budget_tokens: Number(state.budget || DEFAULT_BUDGET) };
    await fill((signal) => showAnswer(results, state.q, given, state, signal));
  }

  async function fill(show) {
    running = new AbortController();
    const { signal } = running;
    results.setAttribute("aria-busy", "true");
    try {
      await show(signal);
    } catch (error) {
      if (error.name !== "AbortError")
        results.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message));
    } finally {
      if (!signal.aborted) results.removeAttribute("aria-busy");
    }
  }

  async function welcome() {
    results.replaceChildren(makeWelcome());
    const { documents, advice, ...facts } = await status.catch(() => ({}));
    if (advice) results.querySelector(".welcome")?.append(h("p", { class: "hint" }, advice));
    if (documents !== 0) return;
    const files = h("input", { type: "file", multiple: true, class: "off-screen", id: "files" });
    files.addEventListener("change", () => bring(...files.files));
    acceptFiles(root, (dropped) => bring(...dropped));
    results.replaceChildren(files, makeFirstRun(facts, bring));
  }

  return () => {
    running?.abort();
    document.removeEventListener("keydown", keys);
  };
}

// What the user has not filled in.
const withoutEmpty = (given) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value.filter(Boolean) : value]).filter(([, value]) => value !== "" && value !== undefined && value?.length !== 0));

const makeWelcome = () =>
  h("div", { class: "welcome" }, h("p", { class: "lead" }, "Documents in, whole cited sections out."), listKeys());

function walk(event, results, field) {
  if (isTyping(event)) return;
  const items = [...results.querySelectorAll(".hit")];
  const current = document.activeElement.closest?.(".hit");
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (!step && current) pressKey(current, event.key);
  if (!step || !items.length) return;
  const at = items.indexOf(current);
  const next = items[Math.min(items.length - 1, Math.max(at + step, step > 0 ? 0 : -1))];
  event.preventDefault();
  (next?.querySelector(".title") ?? field).focus();
  next?.scrollIntoView({ block: "nearest" });
}
