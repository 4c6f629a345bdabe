// What to do with an empty index: upload documents, index a folder, or use the command line.

import { h } from "../shared/dom.js";

// `index` takes a path on the server; files are chosen with the input `files`.
export function makeFirstRun(status, index) {
  const path = h("input", { placeholder: "docs", "aria-label": "A file or folder below the root", value: "" });
  const submit = (event) => {
    event.preventDefault();
    if (path.value.trim()) index(path.value.trim());
  };
  const steps = [
    h(
      "label",
      { class: "drop", for: "files" },
      h("strong", {}, "Drop documents here"),
      h("span", {}, "or choose files. They are stored in the folder uploads."),
    ),
    h(
      "form",
      { onsubmit: submit },
      h("p", {}, "Or index a folder on the server, below ", h("code", {}, status.root), ":"),
      h("div", { class: "actions" }, path, h("button", { class: "primary" }, "Index")),
    ),
    [
      h("p", {}, "Or from a terminal, while this page is open:"),
      h("pre", {}, `crosshead index docs/ --index ${status.location}`),
    ],
  ];
  return h(
    "div",
    { class: "first-run" },
    h("p", { class: "lead" }, "Nothing is indexed yet."),
    h("ol", {}, steps.map((step) => h("li", {}, step))),
  );
}
