// Thumbs: what is good or bad becomes a question with its answer, which the evaluation of the index measures with.

import * as api from "./api.js";
import { h, say } from "./dom.js";

// `lines` are the source, the first and the last line of each text; `keys` shows the keys, where the view reads them.
export function makeThumbs(what, question, lines, { keys = false } = {}) {
  const make = (good) =>
    h(
      "button",
      { "data-key": good ? "g" : "b", "aria-pressed": "false", title: `${what}: ${good ? "answers" : "does not answer"}`, onclick: (event) => press(event.currentTarget, good) },
      good ? "Good" : "Bad",
      keys && h("kbd", {}, good ? "g" : "b"),
    );
  const buttons = [make(true), make(false)];
  async function press(pressed, good) {
    const given = lines.map(({ source, start_line, end_line }) => ({ source, start_line, end_line }));
    try {
      await api.post("/v1/ratings", {}, JSON.stringify({ q: question, good, lines: given }));
    } catch (error) {
      say(error.message);
      return;
    }
    for (const button of buttons) button.setAttribute("aria-pressed", String(button === pressed));
    say(good ? "Rated good" : "Rated bad");
  }
  return buttons;
}
