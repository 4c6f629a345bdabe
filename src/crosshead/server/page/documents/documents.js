// Documents: the indexed ones, running jobs, and failures.

import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { acceptFiles, count, debounce, h, number, say } from "../shared/dom.js";
import { makeFirstRun } from "./empty.js";
import { isShown, showJob, showUpload } from "./jobs.js";

const PAGE = 50;
const POLL = 500;
const brought = []; // files and paths that the user gave to another view

export function bring(...given) {
  brought.push(...given);
  address.go("documents");
}

export function showDocuments(root, given) {
  const state = { ...given };
  let alive = true;
  let polling = null;
  let wasBusy = false;
  let shown = "";
  const uploads = h("ul", { class: "jobs", "aria-label": "Running jobs" });
  const place = h("div", { class: "listing" });
  const facts = h("p", { class: "citation" });
  const advice = h("p", { class: "hint" });
  const file = h("input", {
    type: "file",
    multiple: true,
    class: "off-screen",
    id: "files",
    onchange: () => send(file.files),
  });
  const metadata = h("input", {
    value: state.metadata ?? "",
    placeholder: "Metadata: team=infra",
    "aria-label": "Metadata of uploads",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => {
      state.metadata = metadata.value;
      address.keep("documents", state);
    },
  });
  const filter = h("input", {
    type: "search",
    value: state.source ?? "",
    placeholder: "Filter by source",
    "aria-label": "Filter by source",
    oninput: () => later(),
  });
  const later = debounce(() => {
    state.source = filter.value;
    address.keep("documents", state);
    list();
  }, 150);
  root.append(
    h(
      "div",
      { class: "document-head" },
      h("div", {}, h("h1", {}, "Documents"), facts, advice),
      h("div", { class: "actions" }, filter, metadata, h("label", { class: "button primary", for: "files" }, "Upload"), file),
    ),
    uploads,
    place,
  );
  acceptFiles(root, send);
  list();
  watch();
  for (const given of brought.splice(0)) typeof given === "string" ? index(given) : send([given]);
  return () => {
    alive = false;
    clearTimeout(polling);
  };

  async function send(files) {
    await Promise.all(
      [...files].map(async (each) => {
        const { row, bar, fail } = showUpload(each.name);
        uploads.prepend(row);
        try {
          const given = { source: each.name, metadata: api.conditions(metadata.value) };
          await api.upload(given, each, (share) => {
            bar.value = share;
          });
          row.remove();
        } catch (error) {
          fail(error.message);
        }
      }),
    );
    follow();
  }

  // A short job may be done before it is listed.
  function follow() {
    wasBusy = true;
    watch();
  }

  async function watch() {
    clearTimeout(polling);
    const { jobs } = await api.get("/v1/jobs", { limit: 30 }).catch(() => ({ jobs: [] })); // the list shows the error
    if (!alive) return;
    uploads.querySelectorAll("[data-job]").forEach((row) => row.remove());
    uploads.append(...jobs.filter(isShown).map(showJob));
    const busy = jobs.some((job) => job.state === "waiting" || job.state === "running");
    if (busy) polling = setTimeout(watch, POLL);
    if (!busy && wasBusy) list();
    wasBusy = busy;
  }

  async function list(after = "") {
    try {
      const [status, found] = await Promise.all([
        api.get("/v1/status"),
        api.get("/v1/documents", { limit: PAGE, after, source: state.source }),
      ]);
      if (!alive) return;
      advice.textContent = status.advice ?? "";
      facts.textContent = `${count(status.documents, "document")} · ${count(status.chunks, "chunk")} · ${size(status.size_bytes)} · ${status.embedder} · ${status.location}`;
      facts.title = Object.entries(status.sizes)
        .map(([part, bytes]) => `${part.replace("_", " ")} ${size(bytes)}`)
        .join(" · ");
      filter.hidden = status.documents === 0;
      // Keep an unchanged table: the user may be about to press one of its buttons.
      const before = shown;
      shown = JSON.stringify([after, found]);
      if (status.documents === 0) place.replaceChildren(makeFirstRun(status, index));
      else if (after) place.querySelector("tbody").append(...found.documents.map(makeRow));
      else if (shown !== before) place.replaceChildren(makeTable(found.documents));
      place.querySelector(".more")?.remove();
      if (found.next) place.append(h("button", { class: "more", onclick: () => list(found.next) }, "Show more"));
    } catch (error) {
      shown = "";
      place.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message));
    }
  }

  async function index(path) {
    try {
      await api.post("/v1/documents", { path });
      follow();
    } catch (error) {
      say(error.message);
    }
  }

  function makeTable(documents) {
    return h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Document", "Format", "Size", "Chunks", "State", ""].map((name) =>
            h("th", { scope: "col" }, name || h("span", { class: "off-screen" }, "Actions")),
          ),
        ),
      ),
      h("tbody", {}, documents.map(makeRow)),
    );
  }

  function makeRow(each) {
    return h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h("a", { href: address.link("read", { document: each.id }), dir: "auto" }, each.title),
        h("span", { class: "citation" }, each.source),
        Object.keys(each.metadata).length > 0 && h("span", { class: "citation metadata" }, describe(each.metadata)),
      ),
      h("td", { "data-label": "Format" }, each.format),
      h("td", { "data-label": "Size", class: "figure" }, `${number(each.characters)} characters`),
      h("td", { "data-label": "Chunks", class: "figure" }, number(each.chunks)),
      h("td", { "data-label": "State" }, each.pending ? `${number(each.pending)} pending` : "ready"),
      h(
        "td",
        { class: "actions" },
        h(
          "button",
          { class: "quiet", "aria-label": `Re-index ${each.source}`, onclick: () => index(each.source) },
          "Re-index",
        ),
        h(
          "button",
          { class: "quiet", "aria-label": `Remove ${each.source}`, onclick: () => confirmRemoval(each) },
          "Remove",
        ),
      ),
    );
  }

  function confirmRemoval(each) {
    const close = () => dialog.remove();
    const dialog = h(
      "dialog",
      { "aria-labelledby": "remove-title", onclose: close },
      h("h2", { id: "remove-title" }, "Remove this document?"),
      h(
        "p",
        {},
        h("strong", {}, each.source),
        each.source.startsWith("uploads/") ? " and its uploaded file will be deleted." : " will be removed from the index. Its file is kept.",
      ),
      h(
        "div",
        { class: "actions" },
        h("button", { onclick: close, autofocus: true }, "Cancel"),
        h(
          "button",
          {
            class: "danger",
            onclick: async () => {
              close();
              await api.remove(`/v1/documents/${each.id}`).catch((error) => say(error.message));
              follow();
            },
          },
          "Remove",
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  }
}

const describe = (metadata) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key}=${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join("; ");

function size(bytes) {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
