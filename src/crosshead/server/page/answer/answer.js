// An answer of the server's language model: its text on the left, the sections that it cites on the right.

import * as api from "../shared/api.js";
import { copy, count, h, number } from "../shared/dom.js";
import { follow } from "../shared/events.js";
import { makeThumbs } from "../shared/rating.js";
import { AnswerText } from "./text.js";
import { Sources } from "./sources.js";

const VERDICTS = { "not found": "not found in its sources", "no citation": "without citation" };

// A model is slow and may cost money, so it is only asked when the user says so.
export function offerAnswer(results, model, ask) {
  const button = h("button", { class: "primary", onclick: ask }, "Ask ", h("kbd", {}, "Enter"));
  results.replaceChildren(h("p", { class: "note" }, `${model} answers from passages of the index and cites them.`), button);
}

export async function showAnswer(results, question, given, state, signal) {
  const progress = h("p", { class: "note", role: "status" }, "Looking for passages…");
  const text = new AnswerText((n, part) => sources.select(n, part));
  const sources = new Sources(state);
  const facts = h("div", { class: "answer-facts" });
  results.replaceChildren(
    h("div", { class: "answer-columns" }, h("article", { class: "answered", "aria-label": "Answer" }, progress, text.element, facts), sources.element),
  );
  const on = {
    sources: ({ passages }) => {
      sources.show(passages);
      progress.textContent = `Reading ${count(passages.length, "passage")}…`;
    },
    text: (part) => {
      progress.remove();
      text.add(part.text);
    },
    answer: (answer) => {
      progress.remove();
      finish(answer);
    },
    error: (problem) => {
      throw new api.Problem(problem);
    },
  };

  function finish(answer) {
    if (!answer.text) {
      results.replaceChildren(h("p", { class: "empty" }, `Nothing in the index answers this: ${answer.note}.`));
      return;
    }
    text.finish(answer);
    sources.finish(answer);
    const cited = answer.citations.map(({ n }) => sources.passages[n - 1]);
    facts.append(
      ...[
        !answer.complete && h("p", { class: "problem", role: "alert" }, `Not complete: ${answer.note}.`),
        answer.proof && h("p", { class: "verdict" }, describe(answer.proof)),
        h("p", { class: "hint" }, usageOf(answer)),
        h(
          "div",
          { class: "actions" },
          h("button", { onclick: () => copy(answer.text, "Answer") }, "Copy"),
          cited.length > 0 && makeThumbs("This answer", question, cited),
        ),
      ].filter(Boolean),
    );
  }

  await follow("/v1/answer", given, on, signal);
}

function describe({ counts, ok }) {
  const wrong = Object.entries(VERDICTS).filter(([verdict]) => counts[verdict]);
  if (ok) return `${count(counts.proved, "sentence")} proved: every number, date, name and quotation is in the cited text.`;
  return [`${count(counts.proved, "sentence")} proved`, ...wrong.map(([verdict, what]) => `${number(counts[verdict])} ${what}`)].join(", ");
}

function usageOf({ model, usage }) {
  const tokens = usage.answer_tokens ? `${number(usage.prompt_tokens)} + ${count(usage.answer_tokens, "token")}` : "";
  return [model, tokens, `${usage.seconds.toFixed(1)} s`].filter(Boolean).join(" · ");
}
