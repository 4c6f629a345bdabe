// The keys of all views, and the dialog that lists them.

import { h } from "./dom.js";

const KEYS = [
  ["/", "go to the question"],
  ["Enter ↓", "go from the question to the hits"],
  ["Esc", "leave the question, close a hit, go back to the hits"],
  ["j k ↓ ↑", "next, previous hit or chunk"],
  ["Enter", "open a hit in place"],
  ["c", "copy the citation of a hit"],
  ["m", "copy a hit for a language model"],
  ["r", "read it in its document"],
  ["d", "see how its document is cut"],
  ["o", "open the original file"],
  ["← →", "previous, next page of a PDF"],
  ["+ -", "zoom its page"],
  ["g b", "rate an opened hit good, bad"],
  ["n", "show the text around it"],
  ["p", "show its parent"],
  ["s", "show its siblings"],
  ["?", "show these keys"],
];

export const listKeys = () =>
  h(
    "dl",
    { class: "keys" },
    KEYS.map(([keys, what]) =>
      h("div", {}, h("dt", {}, keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, what)),
    ),
  );

export function showKeys() {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "keys-title", class: "wide", onclose: () => dialog.remove() },
    h("h2", { id: "keys-title" }, "Keys"),
    listKeys(),
    h("form", { method: "dialog", class: "actions" }, h("button", {}, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
}
