// Requests to the server that this page comes from. An answer is JSON; an error is a problem whose detail says what to do.

import { h } from "./dom.js";

const TOKEN = "crosshead-token";
// What people type into one field for metadata: `team=infra; year>=2024`.
export const conditions = (typed = "") => typed.split(";").map((each) => each.trim());

const NO_ANSWER = "The server does not answer. Is “crosshead serve” still running?";

export class Problem extends Error {
  constructor(problem) {
    super(problem.detail);
    this.status = problem.status;
  }
}

export const get = (path, given, signal) => ask("GET", path, given, undefined, signal);
export const post = (path, given, body, signal) => ask("POST", path, given, body, signal);
export const remove = (path) => ask("DELETE", path);
export const blob = async (path, given, signal) => (await request("GET", path, given, undefined, signal)).blob();
export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

// Sends JSON and returns the response itself, to be read while it comes.
export const send = (path, body, headers, signal) =>
  request("POST", path, {}, JSON.stringify(body), signal, { "Content-Type": "application/json", ...headers });

const ask = async (...given) => (await request(...given)).json();

async function request(method, path, given = {}, body = undefined, signal = undefined, more = {}) {
  const headers = { ...authorization(), ...more };
  const response = await fetch(address(path, given), { method, headers, body, signal }).catch(explain);
  if (response.status === 401) {
    await askForToken();
    return request(method, path, given, body, signal, more);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

// Only XMLHttpRequest reports the progress of an upload.
export function upload(given, file, onProgress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address("/v1/documents", given));
    for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.loaded / Math.max(1, event.total));
    request.onload = () => {
      const answer = JSON.parse(request.responseText);
      request.status < 300 ? resolve(answer) : reject(new Problem(answer));
    };
    request.onerror = () => reject(new Problem({ detail: NO_ANSWER }));
    request.send(file);
  });
}

// Browsers call it "Failed to fetch" or "NetworkError".
function explain(error) {
  throw error.name === "AbortError" ? error : new Problem({ detail: NO_ANSWER });
}

function address(path, given) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    for (const each of [value].flat()) {
      if (each !== "" && each !== null && each !== undefined && each !== false) query.append(name, each);
    }
  }
  return query.size ? `${path}?${query}` : path;
}

function authorization() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function problemOf(response) {
  try {
    return new Problem(await response.json());
  } catch {
    return new Problem({ status: response.status, detail: `the server answered with ${response.status}` });
  }
}

let asking = null;

function askForToken() {
  asking ??= new Promise((resolve) => {
    const field = h("input", { type: "password", autocomplete: "off", required: true, "aria-label": "Token" });
    const take = (event) => {
      event.preventDefault();
      sessionStorage.setItem(TOKEN, field.value.trim());
      dialog.remove();
      asking = null;
      resolve();
    };
    const dialog = h(
      "dialog",
      { "aria-labelledby": "token-title" },
      h(
        "form",
        { onsubmit: take },
        h("h2", { id: "token-title" }, "Token"),
        h("p", {}, "This server requires the token that it was started with. The token is kept until you close this tab."),
        field,
        h("div", { class: "actions" }, h("button", { class: "primary" }, "Continue")),
      ),
    );
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}
