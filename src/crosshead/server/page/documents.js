// Documents: the indexed ones, running jobs, and failures.

import * as address from "./address.js";
import * as api from "./api.js";
import { acceptFiles, count, debounce, h, number, say } from "./dom.js";

const PAGE = 50;
const POLL = 500;

export function showDocuments(root, given) {
  const state = { ...given };
  let alive = true;
  let polling = null;
  let wasBusy = false;
  let shown = "";
  const uploads = h("ul", { class: "jobs", "aria-label": "Running jobs" });
  const place = h("div", { class: "listing" });
  const facts = h("p", { class: "citation" });
  const file = h("input", {
    type: "file",
    multiple: true,
    class: "off-screen",
    id: "files",
    onchange: () => send(file.files),
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
      h("div", {}, h("h1", {}, "Documents"), facts),
      h("div", { class: "actions" }, filter, h("label", { class: "button primary", for: "files" }, "Upload"), file),
    ),
    uploads,
    place,
  );
  acceptFiles(root, send);
  list();
  watch();
  return () => {
    alive = false;
    clearTimeout(polling);
  };

  async function send(files) {
    await Promise.all(
      [...files].map(async (each) => {
        const bar = h("progress", { max: 1, value: 0, "aria-label": `Upload of ${each.name}` });
        const row = h(
          "li",
          {},
          h("span", { class: "what" }, each.name),
          bar,
          h("span", { class: "state" }, "uploading"),
        );
        uploads.prepend(row);
        try {
          await api.upload(each.name, each, (share) => {
            bar.value = share;
          });
          row.remove();
        } catch (error) {
          bar.remove();
          row.classList.add("failed");
          row.querySelector(".state").textContent = error.message;
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
    const { jobs } = await api.get("/v1/jobs", { limit: 30 });
    if (!alive) return;
    const wanted = jobs.filter((job) => job.state !== "done" || Object.keys(job.result?.failed ?? {}).length);
    uploads.querySelectorAll("[data-job]").forEach((row) => row.remove());
    uploads.append(...wanted.map(showJob));
    const busy = jobs.some((job) => job.state === "waiting" || job.state === "running");
    if (busy) polling = setTimeout(watch, POLL);
    if (!busy && wasBusy) list();
    wasBusy = busy;
  }

  async function list(after = "") {
    try {
      const [status, found] = await Promise.all([
        api.get("/v1/status"),
        api.get("/v1/documents", { limit: PAGE, after, source: state.source ? `*${state.source}*` : "" }),
      ]);
      if (!alive) return;
      facts.textContent = `${count(status.documents, "document")} · ${count(status.chunks, "chunk")} · ${size(status.size_bytes)} · ${status.embedder} · ${status.location}`;
      filter.hidden = status.documents === 0;
      // Keep an unchanged table: the user may be about to press one of its buttons.
      const before = shown;
      shown = JSON.stringify([after, found]);
      if (status.documents === 0) place.replaceChildren(firstRun(status, index));
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
        h("a", { href: address.link("chunks", { document: each.id }), dir: "auto" }, each.title),
        h("span", { class: "citation" }, each.source),
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
        h("button", { onclick: close }, "Cancel"),
        h(
          "button",
          {
            class: "primary",
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

function showJob(job) {
  const failed = Object.entries(job.result?.failed ?? {}).map(([source, reason]) => `${source}: ${reason}`);
  const state = job.error
    ? job.error.detail
    : failed.join("; ") ||
      (job.state === "running"
        ? `${job.documents_done} of ${job.documents_total} documents, ${job.texts_embedded} of ${count(job.texts_total, "text")} embedded`
        : job.state);
  return h(
    "li",
    { "data-job": job.id, class: job.error || failed.length ? "failed" : "" },
    h("span", { class: "what" }, `${job.kind === "remove" ? "Remove" : "Index"} ${job.target}`),
    job.state === "running" &&
      h("progress", {
        max: Math.max(1, job.documents_total),
        value: job.documents_done,
        "aria-label": `Progress of ${job.target}`,
      }),
    h("span", { class: "state" }, state),
  );
}

function firstRun(status, index) {
  const path = h("input", { placeholder: "docs", "aria-label": "A file or folder below the root", value: "" });
  return h(
    "div",
    { class: "first-run" },
    h("p", { class: "lead" }, "Nothing is indexed yet."),
    h(
      "ol",
      {},
      h(
        "li",
        {},
        h(
          "label",
          { class: "drop", for: "files" },
          h("strong", {}, "Drop documents here"),
          h("span", {}, "or choose files. They are stored in the folder uploads."),
        ),
      ),
      h(
        "li",
        {},
        h(
          "form",
          {
            onsubmit: (event) => {
              event.preventDefault();
              if (path.value.trim()) index(path.value.trim());
            },
          },
          h("p", {}, "Or index a folder on the server, below ", h("code", {}, status.root), ":"),
          h("div", { class: "actions" }, path, h("button", { class: "primary" }, "Index")),
        ),
      ),
      h(
        "li",
        {},
        h("p", {}, "Or from a terminal, while this page is open:"),
        h("pre", {}, `crosshead index docs/ --index ${status.location}`),
      ),
    ),
  );
}

function size(bytes) {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
