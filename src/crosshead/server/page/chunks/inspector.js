// One chunk in full: rendered, with its neighbors, and why it is cut where it is.

import { location, path, rendered } from "../shared/chunk.js";
import { copy, count, h } from "../shared/dom.js";

const LONG = 20000;

export function inspect(chunk, { chunks = [], source } = {}, jump) {
  if (!chunk) {
    return [
      h(
        "p",
        { class: "hint" },
        "Point at a chunk, or choose one with a click or with ",
        h("kbd", {}, "j"),
        " and ",
        h("kbd", {}, "k"),
        ".",
      ),
    ];
  }
  const text = rendered(chunk);
  return [
    h("h2", { dir: "auto" }, path(chunk).at(-1)),
    h("p", { class: "crumbs", dir: "auto" }, path(chunk).slice(0, -1).join(" › ")),
    h(
      "p",
      { class: "facts" },
      [
        `chunk ${chunk.index + 1}`,
        location(chunk, source),
        count(chunk.token_count, "token"),
        chunk.content_type,
        chunk.parts > 1 && `part ${chunk.part + 1} of ${chunk.parts}`,
        chunk.is_complete_section && "a whole section",
        chunk.oversize_reason && `above the maximum: ${chunk.oversize_reason}`,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    h("h3", {}, "Why it is cut here"),
    h(
      "ul",
      { class: "notes" },
      chunk.notes.map((note) => h("li", {}, note)),
    ),
    h("h3", {}, "Around it"),
    h("div", { class: "links" }, around(chunk, chunks, jump)),
    h("h3", {}, "As rendered"),
    h(
      "pre",
      { class: "rendered", dir: "auto", tabindex: "0", role: "region", "aria-label": "As rendered" },
      text.length > LONG ? `${text.slice(0, LONG)}\n…` : text,
    ),
    h("button", { onclick: () => copy(text, "Chunk") }, "Copy"),
  ];
}

function around(chunk, chunks, jump) {
  const at = new Map(chunks.map((each, number) => [each.id, number]));
  const to = (label, id) =>
    id &&
    at.has(id) &&
    h("button", { onclick: () => jump(at.get(id)) }, `${label} `, h("span", { class: "number" }, `${at.get(id) + 1}`));
  return [
    to("Parent", chunk.parent_chunk_id),
    to("Previous", chunk.prev_id),
    to("Next", chunk.next_id),
    chunk.sibling_chunk_ids.filter((id) => id !== chunk.prev_id && id !== chunk.next_id).map((id) => to("Sibling", id)),
  ];
}
