// Chunks: choose a document, then see its chunks.

import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { acceptFiles, debounce, h } from "../shared/dom.js";
import { Workbench } from "./workbench.js";

let given = null; // a file or text is kept while the page is open, because no address can hold it

export function showChunks(root, state) {
  root.append(h("h1", { class: "off-screen" }, "Chunks"));
  const place = h("div", { class: "workbench" });
  root.append(place);
  acceptFiles(root, ([file]) => open({ source: file.name, body: file }));
  if (state.document) start({ document_id: state.document });
  else if (state.source) openSource(state.source);
  else if (given) start(given);
  else choose(place, open);

  function open(document) {
    if (document.document_id) address.go("chunks", { document: document.document_id });
    else {
      given = document;
      address.keep("chunks", {});
      start(document);
    }
  }

  // A link in another document leads here.
  async function openSource(source) {
    const { documents } = await api.get("/v1/documents", { source, limit: 200 });
    const found = documents.find((each) => each.source === source);
    if (found) address.keep("chunks", { document: found.id });
    if (found) start({ document_id: found.id });
    else choose(place, open, `${source} is not indexed`);
  }

  async function start(document) {
    place.replaceChildren(h("p", { class: "hint loading" }, "Reading…"));
    try {
      const opened = await read(document);
      new Workbench(place, document, opened, state, () => {
        given = null;
        address.keep("chunks", {});
        choose(place, open);
      });
    } catch (error) {
      given = null;
      choose(place, open, error.message);
    }
  }
}

async function read(document) {
  const { source, document_id, body } = document;
  const opened = await api.post("/v1/extract", { source, document_id }, body);
  return { ...opened, characters: [...opened.text].length };
}

function choose(place, open, problem = "") {
  const text = h("textarea", {
    rows: 10,
    placeholder: "# Paste Markdown, or any text",
    "aria-label": "Text to cut",
    spellcheck: "false",
  });
  const file = h("input", {
    type: "file",
    class: "off-screen",
    id: "file",
    onchange: () => file.files[0] && open({ source: file.files[0].name, body: file.files[0] }),
  });
  const picked = h("input", { list: "indexed", placeholder: "docs/guide.md", "aria-label": "Indexed document" });
  const known = new Map();
  const indexed = h("datalist", { id: "indexed" });
  const suggest = debounce(async () => {
    const found = await api.get("/v1/documents", { source: picked.value, limit: 50 });
    found.documents.forEach((each) => known.set(each.source, each.id));
    indexed.replaceChildren(...found.documents.map((each) => h("option", { value: each.source }, each.title)));
    if (known.has(picked.value)) open({ document_id: known.get(picked.value) });
  }, 150);
  picked.addEventListener("input", suggest);
  picked.addEventListener("change", suggest);
  place.replaceChildren(
    h(
      "div",
      { class: "chooser" },
      h("p", { class: "lead" }, "See how a document is cut, and why."),
      problem && h("p", { class: "problem", role: "alert" }, problem),
      h(
        "label",
        { class: "drop", for: "file" },
        h("strong", {}, "Drop a document here"),
        h("span", {}, "or choose a file: Markdown, HTML, DOCX, PDF, slides, sheets and more"),
      ),
      file,
      h("div", { class: "or" }, "or choose an indexed document"),
      picked,
      indexed,
      h("div", { class: "or" }, "or paste text"),
      text,
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { class: "primary", onclick: () => text.value.trim() && open({ source: "pasted.md", body: text.value }) },
          "Show its chunks",
        ),
      ),
    ),
  );
  suggest();
}
