// Uploads and background jobs, as a list of what runs and what failed. A failure stays until it is dismissed.

import { count, h } from "../shared/dom.js";

const DISMISSED = "crosshead-dismissed";
const MOST_KEPT = 500; // as many as the server keeps

export const isShown = (job) =>
  !dismissed().includes(job.id) && (job.state !== "done" || Object.keys(job.result?.failed ?? {}).length > 0);

export function showJob(job) {
  const failures = Object.entries(job.result?.failed ?? {}).map(([source, reason]) => `${source}: ${reason}`);
  const reasons = (job.error ? [job.error.detail] : failures).map((each) => withoutName(each, job.target));
  const row = h(
    "li",
    { "data-job": job.id },
    h("span", { class: "what" }, `${job.kind === "remove" ? "Remove" : "Index"} ${job.target}`),
    job.state === "running" &&
      h("progress", {
        max: Math.max(1, job.documents_total),
        value: job.documents_done,
        "aria-label": `Progress of ${job.target}`,
      }),
    h("span", { class: "state" }, job.state === "running" ? progressOf(job) : job.state),
  );
  if (reasons.length) fail(row, reasons, job.target, () => dismiss(job.id));
  return row;
}

// The row names the file already, and some reasons begin with its name, too.
function withoutName(reason, name) {
  const short = reason.startsWith(`${name}: `) ? reason.slice(name.length + 2) : reason;
  return short === reason ? short : withoutName(short, name);
}

export function showUpload(name) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": `Upload of ${name}` });
  const row = h("li", {}, h("span", { class: "what" }, name), bar, h("span", { class: "state" }, "uploading"));
  return { row, bar, fail: (reason) => fail(row, [withoutName(reason, name)], name, () => {}) };
}

function fail(row, reasons, name, onDismiss) {
  const close = () => {
    row.remove();
    onDismiss();
  };
  row.classList.add("failed");
  row.querySelector("progress")?.remove();
  row.querySelector(".state").replaceChildren(reasons.length > 1 ? fold(reasons) : reasons[0]);
  row.append(h("button", { class: "quiet", "aria-label": `Dismiss ${name}`, onclick: close }, "×"));
}

const fold = (reasons) =>
  h("details", {}, h("summary", {}, `${count(reasons.length, "document")} failed`), reasons.map((each) => h("p", {}, each)));

const progressOf = (job) =>
  `${job.documents_done} of ${job.documents_total} documents, ` +
  `${job.texts_embedded} of ${count(job.texts_total, "text")} embedded`;

const dismissed = () => JSON.parse(localStorage.getItem(DISMISSED) ?? "[]");
const dismiss = (id) => localStorage.setItem(DISMISSED, JSON.stringify([...dismissed(), id].slice(-MOST_KEPT)));
